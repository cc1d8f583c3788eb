import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { front, type OpenedServer, opened, sockets } from '../../fixtures/front.ts';
import { oneCheck, type OpenServer, type Room, rows } from '../frame/row.ts';

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate of its own authority for a name, made on the spot: no key lies about here. */
function certificateFor(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const request =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test'.split(' ');
    const files = ['-addext', `subjectAltName=${name}`, '-keyout', key, '-out', cert];
    execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A certificate that ended years ago: dates of the past are taken only from an authority, here of one certificate. */
function expiredCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-tls-'));
  const openssl = (line: string): Buffer =>
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
  try {
    const settings = [
      '[ca]\ndefault_ca=own\n[own]\ndatabase=index\nnew_certs_dir=.\ndefault_md=sha256\npolicy=any\nrand_serial=yes',
      '[any]\ncommonName=supplied\n[names]\nsubjectAltName=IP:127.0.0.1\n',
    ];
    writeFileSync(join(folder, 'ca.cnf'), settings.join('\n'));
    writeFileSync(join(folder, 'index'), '');
    openssl(
      'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=test -keyout key.pem -out request.pem',
    );
    openssl(
      'ca -batch -config ca.cnf -selfsign -keyfile key.pem -in request.pem -out cert.pem -notext -startdate 20200101000000Z -enddate 20200102000000Z -extensions names',
    );
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    return { key: read('key.pem'), cert: read('cert.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reference behind TLS; its certificate, for whoever is to trust it, is in `certificates`. */
function secured(certificateOf: () => Certificate): OpenServer {
  return async (reference) => {
    const certificate = certificateOf();
    const { port, hostname } = new URL(reference.baseUrl);
    const server = createServer(certificate, (socket) => {
      const onwards = connect(Number(port), hostname);
      socket.on('error', () => onwards.destroy());
      onwards.on('error', () => socket.destroy());
      socket.pipe(onwards).pipe(socket);
    });
    server.on('tlsClientError', () => {});
    const open = new Set<{ destroy: () => void }>();
    server.on('connection', (socket) => open.add(socket));
    const served = await opened(server, new Promise(() => {}), () =>
      open.forEach((socket) => socket.destroy()),
    );
    const baseUrl = served.baseUrl.replace('http:', 'https:');
    certificates.set(baseUrl, certificate.cert);
    return { ...served, baseUrl };
  };
}

const certificates = new Map<string, string>();

function givenCertificate({ baseUrl, write }: Room): void {
  write('ca.pem', certificates.get(baseUrl) ?? '');
}

/** The same server under the other scheme. */
function as(scheme: 'http:' | 'https:', open: OpenServer): OpenServer {
  return async (reference): Promise<OpenedServer> => {
    const server = await open(reference);
    return { ...server, baseUrl: server.baseUrl.replace(/^https?:/, scheme) };
  };
}

const trusted = [...oneCheck, '--ca', 'ca.pem'];

/** Servers whose TLS is broken, or of somebody else. */
export const tlsRows = rows({
  'a certificate of a trusted authority is taken': {
    onlyWith: 'openssl',
    server: secured(() => certificateFor('IP:127.0.0.1')),
    given: givenCertificate,
    args: trusted,
    expected: { exit: 0, says: 'conforms' },
  },
  'a certificate of an unknown authority is not trusted': {
    onlyWith: 'openssl',
    server: secured(() => certificateFor('IP:127.0.0.1')),
    expected: { exit: 3, says: /preflight error: .*certificate/ },
  },
  'a handshake without an end is cut off': {
    server: as(
      'https:',
      sockets((socket) => void socket.pause()),
    ),
    expected: { exit: 3, says: 'preflight error' },
  },
});

/** Others of them, every night. */
export const otherTlsRows = rows({
  'a certificate of another name is not trusted': {
    onlyWith: 'openssl',
    server: secured(() => certificateFor('DNS:other.example')),
    given: givenCertificate,
    args: trusted,
    expected: { exit: 3, says: /preflight error: .*(?:certificate|IP)/ },
  },
  'a certificate that has expired is not trusted': {
    onlyWith: 'openssl',
    server: secured(expiredCertificate),
    given: givenCertificate,
    args: trusted,
    expected: { exit: 3, says: /preflight error: .*certificate has expired/ },
  },
  'a server without TLS behind https is no server': {
    server: as('https:', front({})),
    expected: { exit: 3, says: 'preflight error' },
  },
  'a server with TLS behind http is no server': {
    onlyWith: 'openssl',
    server: as(
      'http:',
      secured(() => certificateFor('IP:127.0.0.1')),
    ),
    expected: { exit: 3, says: 'preflight error' },
  },
  'a connection that is cut in the handshake is no answer': {
    server: as(
      'https:',
      sockets((socket) => void socket.once('data', () => socket.destroy())),
    ),
    expected: { exit: 3, says: 'preflight error' },
  },
});
