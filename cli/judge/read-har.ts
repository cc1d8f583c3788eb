import type { Exchange } from '../../harness/client/exchange.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import {
  defaultSettleMs,
  isOfSuite,
  recordedByOthers,
  tokenOf,
} from '../../harness/traffic/recorded-exchange.ts';
import { suite } from '../../history/clients/traffic.ts';
import type { History } from '../../history/operation.ts';
import { isConditional, JudgedWire } from '../../harness/traffic/judged-wire.ts';
import { isOfSeveralClocks, onOneClock, overDoubt, withoutStale } from './common-clock.ts';
import { exchangeOf, isOfCache, isUnread, isWholeAnswer } from './har-exchange.ts';
import { entriesOf, type HarEntry } from './har-file.ts';

/** What traffic that somebody recorded comes to. */
export interface RecordedTraffic {
  readonly histories: readonly History[];
  /** What the form of the answers comes to. */
  readonly wire: JudgedWire;
  readonly baseUrl: string;
  /** Requests to the server that were left out, since nobody can say whose they are. */
  readonly withoutCredential: number;
  /** Calls of which the recorder has left a body out, or which nobody here can read: they are not judged. */
  readonly unread: number;
  /** True where the clocks of several files could not be told, so that each is judged by itself. */
  readonly isApart: boolean;
  /** Files whose times are of more than one clock, of which nothing is judged that hangs on what came first. */
  readonly torn: readonly string[];
}

/** What a HAR file does not say. */
export interface HarFacts {
  /** The server, where the file has requests to several. */
  readonly baseUrl?: string | undefined;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs?: number | undefined;
}

/**
 * The history of HAR files, as proxies or browsers write them: of the requests to one server those with a credential. Files of several
 * recorders are one history where their clocks can be told from the answers, and one each where they cannot.
 * @throws InvalidTarget naming what is wrong with a file, and what to do
 */
export function readHar(
  paths: readonly string[],
  { baseUrl: given, settleMs = defaultSettleMs }: HarFacts,
): RecordedTraffic {
  const asked = paths.map((path) => entriesOf(path).flatMap((entry) => askedIn(entry) ?? []));
  const bases = new Set(asked.flat().map(({ base }) => base));
  const [first] = bases;
  const baseUrl = given === undefined ? first : baseOf(given);
  const named = paths.join(', ');
  if (first === undefined || baseUrl === undefined)
    throw new InvalidTarget(`${named} holds no request of the contract's calls`);
  const held = `${named} holds requests to ${[...bases].join(' and ')}`;
  if (!bases.has(baseUrl)) throw new InvalidTarget(`${held}, and none to ${baseUrl} (--base-url)`);
  if (given === undefined && bases.size > 1) throw new InvalidTarget(`${held}: say which with --base-url`);
  let id = 0;
  let unread = 0;
  const answered: Exchange[] = [];
  const exchanges = asked.map((each) =>
    withoutStale(
      each
        .filter(({ base, entry }) => base === baseUrl && !isOfCache(entry))
        .map(({ entry, address }) => {
          const exchange = exchangeOf(entry, address, (id += 1));
          if (isWholeAnswer(entry, exchange)) answered.push(exchange);
          if (isUnread(entry, exchange)) unread += 1;
          return exchange;
        }),
    ),
  );
  const torn = exchanges.map(isOfSeveralClocks);
  const together = exchanges.length > 1 ? onOneClock(exchanges) : undefined;
  const parts =
    together === undefined ? exchanges.filter((_, at) => torn[at] !== true).map(overDoubt) : [together];
  const { target } = readTarget({ flags: { baseUrl }, env: {}, cwd: '/' });
  const wire = new JudgedWire(target.names);
  for (const each of answered.toSorted(byEnd)) wire.add(each);
  const facts = { runId: recordedByOthers, settleMs, isDurable: false, isPartial: true };
  return {
    baseUrl,
    wire,
    histories: parts.flatMap((part) => historiesOf(part, () => new HistoryRecorder(facts, target))),
    withoutCredential: exchanges
      .flat()
      .filter((each) => each.request.call !== 'other' && tokenOf(each) === undefined).length,
    unread,
    isApart: exchanges.length > 1 && together === undefined,
    torn: paths.filter((_, at) => torn[at]),
  };
}

/** One history, or several where the server could not be reached meanwhile: it may have come back as another one, as beside a proxy. */
function historiesOf(exchanges: readonly Exchange[], begin: () => HistoryRecorder): readonly History[] {
  const ofSuites = new Set(exchanges.filter(isOfSuite).map(tokenOf));
  const recorders = [begin()];
  let isGone = false;
  for (const exchange of exchanges.toSorted(byEnd)) {
    const wasGone = isGone;
    isGone = exchange.fault?.kind === 'refused';
    if (isGone) continue;
    if (wasGone) recorders.push(begin());
    const token = tokenOf(exchange);
    if (token === undefined || isConditional(exchange)) continue;
    const recorder = recorders.at(-1) as HistoryRecorder;
    const agent = recorder.agentOf(token, `agent ${token}`);
    recorder.add(ofSuites.has(token) ? suite : agent, exchange);
  }
  return recorders.map(({ history }) => history);
}

function byEnd(one: Exchange, other: Exchange): number {
  return one.endedMs - other.endedMs;
}

/** What was asked of a server. */
interface AskedEntry {
  readonly entry: HarEntry;
  readonly base: string;
  readonly address: string;
}

/** Where an entry asked a server, and what; `undefined` for an address of no call of the contract. */
function askedIn(entry: HarEntry): AskedEntry | undefined {
  const [, base = '', address] =
    /^((?:https?|HTTPS?):\/\/[^/?#]+(?:\/[^?#]*?)?)(\/v0\/[^#]*|\/v1\/human\/[^#]*)/.exec(
      entry.request.url,
    ) ?? [];
  return address === undefined ? undefined : { entry, base: baseOf(base), address };
}

/** A base address in one spelling: names in small letters, and without the usual port. */
function baseOf(url: string): string {
  const base = url.replace(/\/+$/, '');
  if (!URL.canParse(base)) return base;
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
