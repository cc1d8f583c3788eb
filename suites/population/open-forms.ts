import { isRecord } from '../../spec/calls/index.ts';
import type { Context } from '../../harness/check/context.ts';
import { sequencesOf } from '../../spec/oracles/pages/read-page.ts';
import type { Population } from './population.ts';
import type { PopulationRead } from './reads.ts';
import { copiesOf, isOfChannel, isOfFeed, type Copy } from './rule.ts';

type Observe = Context<never>['observe'];

/** Records the forms that the contract leaves open and that a population shows. */
export function observeOpenForms(observe: Observe, all: Population): void {
  const filled = all.reads.filter(({ items }) => items.length > 0);
  const channels = filled.filter(isOfChannel);
  observeNextAfter(observe, 'next_after of a page of a channel', {
    pages: channels,
    beyond: 'beyond the last message',
    at: 'the last message',
  });
  observeNextAfter(observe, 'next_after of a page of mentions', {
    pages: filled.filter(isOfFeed),
    beyond: 'beyond the last item',
    at: 'the last item',
  });
  if (channels.length > 0) {
    const isEnd = channels.every(({ highWatermark, nextAfter }) => highWatermark === nextAfter);
    observe(
      'page.high-watermark-meaning',
      'high_watermark of a page',
      isEnd ? 'that of the page' : 'beyond the page',
    );
  }
  observeOptionalFields(observe, copiesOf(all, isOfChannel));
  observeRepeats(observe, all);
}

/** Where the cursors of pages with items on them point; nothing where there is no such page. */
function observeNextAfter(
  observe: Observe,
  name: string,
  {
    pages,
    beyond,
    at,
  }: { readonly pages: readonly PopulationRead[]; readonly beyond: string; readonly at: string },
): void {
  if (pages.length === 0) return;
  const isBeyond = pages.some(({ items, nextAfter }) => nextAfter !== sequencesOf(items).at(-1));
  observe('page.next-after-beyond-the-items', name, isBeyond ? beyond : at);
}

/** Fields that a message may go without. */
function observeOptionalFields(observe: Observe, copies: readonly Copy[]): void {
  const bare = copies.find(
    ({ sent }) =>
      sent.targets.length === 0 &&
      sent.files.length === 0 &&
      sent.host === undefined &&
      sent.session === undefined,
  );
  if (bare === undefined) return;
  const { message } = bare.item;
  const author = isRecord(message['author']) ? message['author'] : {};
  observe('message.receipts.optional', 'receipts of a message nobody reported', formOf(message['receipts']));
  observe(
    'message.attachments.optional',
    'attachments of a message without files',
    formOf(message['attachments']),
  );
  observe(
    'message.mentions.optional',
    'mentions of a message that names nobody',
    formOf(message['mentions']),
  );
  observe('author.agent-host.optional', 'agent_host where none was reported', formOf(author['agent_host']));
  observe(
    'author.source-session.optional',
    'source_session where none was reported',
    formOf(author['source_session']),
  );
}

/** How often a page lists a message that names its reader in several ways. */
function observeRepeats(observe: Observe, all: Population): void {
  const several = copiesOf(all, (page) => isOfFeed(page) && page.reader === 'reader').filter(
    ({ sent }) => sent.case.target === 'several' && sent.case.sender === 'author',
  );
  const [first] = several;
  if (first === undefined) return;
  const times = several.filter(({ sent, page }) => sent === first.sent && page === first.page).length;
  observe(
    'mentions.several-matching-targets',
    'a message that names an agent and its human',
    times === 1 ? 'listed once' : `listed ${times} times`,
  );
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return value === undefined ? 'absent' : typeof value;
}
