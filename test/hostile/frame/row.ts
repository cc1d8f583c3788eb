import { alteredSend } from '../../fuzz/altered-send.ts';
import type { Reference } from '../../../reference/index.ts';
import type { OpenedServer } from '../../fixtures/front.ts';

/** Opens a server in front of a reference of the row's own. */
export type OpenServer = (reference: Reference) => Promise<OpenedServer>;

/** The fields of a target file. */
export type TargetFields = Readonly<Record<string, unknown>>;

/** Where a row's command runs: an empty folder with a target file, `conform.yaml`. */
export interface Room {
  readonly folder: string;
  readonly baseUrl: string;
  readonly target: TargetFields;
  /** Writes an input file, with its folders. */
  readonly write: (name: string, content: string | Buffer) => void;
}

/** What the standard output of a command is. */
export type Stdout =
  /** A pipe that is read to its end. */
  | 'read'
  /** A pipe whose reader leaves after the first line, as `head -1` does. */
  | 'first-line'
  /** A pipe that nobody reads. */
  | 'unread'
  /** A full disk. */
  | 'full'
  /** Closed from the beginning. */
  | 'closed'
  /** A terminal of so many columns. */
  | { readonly columns: number };

/** A signal, and so many ms after the first request it is sent. */
interface Interrupt {
  readonly signal: NodeJS.Signals;
  readonly afterMs: number;
}

/** What a row has to end in. */
export interface Expected {
  /** The exit code; of those that one line may lead to, several. */
  readonly exit: number | readonly number[];
  /** The one line for the user, wherever it stands and however it is broken. */
  readonly says: string | RegExp;
  /** What must not be said. */
  readonly never?: RegExp;
  /** Time that the command is given, in s; it has two more to end, and that of starting a process. */
  readonly budgetS?: number;
  /** Peak memory of the process, in MB. */
  readonly peakMb?: number;
  /** What must hold of the folder afterwards; resolves to what is wrong. */
  readonly leaves?: (room: Room) => readonly string[];
}

/** One hostile target or input, the command that meets it, and what is expected of that. */
export interface Row {
  /** A fact, in the present tense. */
  readonly name: string;
  /** The reference itself where nothing is said. */
  readonly server?: OpenServer;
  /** The target file in place of that of the reference. */
  readonly target?: (fields: TargetFields) => TargetFields;
  /** Prepares the folder. */
  readonly given?: (room: Room) => void;
  /** A run of one check where nothing is said. */
  readonly args?: readonly string[] | ((room: Room) => readonly string[]);
  readonly env?: Readonly<Record<string, string>>;
  readonly stdout?: Stdout;
  /** No file may grow beyond so many KB: a disk that fills up. */
  readonly diskKb?: number;
  readonly interrupt?: Interrupt;
  /** In a process of its own, for what others have left in memory: secrets that are known, or the memory itself. */
  readonly isAlone?: boolean;
  /** Secrets beside those of the target file that must not show. */
  readonly secrets?: readonly string[];
  /** Where it can run; everywhere if nothing is said. */
  readonly onlyWith?: 'dev-full' | 'script' | 'not-root' | 'openssl' | 'mkfifo';
  readonly expected: Expected;
}

/** What a row is but for its name. */
export type Meeting = Omit<Row, 'name'>;

/** Rows by their names. */
export function rows(table: Readonly<Record<string, Meeting>>): readonly Row[] {
  return Object.entries(table).map(([name, meeting]) => ({ name, ...meeting }));
}

/** The words of a command line without quotes. */
export function words(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '');
}

/** Lays a failure that a campaign has kept beside the target file: `failure.json`. */
export function givenFailure({ write }: Pick<Room, 'write'>): void {
  const failure = alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered');
  write('failure.json', JSON.stringify(failure));
}

/** A run of one check, which lists mentions, and takes about a second. */
export const oneCheck = words('--target conform.yaml --check mentions.limit-of-101-is-refused');
