/** Every error the project throws on purpose: a stable code, and words that say what, where and what to do. */
export class ConformError extends Error {
  /** Stable and greppable, for example `TARGET_INVALID`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The command line or the target file is wrong: exit 2. */
export class InvalidTarget extends ConformError {
  constructor(message: string, options?: ErrorOptions) {
    super('TARGET_INVALID', message, options);
  }
}

/** A mistake of ours, never to be reported as the server's: exit 4. */
export class SuiteBug extends ConformError {
  constructor(message: string, options?: ErrorOptions) {
    super('SUITE_BUG', message, options);
  }
}

/** A hook of the operator did not do what it is for: the run concludes nothing, exit 3. */
export class HookFailed extends ConformError {
  /** True when the run or the check ended first: no fault of the hook. */
  readonly isInterrupted: boolean;
  /** True for what may go well another time: a status, a time limit, no output. Not for an answer of a wrong shape. */
  readonly isTrouble: boolean;

  constructor(
    message: string,
    { isInterrupted = false, isTrouble = false }: { isInterrupted?: boolean; isTrouble?: boolean } = {},
  ) {
    super('HOOK_FAILED', message);
    this.isInterrupted = isInterrupted;
    this.isTrouble = isTrouble;
  }
}
