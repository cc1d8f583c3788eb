/** What is wrong, as data: what a conforming server shows, and what this one showed. */
export interface Problem {
  readonly expected: string;
  readonly actual: string;
}

/** What a pure judgement came to. */
export interface Judgement {
  /** Comparisons made; 0 decides nothing. */
  readonly judged: number;
  readonly problems: readonly Problem[];
}

/** Nothing could be compared. */
export const inconclusive: Judgement = { judged: 0, problems: [] };

/** Judges each subject by itself; each counts as one comparison. */
export function judgeEach<T>(
  subjects: readonly T[],
  problemOf: (subject: T) => Problem | undefined,
): Judgement {
  return { judged: subjects.length, problems: subjects.flatMap((subject) => problemOf(subject) ?? []) };
}

/** Several judgements of one clause as one. */
export function allOf(judgements: readonly Judgement[]): Judgement {
  return {
    judged: judgements.reduce((sum, { judged }) => sum + judged, 0),
    problems: judgements.flatMap(({ problems }) => problems),
  };
}
