/** What clients did around what a finding is about, by time. */
export interface Timeline {
  /** Those that show the finding, and others that ended shortly before or after them; bounded. */
  readonly operations: readonly TimelineOperation[];
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
}
