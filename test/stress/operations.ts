import type { Operation, Read, Send } from '../../history/operation.ts';

/** A send from one time to another, accepted by default. */
export function send(startedMs: number, endedMs: number, own: Partial<Send> = {}): Send {
  return {
    kind: 'send',
    index: 0,
    client: 'client 1',
    agent: 'author',
    startedMs,
    endedMs,
    outcome: 'accepted',
    status: 201,
    channel: 'c',
    key: `k${startedMs}`,
    content: undefined,
    contentType: undefined,
    targets: [],
    files: [],
    session: undefined,
    host: undefined,
    isBaseline: true,
    shown: undefined,
    ...own,
  };
}

/** A read of an empty page. */
export function read(startedMs: number, endedMs: number, own: Partial<Read> = {}): Read {
  return {
    kind: 'read',
    call: 'channel-read',
    index: 0,
    client: 'client 2',
    agent: 'reader',
    startedMs,
    endedMs,
    outcome: 'accepted',
    status: 200,
    stream: 'channel c',
    after: 0,
    limit: undefined,
    wait: undefined,
    isBaseline: true,
    items: [],
    nextAfter: 0,
    hasMore: false,
    highWatermark: 0,
    agentId: undefined,
    ...own,
  };
}

/** A restart of the server. */
export function restart(startedMs: number, endedMs: number): Operation {
  const { index, status } = send(0, 0);
  const common = { index, client: 'operator', agent: 'operator', status, startedMs, endedMs };
  const change = { change: 'restart', subject: undefined, detail: undefined };
  return { ...common, ...change, kind: 'change', outcome: 'accepted' };
}
