import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Target } from '../../harness/config/target.ts';
import { type AnswerHook, type ReferenceOptions, startReference } from '../../reference/index.ts';
import type { Mutant } from '../mutants/index.ts';
import type { Observation } from './observation.ts';

/** A server that the self-test starts on a free port of its own: the contract's, a mutant, a variant, a degenerate one. */
export interface Server {
  /** What kind of server and which: `mutant limit-ends-at-101`. No two have the same. */
  readonly id: string;
  readonly open: () => Promise<OpenServer>;
  /** What is seen of it, where that is not a run of checks. */
  readonly observe?: () => Promise<Observation>;
}

/** A running server and how to reach it, as every role it has. */
export interface OpenServer {
  readonly target: Target;
  /** The kinds of answer that it gave, where it counts them: `mentions` with something listed, `mentions refused`. */
  readonly answered?: ReadonlySet<string>;
  /** The lists with something in them that its answers carried, however deep: `mentions attachments`. */
  readonly carried?: ReadonlySet<string>;
  readonly close: () => Promise<void>;
}

/**
 * Time after which what is not visible counts as absent. The reference is on loopback and shows a message at once; the
 * longest delay that a mutant is meant to be killed by is longer than this.
 */
const serverSettleMs = 120;

/** The reference as it is; it knows what it answered. */
export const contractServer: Server = Object.freeze({
  id: 'contract',
  open: async () => {
    const [answered, carried] = [new Set<string>(), new Set<string>()];
    const answer: AnswerHook = ({ status, body }, { route }) => {
      if (status >= 400) answered.add(`${route} refused`);
      else if (route !== null) {
        if (listsSomething(body)) answered.add(route);
        for (const list of filledLists(body)) carried.add(`${route} ${list}`);
      }
    };
    return { ...(await openReferenceWith({ answer })), answered, carried };
  },
});

/** The reference with one clause broken. */
export function mutantServer({ id, options }: Mutant): Server {
  return { id: `mutant ${id}`, open: () => openReferenceWith(options()) };
}

/** A target that a campaign may send as many bytes as it likes. */
export function withoutByteLimit(target: Target): Target {
  return { ...target, limits: { ...target.limits, maxBytes: Number.MAX_SAFE_INTEGER } };
}

async function openReferenceWith(options: ReferenceOptions): Promise<OpenServer> {
  const reference = await startReference(options);
  return {
    target: { ...targetOfReference(reference), settleMs: serverSettleMs },
    close: () => reference.close(),
  };
}

function listsSomething(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).some((value) => Array.isArray(value) && value.length > 0);
}

/** The names of the lists within a value, however deep, that have something in them. */
function filledLists(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    ...(Array.isArray(inner) && inner.length > 0 ? [name] : []),
    ...filledLists(inner),
  ]);
}
