import { CheckStopped } from '../../harness/verdict/outcome.ts';

/** What came of something, or another thing where it could not be arranged. */
export async function orElse<Result>(
  made: Promise<Result>,
  other: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof CheckStopped && error.stop.kind === 'unmet') return other();
    throw error;
  }
}

/** What came of something; `undefined` where a target cannot do it. */
export function arranged<Result>(make: () => Promise<Result>): Promise<Result | undefined> {
  return orElse<Result | undefined>(make(), () => undefined);
}

/** Whether something could be arranged. */
export function isArranged(made: Promise<unknown>): Promise<boolean> {
  return orElse(
    made.then(() => true),
    () => false,
  );
}
