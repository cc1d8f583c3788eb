import type { Operation, Read, Send } from '../../history/operation.ts';
import { printable } from '../output/printable.ts';

/**
 * An operation in one line: when, who, what, and what came of it. Times in ms from `sinceMs` on.
 * @param name what the reader can look it up by; its place in the history where nothing is said
 */
export function operationLine(operation: Operation, sinceMs: number, name = `#${operation.index}`): string {
  const { agent, startedMs, endedMs } = operation;
  const when = `${(startedMs - sinceMs).toFixed(1)}-${(endedMs - sinceMs).toFixed(1)} ms`;
  const parts = [name, when, agent, `${whatOf(operation)} -> ${outcomeOf(operation)}`];
  return printable(parts.filter((part) => part !== '').join('  '));
}

function whatOf(operation: Operation): string {
  switch (operation.kind) {
    case 'send':
      return sendOf(operation);
    case 'read':
      return readOf(operation);
    case 'report':
      return `reports ${operation.messages.length} messages of channel ${operation.channel}`;
    case 'change':
      return [operation.change, operation.detail, operation.subject]
        .filter((word) => word !== undefined)
        .join(' ');
  }
}

function sendOf({ channel, content, key, targets, files, session, host }: Send): string {
  const text = content === undefined ? 'no text' : (content.marker ?? `${content.bytes} bytes`);
  const extras = [
    targets.length > 0 ? `${targets.length} targets` : '',
    files.length > 0 ? `${files.length} files` : '',
    session === undefined ? '' : 'a session',
    host === undefined ? '' : 'a host',
    key === undefined ? 'no key' : '',
  ].filter((extra) => extra !== '');
  return [`sends ${text} to channel ${channel}`, ...extras].join(', ');
}

function readOf({ call, stream, after, limit, wait, query }: Read): string {
  const values = Object.entries({ after, limit, wait })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  const asked = query === undefined ? values : [`?${query}`];
  return [call === 'mentions' ? 'reads its mentions' : `reads ${stream}`, ...asked].join(' ');
}

/** Sequences shown of a page, from its begin and from its end. */
const mostShown = 6;

/** What came of what an operator asked for, which has no answer of the service. */
const ofChanges = { accepted: 'done', refused: 'not done', indeterminate: 'nobody knows' } as const;

function outcomeOf(operation: Operation): string {
  const { outcome, status } = operation;
  if (operation.kind === 'change') return ofChanges[operation.outcome];
  const said =
    status === undefined
      ? `no answer (${outcome})`
      : `${status}${outcome === 'indeterminate' ? ' (indeterminate)' : ''}`;
  if (operation.kind !== 'read' || outcome !== 'accepted') return said;
  const { items, nextAfter, hasMore } = operation;
  const numbers = items.map(({ sequence }) => String(sequence ?? '?'));
  const shown = numbers.length <= mostShown ? numbers : [...numbers.slice(0, 3), '…', ...numbers.slice(-3)];
  return `${said} [${shown.join(' ')}] next_after=${String(nextAfter)} has_more=${String(hasMore)}`;
}
