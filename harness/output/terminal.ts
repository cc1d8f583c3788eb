import { styleText } from 'node:util';
import type { KnownSecrets } from './known-secrets.ts';
import { type Shown, shownLines } from './printable.ts';

/** Where a report is written. */
export interface TerminalOutput {
  write(text: Shown): unknown;
  /** Asked again for each thing printed, since a window may be resized. */
  readonly columns?: number | undefined;
  /** Whether lines may be rewritten in place. */
  readonly isTTY?: boolean | undefined;
}

type Stream = Pick<NodeJS.WriteStream, 'write'> &
  Partial<Pick<NodeJS.WriteStream, 'columns' | 'isTTY' | 'writableLength'>>;

/** The only way to standard output, or to standard error: no secret passes, and nothing that a terminal obeys. */
export class Terminal implements TerminalOutput {
  #stream: Stream;
  /** What was written to before. */
  #left: Stream | undefined;
  readonly #secrets: KnownSecrets;
  readonly #env: NodeJS.ProcessEnv;

  constructor(stream: Stream, secrets: KnownSecrets, env: NodeJS.ProcessEnv = process.env) {
    this.#stream = stream;
    this.#secrets = secrets;
    this.#env = env;
  }

  /** What a reporter has made; secrets are looked for once more. */
  write(text: Shown): void {
    this.#stream.write(this.#secrets.clean(text));
  }

  /** Text of one line or more, whoever wrote it. */
  say(text: string): void {
    this.#stream.write(shownLines(this.#secrets.clean(text)));
  }

  /** Writes to another stream from now on, since something else is to have this one. */
  turnTo(stream: Stream): void {
    this.#left = this.#stream;
    this.#stream = stream;
  }

  /** True while somebody is to read on, also of what was written to before. */
  get hasUnread(): boolean {
    return [this.#stream, this.#left].some((stream) => (stream?.writableLength ?? 0) > 0);
  }

  get columns(): number | undefined {
    return this.#stream.columns;
  }

  /** False too where the terminal, or its user, wants no codes. */
  get isTTY(): boolean {
    return this.#stream.isTTY === true && !this.#wantsNoCodes;
  }

  /** Follows `NO_COLOR`, `FORCE_COLOR` and whether the output is a terminal, as Node itself judges them. */
  get hasColor(): boolean {
    if (this.#env['TERM'] === 'dumb') return false;
    return styleText('red', 'x', { stream: this.#stream as NodeJS.WriteStream }) !== 'x';
  }

  get #wantsNoCodes(): boolean {
    return this.#env['TERM'] === 'dumb' || (this.#env['NO_COLOR'] ?? '') !== '';
  }
}
