/** Clauses that a run can decide and that no server of ours breaks, each with the reason. */
export const unmutated: Readonly<Partial<Record<string, string>>> = Object.freeze({});
