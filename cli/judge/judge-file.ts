import type { Scoring } from '../../harness/gate/scoring.ts';
import { freshOf } from '../../history/anomalies/fresh.ts';
import { judgeClients, type JudgedClients as Judged } from '../../history/clients/judges/index.ts';
import { JudgedChapters } from '../../harness/judging/judged-chapters.ts';
import type { NoticeEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { judgedEvents, judgedHeader, type JudgedSource } from '../../harness/run/judged-stream.ts';
import { clientChecks, historyChecks } from '../../harness/judging/run-wide-checks.ts';
import { JudgedClients } from '../../harness/traffic/judged-clients.ts';
import { withForm } from '../../harness/traffic/judged-wire.ts';
import { recordedByOthers } from '../../harness/traffic/recorded-exchange.ts';
import type { History, Operation } from '../../history/operation.ts';
import { type AtWorkAfter, atWorkAfter, lossIn } from '../../history/sure-part.ts';
import { countOf } from '../../reporters/quantities.ts';
import { secrets } from '../shared/output.ts';
import { type HarFacts, readHar, type RecordedTraffic } from './read-har.ts';
import { readHistory } from './read-history.ts';

interface JudgeParts extends HarFacts {
  readonly scoring: Scoring;
  readonly isStrict: boolean;
  /** The command that judges, as the header has it. */
  readonly command?: readonly string[] | undefined;
}

/**
 * What judging histories, or HAR files, comes to, as the stream of a run.
 * @throws InvalidTarget when a file cannot be read, or is neither; it names the line or the place
 */
export function judgedFiles(
  files: readonly string[],
  { scoring, isStrict, command = ['judge', ...files], ...facts }: JudgeParts,
): readonly ResultEvent[] {
  const startedMs = performance.now();
  const { histories, wire, baseUrl = `file:${files.join(',')}`, ...recorded } = recordedIn(files, facts);
  const chapters = new JudgedChapters();
  let clients: JudgedClients | undefined;
  let last: Operation | undefined;
  const notices: NoticeEvent[] = [];
  for (const { read, isOfHar } of histories) {
    const history = following(last, read());
    last = history.operations.at(-1);
    chapters.add(history);
    // What a suite asks it asks on purpose.
    if (history.facts.runId === recordedByOthers) {
      clients ??= new JudgedClients();
      const asked = freshOf(judgeClients(history), history.facts.carried);
      clients.note(history, isOfHar ? withoutCredentials(asked) : asked);
    }
    notices.push(...noticesOn(history));
  }
  const sides = withClients(chapters, clients);
  const judged = wire === undefined ? sides : withForm(sides, wire);
  const header = judgedHeader('judge', baseUrl, {
    isStrict,
    command,
    checks: judged.checks().length,
  });
  const about = {
    footprint: { requests: 0, messages: 0, bytesWritten: 0 },
    durationMs: performance.now() - startedMs,
  };
  return [
    header,
    ...notices,
    ...noticesOnTraffic(recorded),
    ...judgedEvents(
      {
        chapters: judged,
        scoring,
        secrets,
        trouble: files.every(isHar) ? wire?.trouble : undefined,
        recorded: { runId: recordedByOthers, baseUrl, isRecorded: true },
      },
      about,
    ),
  ];
}

/** A history after one that ends with this: what it begins with was judged only where it was carried on from there. */
function following(last: Operation | undefined, { facts, operations }: History): History {
  const { carried } = facts;
  if (carried === undefined) return { facts, operations };
  const end = operations[carried.operations - 1];
  const isNext =
    end?.startedMs === last?.startedMs && end?.endedMs === last?.endedMs && end?.agent === last?.agent;
  return isNext
    ? { facts, operations }
    : { facts: { ...facts, carried: { ...carried, operations: 0 } }, operations };
}

/** A recorder may have taken credentials out, so that no request of a HAR file puts to the test whether it carries one. */
function withoutCredentials({ opportunities, ...judged }: Judged): Judged {
  const own = new Map(opportunities);
  own.delete('client.requests.carry-a-credential');
  return { ...judged, opportunities: own };
}

/** Both sides of what was recorded, or the servers alone. */
function withClients(chapters: JudgedChapters, clients: JudgedClients | undefined): JudgedSource {
  if (clients === undefined) return chapters;
  return {
    checks: () => [...chapters.checks(), ...clients.checks()],
    sighted: [...chapters.sighted, ...clients.sighted],
    clauses: [...historyChecks, ...clientChecks].flatMap((check) => check.clauses),
  };
}

/** Histories, each read when it is judged: several together may be more than fits. */
type Recorded = Partial<Omit<RecordedTraffic, 'histories'>> & {
  readonly histories: readonly { readonly read: () => History; readonly isOfHar: boolean }[];
};

function isHar(file: string): boolean {
  return /\.har$/i.test(file);
}

function recordedIn(files: readonly string[], facts: HarFacts): Recorded {
  const others = files
    .filter((file) => !isHar(file))
    .map((file) => ({ read: () => readHistory(file), isOfHar: false }));
  if (others.length === files.length) return { histories: others };
  const { histories, ...traffic } = readHar(files.filter(isHar), facts);
  return {
    ...traffic,
    histories: [...histories.map((history) => ({ read: () => history, isOfHar: true })), ...others],
  };
}

const endInWords: Readonly<Record<AtWorkAfter, string>> = {
  interruption: 'the run was interrupted',
  'time limit': 'the time of the run was over',
};

/** What there was to judge. */
function noticesOn(history: History): readonly NoticeEvent[] {
  const { operations, facts } = history;
  const kinds = (['send', 'read', 'report', 'change'] as const)
    .map((kind) => countOf(operations.filter((each) => each.kind === kind).length, kind))
    .join(', ');
  const of = facts.runId === recordedByOthers ? 'recorded traffic' : `history of run ${facts.runId}`;
  const what = `${of}: ${countOf(operations.length, 'operation')} (${kinds})`;
  const loss = lossIn(history);
  const ms = Math.max(0, (loss?.startedMs ?? 0) - (operations[0]?.startedMs ?? 0)).toFixed(1);
  const end = atWorkAfter.find((each) => each === loss?.detail);
  const until =
    end === undefined
      ? `judged up to ${ms} ms: later nobody found the server, its credentials and its messages all there`
      : `nothing is judged: ${endInWords[end]} while checks were at work, and what those did then is not known`;
  return [
    { type: 'notice', severity: 'info', text: what },
    ...(loss === undefined ? [] : [{ type: 'notice', severity: 'warning', text: until } as const]),
    ...noticeOfErrors(history),
  ];
}

/** Server errors of recorded traffic: of those that come now and then no finding tells. */
function noticeOfErrors({ operations, facts: { isPartial, carried } }: History): NoticeEvent[] {
  const errors = operations.slice(carried?.operations ?? 0).filter(({ status }) => (status ?? 0) >= 500);
  if (isPartial !== true || errors.length === 0) return [];
  const statuses = [...new Set(errors.map(({ status }) => status))].join(', ');
  const text = `${countOf(errors.length, 'request')} drew a server error (${statuses}): it is a finding where it comes again ten seconds to a minute later, since an operator may restart a server at any time`;
  return [{ type: 'notice', severity: 'warning', text }];
}

/** What could not be decided of recorded traffic. */
function noticesOnTraffic({
  withoutCredential = 0,
  unread = 0,
  isApart = false,
  torn = [],
}: Omit<Recorded, 'histories'>): NoticeEvent[] {
  const left = `of ${countOf(withoutCredential, 'request')} the form of the answer alone is judged, as far as it was recorded: without a credential nobody can say whose they are`;
  const apart =
    'each file judged by itself: without a Date in the answers of each, or with one that does not fit its times, nobody can say what came first';
  const unjudged = `${countOf(unread, 'request')} of the contract's calls not judged: a body was left out or cut, or is in no form that can be read`;
  const texts = [
    ...(withoutCredential === 0 ? [] : [left]),
    ...(unread === 0 ? [] : [unjudged]),
    ...(isApart ? [apart] : []),
    ...torn.map(
      (path) =>
        `of ${path} the form of the answers alone is judged: its times are of more than one clock, by the Date of its answers, and nobody can say what came first`,
    ),
  ];
  return texts.map((text) => ({ type: 'notice', severity: 'warning', text }));
}
