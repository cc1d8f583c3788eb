import type { IncomingMessage } from 'node:http';
import { Refusal } from '../model/refusal.ts';
import type { Rules } from '../rules/rules.ts';
import type { Service } from '../service/service.ts';

/**
 * The JSON object in the body of a request.
 * @throws Refusal when the body is no JSON object in UTF-8, or longer than the settings allow.
 */
export async function readJsonObject(
  service: Service,
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>>> {
  const { rules } = service;
  const { headers } = request;
  if (!rules.acceptsMediaType(headers['content-type'] ?? '')) {
    throw new Refusal('unsupported-media-type', 'the body has to be application/json');
  }
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw new Refusal('unsupported-media-type', 'the body must not be compressed');
  }
  const bytes = await readBytes(service, request);
  const value = parseJson(rules, decode(bytes, rules.acceptsIllFormedUtf8()));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid', 'the body has to be a JSON object');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** How much of a body that is too large is still read, and thrown away, so that the client gets to see the answer. */
const drainedBytes = 64 * 1024 * 1024;

function readBytes(service: Service, request: IncomingMessage): Promise<Buffer> {
  const cap = service.settings.bodyBytes;
  if (Number(request.headers['content-length'] ?? 0) > cap) {
    drain(request);
    return Promise.reject(tooLarge(cap));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
      service.quotas.releaseBody(bytes);
    };
    const take = (chunk: Buffer): void => {
      try {
        if (bytes + chunk.length > cap) throw tooLarge(cap);
        service.quotas.holdBody(chunk.length);
        bytes += chunk.length;
        chunks.push(chunk);
      } catch (refusal) {
        finish();
        drain(request);
        reject(refusal);
      }
    };
    const end = (): void => {
      finish();
      resolve(Buffer.concat(chunks));
    };
    const breakOff = (): void => {
      finish();
      reject(new Refusal('invalid', 'the body was not sent whole'));
    };
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
  });
}

function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > drainedBytes) request.destroy();
  });
}

function tooLarge(cap: number): Refusal {
  return new Refusal('too-large', `the body is longer than ${cap} bytes`);
}

function decode(bytes: Buffer, isLenient: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isLenient, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid', 'the body is not UTF-8');
  }
}

function parseJson(rules: Rules, text: string): unknown {
  try {
    return rules.readJson(text);
  } catch {
    throw new Refusal('invalid', 'the body is not JSON');
  }
}
