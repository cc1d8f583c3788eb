// Generated from harness/results/result-event.schema.json by `npm run generate`; do not edit.

/** What a check, or a clause, came to. */
export type Verdict = 'passed' | 'failed' | 'warned' | 'inconclusive';
/** What kept something open although the target has all that it needs: no answer came, a server error, a limit, a credential that had worked before, or no end within the time limit. */
export type TroubleKind = 'no-answer' | 'server-error' | 'limited' | 'credential-refused' | 'too-slow';
/** Which part of a campaign a case is of. */
export type Phase = 'corpus' | 'boundaries' | 'random';
/** What a clause that was seen broken came to. */
export type BrokenVerdict = 'failed' | 'warned';
/** How a campaign ended. `server-gone`: connections are no longer taken, or end without an answer; `server-silent`: for a long while there was no answer to anything. `server-limits`: a limit that was waited out for long lets nothing in. `access-lost`: a credential opens nothing any more of what it opened at the beginning. `server-fails`: a baseline request draws nothing but errors of the server. `out-of-bytes`: what it may write was used up in less than half of its time. */
export type CampaignEnd =
  | 'complete'
  | 'interrupted'
  | 'server-gone'
  | 'server-silent'
  | 'server-limits'
  | 'access-lost'
  | 'server-fails'
  | 'out-of-bytes';
/** How answers are told apart over the time; `none` that came. */
export type AnswerGroup = '2xx' | '4xx' | '429' | '5xx' | 'other' | 'none';
/** The result stream of a run or a campaign: one header, then anything, then one footer. A stream without a footer is not a whole run. */
export type ResultEvent =
  | HeaderEvent
  | PreflightEvent
  | NoticeEvent
  | CheckEvent
  | ProgressEvent
  | FindingEvent
  | ObservationEvent
  | FooterEvent;

/** The switches of a run that change what its verdicts mean. */
export interface Profile {
  readonly strict: boolean;
  readonly readOnly: boolean;
  /** Selection as given (`--check`, `--clause`, `--only`), or the families of a campaign; empty means everything. */
  readonly selection: readonly string[];
  /** Name of the requirement set; `undefined` means that every check is scored. */
  readonly requirements?: string;
}
/** What was run, by which suite, against what. */
export interface HeaderEvent {
  readonly type: 'header';
  readonly format: 1;
  readonly suiteVersion: string;
  readonly contractVersion: string;
  /** sha256 of the clause register. */
  readonly registerDigest: string;
  /** Where the server is; of a history that was judged without one its file, as `file:history.ndjson`. */
  readonly baseUrl: string;
  /** The command, and the options that named the server and said how it was judged; literal secrets have given way to variables. Absent where no command began it. */
  readonly command?: readonly string[];
  /** sha256 of the resolved target without its secrets; absent where a history was judged without one. */
  readonly targetDigest?: string;
  readonly profile: Profile;
  /** Checks that will be told of: all, or those that were asked for; none in a campaign. */
  readonly checks: number;
  /** What makes a campaign the one that it is. */
  readonly campaign?: {
    readonly seed: number;
    /** As `i/n`, 1-based; several where campaigns were merged. */
    readonly shards: readonly string[];
  };
  /** What the order of the checks was drawn by; absent where it was the usual one. */
  readonly orderSeed?: number;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
}
export interface PreflightLine {
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
}
/** What was measured before the first check. The two times are absent when the server was never reached. */
export interface PreflightEvent {
  readonly type: 'preflight';
  readonly isOk: boolean;
  readonly lines: readonly PreflightLine[];
  /** Median round trip in ms; `undefined` when the server was never reached. */
  readonly roundTripMs?: number;
  readonly settleMs?: number;
}
/** What a run found out on its way that its operator should know: like a line of preflight, it is no verdict. */
export interface NoticeEvent {
  readonly type: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
}
export interface ClauseVerdict {
  readonly clause: string;
  readonly level: 'must' | 'inferred' | 'silent';
  readonly verdict: Verdict;
  readonly judged: number;
  /** Why it is inconclusive. */
  readonly reason?: string;
  /** What in the target would enable it. */
  readonly enable?: string;
  /** Set where trouble kept it open, and not something that the target lacks. */
  readonly trouble?: TroubleKind;
  /** Why the baseline expects that it is broken: it is shown, and decides nothing. */
  readonly known?: string;
  /** What this server does not have, so that the clause asks nothing of it, as `this server has no receipts (405)`. */
  readonly inapplicable?: string;
}
/** One check has ended. */
export interface CheckEvent {
  readonly type: 'check';
  readonly check: string;
  readonly title: string;
  readonly area: string;
  /** Where it is written, from the root of the repository; absent for what only watches the wire. */
  readonly file?: string;
  /** The worst of its clauses. */
  readonly verdict: Verdict;
  /** False for a check that the requirement set does not have: it is shown, and decides nothing. */
  readonly isScored?: false;
  readonly clauses: readonly ClauseVerdict[];
  /** Requests sent and judgements made, all attempts together. */
  readonly requests: number;
  readonly judged: number;
  /** Times the check ran: 1, or more after a failure or a disturbance. */
  readonly attempts: number;
  readonly durationMs: number;
}
/** How far a campaign is, for whoever watches: no file keeps it. */
export interface ProgressEvent {
  readonly type: 'progress';
  readonly phase: Phase;
  readonly cases: number;
  readonly elapsedMs: number;
  /** Absent where the number of cases alone ends it. */
  readonly leftMs?: number;
  /** Absent where the time alone ends it. */
  readonly leftCases?: number;
  readonly requests: number;
  /** By kind of answer, as `400 invalid`. */
  readonly answers: {
    readonly [k: string]: number;
  };
  readonly findings: number;
}
/** The case of a campaign that showed a finding; absent for what only the whole history shows. */
export interface FindingCase {
  /** Clause and part of the rule: what a campaign gathers findings by. */
  readonly root: string;
  /** The same of what its answer broke beside it. */
  readonly companions?: readonly string[];
  readonly label: string;
  readonly phase: Phase;
  /** Calls that showed it so far. */
  readonly calls: readonly string[];
  /** True for what the corpus knew already. */
  readonly isInCorpus: boolean;
  /** When the first case showed it, in ms since the beginning; absent in streams of older suites. */
  readonly firstMs?: number;
  /** Name of the file that keeps the request, in the folder of failures. */
  readonly file: string;
}
/** The beginning of a body, or a part of it. */
export interface Excerpt {
  readonly text: string;
  /** True where `text` tells of what is long in it, in place of that: items of a page by their sequences, a text by its length. */
  readonly isOutline?: true;
  /** The place of the JSON object that `text` is, as `messages[3].author`; absent for the beginning of the body. */
  readonly path?: string;
  readonly totalBytes: number;
  readonly isCut: boolean;
}
/** An exchange as evidence: bounded, secrets removed, other people's words as lengths and digests. */
export interface EvidenceExchange {
  readonly id: number;
  readonly actor: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: {
      readonly [k: string]: string;
    };
    readonly body?: Excerpt;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: {
      readonly [k: string]: readonly string[];
    };
    readonly body?: Excerpt;
  };
  readonly fault?: string;
  /** ISO 8601; absent in streams of older suites. */
  readonly startedAt?: string;
  readonly durationMs: number;
  /** A line for a shell that sends the request again; takes the token from the environment. */
  readonly curl?: string;
  /** Why there is no such line, as a clause. */
  readonly whyNoCurl?: string;
}
/** One of the clauses of a finding, at its own level. */
export interface BrokenClause {
  readonly clause: string;
  readonly level: 'must' | 'inferred' | 'silent';
  readonly verdict: BrokenVerdict;
  /** The check that saw it broken first. */
  readonly check: string;
  /** Id of the exchange that decided it; absent where exchanges alone do not show it. */
  readonly decidedBy?: number;
  /** That exchange, where neither the finding nor a clause before this one has it. */
  readonly exchange?: EvidenceExchange;
  /** Why the baseline expects it, in a campaign: what came with it may be new. */
  readonly known?: string;
}
/** A place in a body where a finding shows. */
export interface FaultPlace {
  readonly clause: string;
  /** The call whose answer has it. */
  readonly call: string;
  /** As `messages[3].created_at`; empty for the body as a whole. */
  readonly path: string;
  readonly actual: string;
}
export interface OperatorChange {
  /** In words: a credential revoked. */
  readonly text: string;
  /** The first request of the finding that came after it, from 1 on. */
  readonly before: number;
}
export interface TimelineOperation {
  /** A client of a concurrent run; `operator` for a restart and the like. */
  readonly client: string;
  readonly outcome: 'accepted' | 'refused' | 'indeterminate' | 'change';
  /** In ms since the first of them began. */
  readonly startMs: number;
  readonly endMs: number;
  /** What it was, and what came of it. */
  readonly text: string;
  /** Of those that show the finding. */
  readonly letter?: string;
  /** Of those, the one that caused it. */
  readonly isCause?: true;
}
/** What clients and the operator did: that which shows a finding, and what went on around it, by time. */
export interface Timeline {
  /** Those that show the finding, and others that ended shortly before or after them; bounded. */
  readonly operations: readonly TimelineOperation[];
}
/** A clause was seen broken, or several for one cause. One event per cause, and apart for what is known, or not scored; later sightings are counted in the footer's `alsoSeenBy`. */
export interface FindingEvent {
  readonly type: 'finding';
  /** `F1`, `F2`, … in the order told: what is stated first. */
  readonly id: string;
  /** The gravest of those that are broken. */
  readonly clause: string;
  readonly level: 'must' | 'inferred' | 'silent';
  readonly verdict: BrokenVerdict;
  /** The clause's text, so that a stream reads without the register. */
  readonly text: string;
  /** Where the contract says it, as `Message, row author`. */
  readonly source: string;
  /** The check that saw it; of a campaign, the family of the case, or the check of its whole history. */
  readonly check: string;
  readonly case?: FindingCase;
  /** The check whose exchange showed it, when `check` only watches what others receive. */
  readonly metIn?: string;
  /** Every clause that the same cause breaks, `clause` first; absent where it is the only one. */
  readonly clauses?: readonly BrokenClause[];
  /** Where in bodies it shows, one for each broken rule of a schema; absent where none is at fault. */
  readonly places?: readonly FaultPlace[];
  /** The request behind a finding: the send that made the message at fault, or the one that was answered wrongly. */
  readonly cause?: {
    /** The check that sent it. */
    readonly check: string;
    /** Its exchange, among those of the finding. */
    readonly exchange: number;
  };
  /** What hooks changed before what shows it, in the check that saw it. */
  readonly changes?: readonly OperatorChange[];
  /** What judges of histories call it, as `late-commit`; absent for what others found. */
  readonly anomaly?: string;
  readonly expected: string;
  readonly actual: string;
  /** Times seen out of times tried: 2 of 2 repeats, 1 of 2 is intermittent; a campaign counts only the tries after the first. Without `of` nobody knows how often it could have been seen. */
  readonly seen: {
    readonly times: number;
    readonly of?: number;
  };
  readonly exchanges: readonly EvidenceExchange[];
  /** Id of the one of these that decides; absent where it is the last, or that with the status that was got. */
  readonly decidedBy?: number;
  readonly timeline?: Timeline;
  /** False where its check, run once more by itself when the run had ended, did not show it: it takes all that the run did. */
  readonly showsAlone?: false;
  /** Why the baseline expects it. */
  readonly known?: string;
  /** False when the requirement set does not have the check. */
  readonly isScored?: false;
}
/** What the server does where the contract is silent. */
export interface ObservationEvent {
  readonly type: 'observation';
  readonly check: string;
  /** Stable slug of what was observed. */
  readonly name: string;
  readonly clause: string;
  readonly value: string;
}
/** Counted by verdict; what is known, not scored or does not apply is counted there alone, and only when there is any. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly inconclusive: number;
  readonly known?: number;
  readonly notScored?: number;
  readonly notApplicable?: number;
}
/** What the run cost the server. */
export interface Footprint {
  readonly requests: number;
  /** Most requests that had to follow one another: those of preflight and of one attempt at one check. */
  readonly longestChain?: number;
  /** The check of that attempt. */
  readonly longestChainIn?: string;
  /** Accepted sends: they stay on the server, unless that was started for a scenario alone. */
  readonly messages: number;
  /** Bytes of the bodies of what was written; of the contents of messages alone where a history is all there is. */
  readonly bytesWritten: number;
}
/** The first server error of a run: one alone is no finding. */
export interface FirstServerError {
  /** Method and address. */
  readonly request: string;
  readonly status: number;
  /** When it was sent, since the run began. */
  readonly sinceMs: number;
}
export interface RetriedAfter {
  /** As `connection reset`. */
  readonly what: string;
  readonly times: number;
}
/** A limit that answers with 429 showed. */
export interface LimitedBy {
  /** A role, or what else was limited, in words. */
  readonly who: string;
  readonly times: number;
  /** Requests a second that were let in from the first refusal on, pauses included; absent where it slowed nobody. */
  readonly ratePerSecond?: number;
  /** True when at some time nothing was let in for so long that the limit was no longer waited for. */
  readonly isEndless: boolean;
}
export interface CallLatency {
  readonly call: string;
  readonly requests: number;
  /** Median, and what 95 of 100 answers did not exceed, in ms. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}
export interface SlowCheck {
  readonly check: string;
  /** All attempts together, in ms. */
  readonly durationMs: number;
  /** Ms of it in which hooks worked, requests waited for their turn under a limit, or another check made what both need. */
  readonly heldMs: number;
}
/** How the server answered the requests of a run, those of preflight not counted. */
export interface TrafficSummary {
  /** Answers with a 429 that no check had asked for, and answers with any 5xx. */
  readonly limited: number;
  readonly serverErrors: number;
  readonly firstServerError?: FirstServerError;
  /** Requests that were sent again after trouble on the way. */
  readonly retries: number;
  /** After what, the most frequent first. */
  readonly retriedAfter?: readonly RetriedAfter[];
  /** Whose requests were limited, whoever was most often first. */
  readonly limits: readonly LimitedBy[];
  /** By call, the most frequent first; long polls are left out. */
  readonly latencies: readonly CallLatency[];
  /** Checks that took longest by their own clocks, the slowest first. */
  readonly slowest: readonly SlowCheck[];
}
/** What the calls of one hook have cost, those that failed included. */
export interface HookCost {
  readonly hook: string;
  readonly calls: number;
  /** Of all calls together; several run at one time. */
  readonly durationMs: number;
}
/** How many of the situations that a clause declares arose in a run. */
export interface ClauseSituations {
  readonly clause: string;
  /** What they are made of: a situation is a pair of values of these, or, of a clause about access, a value of each. */
  readonly along: readonly string[];
  readonly declared: number;
  readonly seen: number;
  /** Some of those that never arose, as `limit 99, reader peer`. */
  readonly missing: readonly string[];
}
/** A bound that the contract sets, and how often a run reached it. */
export interface BoundReached {
  /** What is bounded, as `limit of mentions`. */
  readonly of: string;
  /** The value at it, as `100`. */
  readonly at: string;
  /** `allowed` and `forbidden` values of requests, the last and the first of their kind; `shown` in an answer. */
  readonly side: 'allowed' | 'forbidden' | 'shown';
  readonly clause: string;
  /** Requests that asked with it, or answers that showed it. */
  readonly times: number;
}
/** In what a run put clauses to the test, whatever came of it. */
export interface RunCoverage {
  /** By clause, each that declares in what it could be broken. */
  readonly situations: readonly ClauseSituations[];
  /** Bounds of the contract: requests that asked with the value at one, answers that showed it. */
  readonly bounds: readonly BoundReached[];
}
/** What trouble did to a run. */
export interface RunTrouble {
  /** Why the run is incomplete: what happened and when, and what stayed inconclusive. Absent for a complete run. */
  readonly text?: string;
  /** When it was first met, in ms since the checks began. */
  readonly atMs: number;
  /** Must clauses with checks of their own that the target enables, and those of them that trouble kept open. */
  readonly enabled: number;
  readonly open: number;
  /** What was met most often. */
  readonly mostly?: {
    readonly text: string;
    readonly kind: TroubleKind;
    readonly clauses: number;
    readonly exchange?: EvidenceExchange;
  };
}
/** A clause that had to be decided and was not. */
export interface RequiredClause {
  readonly clause: string;
  readonly reason: string;
  /** What in the target would enable it. */
  readonly enable?: string;
}
/** A limit of what 95 of 100 answers to a call take. `failed`: they took longer. `inconclusive`: no complete answer came. It is no verdict about the contract. */
export interface LatencyGate {
  readonly call: string;
  readonly maxP95Ms: number;
  readonly requests: number;
  readonly p95Ms?: number;
  readonly verdict: 'passed' | 'failed' | 'inconclusive';
}
/** A known failure that no longer fails. */
export interface StaleEntry {
  /** `file:line:column`. */
  readonly place: string;
  readonly check?: string;
  /** With the part of it that is broken, where the entry is about a campaign's finding. */
  readonly clause?: string;
  /** `passed`: it was decided and not broken. `expired`: its last day is over. */
  readonly problem: 'passed' | 'expired';
  readonly reason: string;
  /** Last day on which it held, as `2026-01-31`. */
  readonly expires?: string;
}
/** What the server does otherwise than was kept; `was` or `is` is absent when it was not observed. */
export interface SnapshotChange {
  readonly check: string;
  readonly name: string;
  readonly was?: string;
  readonly is?: string;
}
/** How often the kept request showed it when it was sent again at the very end, among all that the server held then; absent where that was not tried. */
export interface SeenAgain {
  readonly times: number;
  readonly of: number;
}
/** What a campaign had seen of a finding when it ended. */
export interface SeenByTheEnd {
  /** Cases that showed it. */
  readonly sightings: number;
  /** Clauses that the same answers break, the one of the finding first, and the calls that show it. */
  readonly clauses: readonly string[];
  readonly calls: readonly string[];
  /** Why the baseline expects it: then it decides nothing. */
  readonly known?: string;
  readonly again?: SeenAgain;
}
export interface PaceSlice {
  /** Cases that came to a judgement. */
  readonly judged: number;
  /** All cases, by how they were answered. */
  readonly answers: {
    readonly [k: string]: number;
  };
}
/** The cases of a campaign in slices of time of one length, some sixty at most, the first from its beginning on. */
export interface Pace {
  readonly sliceMs: number;
  readonly slices: readonly PaceSlice[];
}
/** How many boundary values an input has, and how many cases of them were judged. */
export interface BoundariesTried {
  readonly declared: number;
  readonly judged: number;
}
/** What a campaign came to. */
export interface CampaignTotals {
  /** `out-of-time`: the time was over before the first case. */
  readonly end: CampaignEnd | ('not-run' | 'out-of-time');
  /** Cases that were sent, those that came to a judgement, and those that trouble on the way or a limit kept from one. */
  readonly cases: number;
  readonly judged: number;
  readonly inconclusive: number;
  /** Those in trouble to which no complete answer came. */
  readonly unanswered: number;
  /** Refusals and errors that came up when the time was over, and count only once they were tried again; absent where there was none. */
  readonly untried?: number;
  /** Cases that were accepted and cases that were refused as they had to be. */
  readonly kept: {
    readonly accepted: number;
    readonly refused: number;
  };
  /** Messages that were read back and compared, and refused ones whose absence was proved. */
  readonly readBack: {
    readonly compared: number;
    readonly absent: number;
    readonly inconclusive: number;
  };
  readonly answers: {
    readonly [k: string]: number;
  };
  readonly byFamily: {
    readonly [k: string]: number;
  };
  /** Families that were not asked for, or could not be, with the reason. */
  readonly leftOut: {
    readonly [k: string]: string;
  };
  /** Roots of the corpus that no longer fail. */
  readonly fixed: readonly string[];
  /** Finding id → what was seen of it by the end. */
  readonly seen: {
    readonly [k: string]: SeenByTheEnd;
  };
  readonly pace?: Pace;
  /** By input, as `mentions limit`: its boundary values, and those of them that came to a judgement. */
  readonly boundaries?: {
    readonly [k: string]: BoundariesTried;
  };
}
/** How the run ended and what it came to. */
export interface FooterEvent {
  readonly type: 'footer';
  /** `bailed`: it began no more checks once as many had failed as it was to take (`--bail`). */
  readonly end: 'complete' | 'interrupted' | 'bailed' | 'crashed';
  /** What cut it short, or crashed it. */
  readonly reason?: string;
  readonly exitCode: number;
  readonly checks: Tally;
  /** Every clause of the register, inconclusive ones too, or of a narrowed run those that it is about and those that it found broken, or of one that bailed those that it came to; `silent` and untestable ones are counted apart. */
  readonly clauses: {
    readonly must: Tally;
    readonly inferred: Tally;
    readonly silent: number;
    readonly untestable: number;
  };
  /** Finding id → the other checks that met the same clause broken. */
  readonly alsoSeenBy: {
    readonly [k: string]: readonly string[];
  };
  readonly footprint: Footprint;
  readonly traffic?: TrafficSummary;
  /** What the hooks that were called have cost; absent when none was. */
  readonly hooks?: readonly HookCost[];
  /** Time in ms in which the run did nothing but wait, by what it waited for. */
  readonly idleMs?: {
    readonly settle?: number;
    readonly arrival?: number;
    readonly longPoll?: number;
    readonly pause?: number;
    readonly hook?: number;
  };
  readonly durationMs: number;
  readonly coverage?: RunCoverage;
  readonly trouble?: RunTrouble;
  /** Clauses named by `--require` that stayed inconclusive. */
  readonly requiredInconclusive?: readonly RequiredClause[];
  /** Of each call that may not be slower than so much, what became of that; absent where none may not, and of a run that was cut short. */
  readonly latencyGates?: readonly LatencyGate[];
  /** Entries of the baseline that no longer hold: each of them fails the run. */
  readonly staleBaseline?: readonly StaleEntry[];
  /** What was observed beside what `--snapshot` keeps; absent when nothing was compared. */
  readonly snapshot?: {
    readonly file: string;
    /** Observations kept in the file. */
    readonly kept: number;
    readonly changes: readonly SnapshotChange[];
  };
  readonly campaign?: CampaignTotals;
}
