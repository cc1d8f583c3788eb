import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { oneCheck } from '../frame/commands.ts';
import { front, opened, sockets } from '../frame/front.ts';
import type { OpenServer, Room, Row, RowServer } from '../frame/row.ts';

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

/** The reference behind TLS; its certificate, for whoever is to trust it, is in `certificates`. */
function secured(name: string): OpenServer {
  return async (reference) => {
    const certificate = certificateFor(name);
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
  return async (reference): Promise<RowServer> => {
    const server = await open(reference);
    return { ...server, baseUrl: server.baseUrl.replace(/^https?:/, scheme) };
  };
}

const trusted = [...oneCheck, '--ca', 'ca.pem'];

/** Servers whose TLS is broken, or of somebody else. */
export const tlsRows: readonly Row[] = [
  {
    name: 'a certificate of a trusted authority is taken',
    onlyWith: 'openssl',
    server: secured('IP:127.0.0.1'),
    given: givenCertificate,
    args: trusted,
    expected: { exit: 0, says: 'conforms' },
  },
  {
    name: 'a certificate of an unknown authority is not trusted',
    onlyWith: 'openssl',
    server: secured('IP:127.0.0.1'),
    args: oneCheck,
    expected: { exit: 3, says: /preflight error: .*certificate/ },
  },
  {
    name: 'a certificate of another name is not trusted',
    onlyWith: 'openssl',
    server: secured('DNS:other.example'),
    given: givenCertificate,
    args: trusted,
    expected: { exit: 3, says: /preflight error: .*(?:certificate|IP)/ },
  },
  {
    name: 'a server without TLS behind https is no server',
    server: as('https:', front({})),
    args: oneCheck,
    expected: { exit: 3, says: 'preflight error' },
  },
  {
    name: 'a server with TLS behind http is no server',
    onlyWith: 'openssl',
    server: as('http:', secured('IP:127.0.0.1')),
    args: oneCheck,
    expected: { exit: 3, says: 'preflight error' },
  },
  {
    name: 'a connection that is cut in the handshake is no answer',
    server: as(
      'https:',
      sockets((socket) => void socket.once('data', () => socket.destroy())),
    ),
    args: oneCheck,
    expected: { exit: 3, says: 'preflight error' },
  },
  {
    name: 'a handshake without an end is cut off',
    server: as(
      'https:',
      sockets((socket) => void socket.pause()),
    ),
    args: oneCheck,
    expected: { exit: 3, says: 'preflight error' },
  },
];
