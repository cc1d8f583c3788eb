import { buildChange, buildRead, buildSend } from '../../../history/build-operation.ts';
import type { Change, Read, Send } from '../../../history/operation.ts';

/** A send from one time to another, accepted by default. */
export function send(startedMs: number, endedMs: number, own: Partial<Send> = {}): Send {
  const common = { client: 'client 1', agent: 'author', startedMs, endedMs, status: 201, ...own };
  return buildSend(common, { channel: 'c', key: `k${startedMs}`, ...own });
}

/** A read of an empty page. */
export function read(startedMs: number, endedMs: number, own: Partial<Read> = {}): Read {
  const common = { client: 'client 2', agent: 'reader', startedMs, endedMs, status: 200, ...own };
  const page = { stream: 'channel c', after: 0, nextAfter: 0, hasMore: false, highWatermark: 0 };
  return buildRead(common, { ...page, ...own });
}

/** A restart of the server. */
export function restart(startedMs: number, endedMs: number): Change {
  return buildChange({ startedMs, endedMs }, { change: 'restart' });
}
