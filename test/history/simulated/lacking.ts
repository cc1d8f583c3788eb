import type { History, Read } from '../../../history/operation.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { HistoryMutant } from '../../../selftest/histories/mutants.ts';
import { judgedOnce, simulateMutant } from './judged.ts';

/** What pages of a history lack, found the slow way: each page is held against every read there is. */
interface Lacking {
  /** Reads that pass over a message between their cursor and their end. */
  readonly passedOver: readonly Read[];
  /** Reads that deny what lies beyond their end. */
  readonly denied: readonly Read[];
}

/** A message at a place where its stream shows it, and the reads that do, or that show it elsewhere where it may stand twice. */
interface Shown {
  readonly sequence: Sequence;
  readonly reads: readonly Read[];
  readonly beside: ReadonlySet<Read>;
}

/** Straight from the definition, and as slow as that is. */
export function lackingIn({ facts, operations }: History): Lacking {
  const reads = operations.filter((each) => each.kind === 'read');
  const accepted = reads.filter(({ outcome, isBaseline }) => outcome === 'accepted' && isBaseline);
  const mayChange = operations.some((each) => each.kind === 'change' && each.change === 'deactivate');
  const judged = accepted.filter(({ call }) => call === 'channel-read' || !mayChange);
  const all = [...new Set(judged.map(({ stream }) => stream))].map((stream) => {
    const own = judged.filter((read) => read.stream === stream);
    const shown = shownBy(own);
    return own.map((read) => ({ read, ...lackingOn(read, shown, facts.settleMs) }));
  });
  return {
    passedOver: all.flat().flatMap(({ read, passesOver }) => (passesOver ? [read] : [])),
    denied: all.flat().flatMap(({ read, denies }) => (denies ? [read] : [])),
  };
}

function lackingOn(read: Read, shown: readonly Shown[], settleMs: number) {
  const { after, nextAfter, items, startedMs, endedMs, agent, call } = read;
  const sequences = items.flatMap(({ sequence }) => sequence ?? []);
  const [first] = sequences;
  const begin = after ?? first;
  const reach = [...sequences, nextAfter ?? 0, after ?? 0].reduce((most, each) =>
    each > most ? each : most,
  );
  const missing = shown.filter(
    ({ reads, beside }) =>
      !reads.includes(read) &&
      !beside.has(read) &&
      reads.some((other) => other.startedMs > endedMs + settleMs) &&
      (call === 'mentions' || reads.some((other) => other.agent === agent)),
  );
  return {
    passesOver: begin !== undefined && missing.some(({ sequence }) => sequence > begin && sequence <= reach),
    denies:
      read.hasMore === false &&
      missing.some(
        ({ sequence, reads }) =>
          sequence > reach && reads.some((other) => other.endedMs < startedMs - settleMs),
      ),
  };
}

interface Place {
  readonly id: string;
  readonly sequence: Sequence;
  readonly reads: Set<Read>;
  /** A feed may list a message once for each target of its reader. */
  readonly mayRepeat: boolean;
}

/** The messages of a stream that have one place, which no other message has. */
function shownBy(reads: readonly Read[]): readonly Shown[] {
  const places = new Map<string, Place>();
  for (const read of reads)
    for (const { sequence, message } of read.items) {
      const { id, targets } = message;
      if (sequence === undefined || id === undefined) continue;
      const key = `${id} ${sequence}`;
      const own = targets.filter((each) => !each.startsWith('agent:') || each === `agent:${read.agentId}`);
      const mayRepeat = read.call === 'mentions' && own.length > 1;
      const place = places.get(key) ?? { id, sequence, reads: new Set(), mayRepeat };
      places.set(key, place);
      place.reads.add(read);
    }
  const all = [...places.values()];
  return all
    .filter(
      (place) =>
        !all.some(
          (other) =>
            other !== place &&
            (other.sequence === place.sequence || (other.id === place.id && !place.mayRepeat)),
        ),
    )
    .map(({ id, sequence, mayRepeat, reads: by }) => {
      const beside = mayRepeat
        ? all.filter((other) => other.id === id).flatMap((other) => [...other.reads])
        : [];
      return { sequence, reads: [...by], beside: new Set(beside) };
    });
}

const passingOver: ReadonlySet<string> = new Set([
  'poll-skip',
  'late-commit',
  'newest-page-hole',
  'resurrection',
]);

/** What the judges find of what pages of a mutant lack, and what there is to be found: what is passed over, and what denied. */
export async function lackIn(mutant: HistoryMutant, seed: number) {
  const { history } = await simulateMutant(mutant, seed);
  const names = judgedOnce(history).anomalies.map(({ name }) => name);
  const { passedOver, denied } = lackingIn(history);
  const found = [names.some((name) => passingOver.has(name)), names.includes('has-more-false')];
  const isThere = [passedOver.length > 0, denied.length > 0];
  // Where an agent was deactivated, whose feed it is is not asked here: the judges may know more.
  const mayKnowMore = history.operations.some(
    (each) => each.kind === 'change' && each.change === 'deactivate',
  );
  return { found: mayKnowMore ? found.map((isFound, at) => isFound && isThere[at]) : found, isThere };
}
