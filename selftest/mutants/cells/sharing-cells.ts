import type { ClauseId } from '../../../spec/index.ts';
import type { OutgoingMessage, ReadFacts, StreamName } from '../../../reference/index.ts';
import { mutant, type Mutant } from '../base/mutant.ts';
import { askedCells, messageCells, messageOf, withinCell, type Cell } from './cell.ts';

/** What is kept from somebody that everybody else, or everything else, comes to. */
interface Fault {
  readonly slug: string;
  readonly what: string;
  readonly clause: ClauseId;
  readonly stream: StreamName;
  readonly isKeptBack: (message: OutgoingMessage, facts: ReadFacts) => boolean;
  readonly cells: readonly Cell[];
}

const anybodyElse = askedCells('reader').filter(({ slug }) => slug === 'reader-reader');

/** What is shown beside a message that is missing is plain, and names an agent. */
function isBesideThePlainest({ slug }: Cell): boolean {
  return !slug.endsWith('target-agent');
}

const sharingFaults: readonly Fault[] = [
  {
    slug: 'keeps-from-others',
    what: 'a channel shows messages to their author alone',
    clause: 'service.channels-are-shared',
    stream: 'channel',
    isKeptBack: ({ author }, { reader }) => author.id !== reader.id,
    // Somebody who is shown nothing of an author may have lost it to retention.
    cells: anybodyElse.flatMap((cell) =>
      withinCell(cell, ...messageCells('target', 'files', 'session', 'host')).filter(isBesideThePlainest),
    ),
  },
  {
    slug: 'keeps-the-second-channel',
    what: 'a feed lacks what stands in the second channel',
    clause: 'mentions.across-channels',
    stream: 'mentions',
    isKeptBack: ({ channel_id: id }, { isDefaultChannel }) => !isDefaultChannel(id),
    cells: messageCells('target').filter(isBesideThePlainest),
  },
];

/** Every message that is there for some, and kept from others in one cell alone. */
export const sharingCellMutants: readonly Mutant[] = sharingFaults.flatMap(
  ({ slug, what, clause, stream, isKeptBack, cells }) =>
    cells.map((cell) =>
      mutant(`cell-${stream}-${slug}-${cell.slug}`, clause, `${what} (${cell.when})`, {
        presentRead: ({ items, page }, facts) => ({
          items:
            facts.page.stream !== stream || !cell.isAsked(facts)
              ? items
              : items.filter((item) => {
                  const message = messageOf(item);
                  return !cell.isMessage(message) || !isKeptBack(message, facts);
                }),
          page,
        }),
      }),
    ),
);
