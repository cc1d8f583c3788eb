import { isUuid, maxTargets, validate, type ClauseId } from '../../spec/index.ts';
import type { Operation, Send } from '../operation.ts';
import { leavesOut, type SeenMessage } from '../seen-message.ts';
import { mayBeOut, servedAround } from './changes.ts';
import { addTo } from '../../spec/groups.ts';
import type { World } from './world.ts';

/** What is wrong with a field; `undefined` where nothing can be said. */
type FieldVerdict =
  | 'right'
  | {
      readonly expected: string;
      readonly actual: string;
      readonly witness?: readonly Operation[];
      /** True for something that nobody sent: wrong even where the server may not know the field's name in a send. */
      readonly isExtra?: true;
      /** True where the message shows no such field at all. */
      readonly isLeftOut?: boolean;
    }
  | undefined;

/** What a verdict about a field needs besides the send and the message. */
interface Known {
  readonly world: World;
  readonly files: KnownFiles;
}

/** A field that a message keeps as it was sent. */
export interface Captured {
  readonly name: `wrong-${'content-type' | 'targets' | 'files' | 'session' | 'host'}`;
  readonly clauseOf: (send: Send) => ClauseId;
  readonly problemOf: (send: Send, message: SeenMessage, known: Known) => FieldVerdict;
}

/** The contract has no more files than these. */
const mostFiles = 20;
const longestHost = 80;
/** What no server has a reason to change: no blanks at the ends, no controls, nothing that is composed in two ways. */
const steadyHost = /^[^\s\p{C}\p{M}](?:[^\p{C}\p{M}]*[^\s\p{C}\p{M}])?$/u;

/** Every field that a message keeps. */
export const captured: readonly Captured[] = [
  {
    name: 'wrong-content-type',
    clauseOf: ({ contentType }) =>
      contentType === undefined ? 'message.content-type.default' : 'message.content-type.kept',
    problemOf: ({ contentType }, message) => {
      if (message.contentType === undefined || contentType === '') return undefined;
      const isSame =
        contentType === undefined
          ? message.contentType === 'text/plain'
          : plain(contentType) === plain(message.contentType);
      return isSame
        ? 'right'
        : { expected: `content_type ${contentType ?? 'text/plain'}`, actual: message.contentType };
    },
  },
  { name: 'wrong-targets', clauseOf: () => 'message.mentions.captured', problemOf: targetsProblem },
  { name: 'wrong-files', clauseOf: () => 'message.attachments.captured', problemOf: filesProblem },
  { name: 'wrong-session', clauseOf: () => 'source-session.valid-is-accepted', problemOf: sessionProblem },
  {
    name: 'wrong-host',
    clauseOf: () => 'author.agent-host.captured-at-write',
    problemOf: ({ host }, { author }) => {
      if (host === undefined || author === undefined) return undefined;
      if (host.length > longestHost || !steadyHost.test(host) || host !== host.normalize('NFKC'))
        return undefined;
      return author.host === host
        ? 'right'
        : {
            expected: `host ${host}`,
            actual: `host ${author.host ?? 'none'}`,
            isLeftOut: author.host === undefined,
          };
    },
  },
];

/** Files that are known to have been there. */
export class KnownFiles {
  /** What showed that each was there. */
  readonly #known = new Map<string, Operation>();
  /** When each was first said to be gone. */
  readonly #goneMs = new Map<string, number>();
  /** The workspaces whose messages show each. */
  readonly #workspaces = new Map<string, Set<string | undefined>>();
  readonly #principals: World['principals'];

  constructor({ streams, changes, principals }: World) {
    this.#principals = principals;
    for (const { all } of streams.values())
      for (const { item, knownBy } of all)
        for (const file of item.message.files) {
          if (!this.#known.has(file)) this.#known.set(file, knownBy);
          addTo(this.#workspaces, file, item.message.workspace);
        }
    for (const operation of changes) {
      const { change, subject, startedMs, detail } = operation;
      if (change !== 'file' || subject === undefined) continue;
      if (!this.#known.has(subject)) this.#known.set(subject, operation);
      if (detail !== undefined && !this.#goneMs.has(subject)) this.#goneMs.set(subject, startedMs);
    }
  }

  /** Whether a send can attach a file: it was there, not in another workspace alone, and nothing had been done to it before the send ended. */
  isThere(file: string, { channel, endedMs }: Send): boolean {
    const home = this.#principals.workspaceOfChannel(channel);
    const workspaces = this.#workspaces.get(file);
    const isElsewhere = home !== undefined && workspaces?.has(home) === false;
    const goneMs = this.#goneMs.get(file) ?? Number.POSITIVE_INFINITY;
    return this.#known.has(file) && !isElsewhere && goneMs > endedMs;
  }

  /** What showed that a file was there. */
  witnessOf(file: string): readonly Operation[] {
    const known = this.#known.get(file);
    return known === undefined ? [] : [known];
  }
}

/**
 * A target that was never sent is wrong, unless an @ in the text may stand for it; one that was, and is no principal that answers showed in
 * this workspace, or was out of use then, may have been dropped.
 */
function targetsProblem(send: Send, message: SeenMessage, { world }: Known): FieldVerdict {
  const { targets: shown } = message;
  const { targets } = send;
  if (targets.length > maxTargets) return undefined;
  const extra = shown.find((target) => !targets.includes(target));
  // How a client names them is not shown: of what others sent nobody knows all the ways.
  if (extra !== undefined && (world.history.facts.isPartial === true || send.content?.hasAt === true))
    return undefined;
  if (extra !== undefined)
    return { expected: `only the targets ${listed(targets)}`, actual: extra, isExtra: true };
  const missing = targets.find((target) => isValid(target) && !shown.includes(target));
  if (missing === undefined) return targets.length > 0 ? 'right' : undefined;
  const { principals } = world;
  if (!principals.isKnown(missing) || !principals.isOfChannel(missing, send.channel)) return undefined;
  const id = missing.slice(missing.indexOf(':') + 1);
  if (mayBeOut(world, id, send)) return undefined;
  // Who was out of use then, traffic does not tell.
  const span = { fromMs: send.startedMs, toMs: send.endedMs };
  const around = world.history.facts.isPartial === true ? servedAround(world, id, span) : [];
  if (around === undefined) return undefined;
  return {
    expected: `the target ${missing}`,
    actual: `it is missing; shown: ${listed(shown)}`,
    isLeftOut: leavesOut(message, 'targets'),
    witness: [...world.principals.witnessOf(missing), ...around],
  };
}

function isValid(target: string): boolean {
  return /^(?:agent|user|machine):/.test(target) && isUuid(target.slice(target.indexOf(':') + 1));
}

function filesProblem(send: Send, message: SeenMessage, { files, world }: Known): FieldVerdict {
  const { files: shown } = message;
  // How a client names them is not shown, nor does traffic tell what somebody did to a file meanwhile.
  if (send.files.length > mostFiles || world.history.facts.isPartial === true) return undefined;
  const extra = shown.find((file) => !send.files.includes(file));
  if (extra !== undefined)
    return { expected: `only the files ${listed(send.files)}`, actual: extra, isExtra: true };
  const missing = send.files.find((file) => !shown.includes(file));
  if (missing === undefined) return send.files.length > 0 ? 'right' : undefined;
  if (!files.isThere(missing, send)) return undefined;
  return {
    expected: `the file ${missing}`,
    actual: `it is missing; shown: ${listed(shown)}`,
    isLeftOut: leavesOut(message, 'files'),
    witness: files.witnessOf(missing),
  };
}

/** A session that breaks a rule may be refused or left out. */
function sessionProblem({ session }: Send, { author }: SeenMessage): FieldVerdict {
  if (session === undefined || author === undefined || !isValidSession(session)) return undefined;
  return author.session === session
    ? 'right'
    : {
        expected: `the source session ${session}`,
        actual: author.session ?? 'none',
        isLeftOut: author.session === undefined,
      };
}

const validSessions = new Map<string, boolean>();
/** So many verdicts about sessions are kept. */
const mostSessions = 10_000;

function isValidSession(session: string): boolean {
  const known = validSessions.get(session);
  if (known !== undefined) return known;
  const isValidOne = validate('source-session', objectIn(session)).length === 0;
  if (validSessions.size < mostSessions) validSessions.set(session, isValidOne);
  return isValidOne;
}

/** A session is written as an object, or as a list of names and values. */
function objectIn(session: string): unknown {
  try {
    const value: unknown = JSON.parse(session);
    return Array.isArray(value) ? Object.fromEntries(value as [string, unknown][]) : value;
  } catch {
    return undefined;
  }
}

/** The letter case and the blanks of a media type say nothing. */
function plain(contentType: string): string {
  return contentType.toLowerCase().replaceAll(/\s/g, '');
}

/** Of more names the first few are told. */
const mostListed = 5;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  if (names.length <= mostListed) return names.join(', ');
  return `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`;
}
