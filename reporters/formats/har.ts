import type { Content, Entry, Har, Header } from 'har-format';
import type { EvidenceExchange, Excerpt } from '../../harness/results/generated/events.ts';
import { suiteVersion } from '../../harness/results/suite-version.ts';
import type { RunSoFar } from '../run-so-far.ts';
import type { ReportFormat } from './format.ts';

/**
 * HTTP Archive 1.2 of every exchange that results keep, in the order of time: those behind findings, and the one that trouble showed
 * in; bounded, secrets removed.
 */
export const har: ReportFormat = {
  name: 'har',
  reader: 'HTTP viewers: the exchanges that results keep, those behind findings (HAR 1.2)',
  *write(runs) {
    const log: Har['log'] = {
      version: '1.2',
      creator: { name: 'conform', version: suiteVersion() },
      entries: [],
    };
    const [head] = JSON.stringify({ log }).split(']}}');
    yield head ?? '';
    let separator = '\n';
    for (const run of runs) {
      for (const entry of entriesOf(run)) {
        yield `${separator}${JSON.stringify(entry)}`;
        separator = ',\n';
      }
    }
    yield ']}}\n';
  },
};

function entriesOf({ header, findings, footer }: RunSoFar): readonly Entry[] {
  const entries = new Map<number, Entry>();
  const add = (exchange: EvidenceExchange, why: string): void => {
    if (!entries.has(exchange.id)) entries.set(exchange.id, entryOf(exchange, why, header));
  };
  for (const { id, clause, exchanges } of findings)
    for (const exchange of exchanges) add(exchange, `${id} ${clause}`);
  for (const { id, clauses = [] } of findings)
    for (const { clause, exchange } of clauses) if (exchange !== undefined) add(exchange, `${id} ${clause}`);
  const { mostly } = footer?.trouble ?? {};
  if (mostly?.exchange !== undefined) add(mostly.exchange, mostly.text);
  return [...entries.values()].toSorted(
    (one, other) => Date.parse(one.startedDateTime) - Date.parse(other.startedDateTime),
  );
}

interface Started {
  readonly baseUrl: string;
  readonly startedAt: string;
}

function entryOf(exchange: EvidenceExchange, why: string, started: Started | undefined): Entry {
  const { durationMs, actor, startedAt } = exchange;
  return {
    // Older results do not keep when an exchange began: then this is when the run did.
    startedDateTime: startedAt ?? started?.startedAt ?? new Date(0).toISOString(),
    time: durationMs,
    request: requestOf(exchange, started?.baseUrl ?? ''),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `${why}, as ${actor}, exchange ${exchange.id}`,
  };
}

function requestOf({ request }: EvidenceExchange, baseUrl: string): Entry['request'] {
  const { method, path, headers, body } = request;
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
  return {
    method,
    url: `${baseUrl}${path}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: body?.totalBytes ?? 0,
    ...(body === undefined
      ? {}
      : {
          postData: {
            mimeType: headers['content-type'] ?? 'application/json',
            text: '',
            ...harExchange(body),
          },
        }),
  };
}

function responseOf({ response, fault }: EvidenceExchange): Entry['response'] {
  const headers: Header[] = Object.entries(response?.headers ?? {}).flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  );
  return {
    status: response?.status ?? 0,
    statusText: fault ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: contentOf(response),
    redirectURL: response?.headers['location']?.[0] ?? '',
    headersSize: -1,
    bodySize: response?.body?.totalBytes ?? 0,
  };
}

/** What there is of a body, and what is missing: an outline is no part of it. */
function harExchange({
  isOutline,
  isCut,
  text,
}: Excerpt): { readonly comment: string } | { readonly text: string } {
  if (isOutline === true) return { comment: `parts left out: ${text}` };
  return { text, ...(isCut ? { comment: 'cut: the beginning, or the part at fault' } : {}) };
}

function contentOf(response: EvidenceExchange['response']): Content {
  const { body, headers } = response ?? {};
  return {
    size: body?.totalBytes ?? 0,
    mimeType: headers?.['content-type']?.[0] ?? '',
    ...(body === undefined ? {} : harExchange(body)),
  };
}
