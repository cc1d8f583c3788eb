import type { Always } from '../../harness/check/context.ts';
import type { NeedName } from '../../harness/config/capabilities.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { allOf, type Judgement } from '../../spec/oracles/values/judgement.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Population } from './population.ts';
import type { PopulationRead } from './reads.ts';
import type { Sent } from './sent.ts';
import { remembered } from '../../spec/groups.ts';

/** What a rule comes to, with the exchanges that show its first problem, the cause first. */
export interface Verdict extends Judgement {
  readonly evidence: readonly Exchange[];
  /** Why nothing can be said of some of it; `undefined` where all was judged. */
  readonly open?: string | undefined;
}

/** A rule that is held against all that was read of a population. */
export interface Rule {
  readonly clause: ClauseId;
  /** Ends the id of its check. */
  readonly slug: string;
  /** A sentence that is true of a conforming server. */
  readonly title: string;
  /** What it needs beside a population. */
  readonly needs: readonly NeedName[];
  /** The call whose every form its check brings about, for the judges of the history. */
  readonly shows?: 'channel-read' | 'mentions';
  readonly judge: (population: Population) => Verdict;
}

/** A message as a page of a channel or a feed showed it. */
export interface Copy {
  readonly item: PageItem;
  readonly sent: Sent;
  readonly page: PopulationRead;
}

/** Several verdicts as one; the first that has a problem gives the evidence. */
export function together(verdicts: readonly Verdict[]): Verdict {
  const wrong = verdicts.find(({ problems }) => problems.length > 0) ?? verdicts[0];
  const open = verdicts.find((each) => each.open !== undefined)?.open;
  return { ...allOf(verdicts), evidence: wrong?.evidence ?? [], open };
}

/** Judges each thing by itself. */
export function each<Thing>(
  things: readonly Thing[],
  judge: (thing: Thing) => Judgement,
  evidenceOf: (thing: Thing) => readonly Exchange[],
): Verdict {
  const judgements = things.map(judge);
  const wrong = things.find((_, index) => (judgements[index]?.problems.length ?? 0) > 0) ?? things[0];
  return { ...allOf(judgements), evidence: wrong === undefined ? [] : evidenceOf(wrong) };
}

/** Holds a clause to a verdict. Where it found nothing wrong and left something open, the check stays inconclusive. */
export function expectVerdict(
  { expect }: Pick<Always, 'expect'>,
  clause: ClauseId,
  { evidence, open, ...judgement }: Verdict,
): void {
  expect.judgement(clause, judgement, ...evidence);
  if (judgement.problems.length === 0 && open !== undefined) unmet(open);
}

const known = new WeakMap<Population, readonly Copy[]>();

/** Every item of the population on some of its pages. */
export function copiesOf(all: Population, isMeant: (page: PopulationRead) => boolean): readonly Copy[] {
  return remembered(known, all, () => copiesIn(all)).filter(({ page }) => isMeant(page));
}

function copiesIn({ sentOf, reads }: Population): readonly Copy[] {
  return reads.flatMap((page) =>
    page.items.flatMap((item) => {
      const sent = sentOf(item);
      return sent === undefined ? [] : [{ item, sent, page }];
    }),
  );
}

export function isOfChannel({ of }: PopulationRead): boolean {
  return of !== 'feed';
}

export function isOfFeed({ of }: PopulationRead): boolean {
  return of === 'feed';
}
