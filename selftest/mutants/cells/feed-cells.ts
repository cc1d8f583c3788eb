import type { MentionTarget } from '../../../spec/generated/types.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { OutgoingMessage, ReadFacts, Rules } from '../../../reference/index.ts';
import { mutant, type Mutant } from '../base/mutant.ts';
import { askedCells, messageCells, messageOf, type Cell } from './cell.ts';

/** Whom a feed lists too much to: the rules that let it in, and what may be there in the end. */
interface Fault {
  readonly slug: string;
  readonly what: string;
  readonly clause: ClauseId;
  readonly rules: Partial<Rules>;
  /** Whether a message is one that should not be listed. */
  readonly isWrong: (message: OutgoingMessage, facts: ReadFacts) => boolean;
  readonly cells: readonly Cell[];
}

/** The longest texts name somebody, and none their sender. */
const ofTexts = messageCells('text', 'length', 'files', 'type').filter(
  ({ slug }) => slug !== 'length-500-kB',
);
/** Which agent an API key acts as is left open, so that nobody knows what its feed must not list. */
const inAnyForm = askedCells('reader', 'cursor').filter(
  ({ slug }) => !['cursor-end', 'cursor-0', 'reader-api-key'].includes(slug),
);

const feedFaults: readonly Fault[] = [
  {
    slug: 'lists-what-it-sent',
    what: 'an agent is listed what it sent itself',
    clause: 'mentions.self-authored-excluded',
    rules: { isSelfAuthored: () => false },
    isWrong: ({ author }, { reader }) => author.id === reader.id,
    cells: [...ofTexts, ...inAnyForm.filter(({ slug }) => slug !== 'reader-peer')],
  },
  {
    slug: 'lists-a-broadcast',
    what: 'a message that names nobody is listed',
    clause: 'mentions.broadcasts-excluded',
    rules: { broadcastsReach: () => true },
    isWrong: ({ mentions }) => (mentions?.length ?? 0) === 0,
    cells: [...ofTexts, ...messageCells('session'), ...inAnyForm],
  },
  {
    slug: 'lists-what-names-another',
    what: 'a message that names another agent is listed',
    clause: 'mentions.other-targets-excluded',
    rules: {
      mentionedBy: (targets, _content, agents): readonly MentionTarget[] =>
        targets.some(({ kind }) => kind === 'agent')
          ? [...targets, ...agents().map(({ id }) => ({ kind: 'agent' as const, id }))]
          : targets,
    },
    isWrong: ({ mentions = [] }, { reader }) =>
      mentions.length > 0 &&
      !mentions.some(({ id }) => [reader.id, reader.humanUserId, reader.machineId].includes(id)),
    cells: [...ofTexts, ...messageCells('session'), ...inAnyForm],
  },
];

/** Every message that a feed must not list, in one cell alone. */
export const feedCellMutants: readonly Mutant[] = feedFaults.flatMap(
  ({ slug, what, clause, rules, isWrong, cells }) =>
    cells.map((cell) =>
      mutant(`cell-feed-${slug}-${cell.slug}`, clause, `${what} (${cell.when})`, {
        ...rules,
        presentRead: ({ items, page }, facts) => ({
          items:
            facts.page.stream === 'channel'
              ? items
              : items.filter((item) => {
                  const message = messageOf(item);
                  return !isWrong(message, facts) || (cell.isAsked(facts) && cell.isMessage(message));
                }),
          page,
        }),
      }),
    ),
);
