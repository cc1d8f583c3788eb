/** Which part of a campaign a case is of. */
export type Phase = 'corpus' | 'boundaries' | 'random';

/**
 * How a campaign ended. `server-gone`: connections are no longer taken, or end without an answer; `server-silent`: for a
 * long while there was no answer to anything. `server-limits`: a limit that was waited out for long lets nothing in.
 * `access-lost`: a credential opens nothing any more of what it opened at the beginning.
 */
export type CampaignEnd =
  | 'complete'
  | 'interrupted'
  | 'server-gone'
  | 'server-silent'
  | 'server-limits'
  | 'access-lost';

/** What makes a campaign the one that it is. */
export interface CampaignHeader {
  readonly seed: number;
  /** As `i/n`, 1-based; several where campaigns were merged. */
  readonly shards: readonly string[];
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
  readonly answers: Readonly<Record<string, number>>;
  readonly findings: number;
}

/** The case of a campaign that showed a finding. */
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

/** What a campaign came to. */
export interface CampaignTotals {
  /** `out-of-time`: the time was over before the first case. */
  readonly end: CampaignEnd | 'not-run' | 'out-of-time';
  /** Cases that were sent, those that came to a judgement, and those that trouble on the way or a limit kept from one. */
  readonly cases: number;
  readonly judged: number;
  readonly inconclusive: number;
  /** Those in trouble to which no complete answer came. */
  readonly unanswered: number;
  /** Cases that were accepted and cases that were refused as they had to be. */
  readonly kept: { readonly accepted: number; readonly refused: number };
  /** Messages that were read back and compared, and refused ones whose absence was proved. */
  readonly readBack: { readonly compared: number; readonly absent: number; readonly inconclusive: number };
  readonly answers: Readonly<Record<string, number>>;
  readonly byFamily: Readonly<Record<string, number>>;
  /** Families that were not asked for, or could not be, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Entries of the corpus that no longer fail. */
  readonly fixed: readonly string[];
  /** Finding id → what was seen of it by the end. */
  readonly seen: Readonly<Record<string, SeenByTheEnd>>;
  /** How the cases went over the time; absent in streams of older suites. */
  readonly pace?: Pace;
  /** By input, as `mentions limit`: its boundary values, and those of them that came to a judgement. */
  readonly boundaries?: Readonly<Record<string, BoundariesTried>>;
}

/** How many boundary values an input has, and how many cases of them were judged. */
export interface BoundariesTried {
  readonly declared: number;
  readonly judged: number;
}

/** How answers are told apart over the time. */
export const answerGroups = ['2xx', '4xx', '429', '5xx', 'other', 'none'] as const;
export type AnswerGroup = (typeof answerGroups)[number];

/** The cases of a campaign in slices of time of one length, some sixty at most, the first from its beginning on. */
export interface Pace {
  readonly sliceMs: number;
  readonly slices: readonly PaceSlice[];
}

export interface PaceSlice {
  /** Cases that came to a judgement. */
  readonly judged: number;
  /** All cases, by how they were answered. */
  readonly answers: Readonly<Partial<Record<AnswerGroup, number>>>;
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
}
