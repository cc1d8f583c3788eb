import { isUuid } from '../../spec/index.ts';
import type { ChannelView } from '../../harness/stream/channel-view.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { describeAnswer, unmet } from '../../harness/verdict/outcome.ts';
import type { Context } from '../../harness/check/context.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

async function expectPlace(
  { author, draft, expect, identities }: Context<'author'>,
  channel: ChannelView,
): Promise<void> {
  const placed = draft();
  const workspaceId = (await identities.workspaceId()).toLowerCase();
  const sent = await author.send(channel.id, placed.text);
  requireAccepted(sent);
  const item = await channel.arrival(placed);
  const [shownChannel, shownWorkspace] = [uuidIn(item, 'channel_id'), uuidIn(item, 'workspace_id')];
  expect.equal(
    'message.channel-id.is-its-channel',
    'channel_id',
    shownChannel,
    channel.id.toLowerCase(),
    sent,
  );
  expect.equal('message.workspace-id.is-its-workspace', 'workspace_id', shownWorkspace, workspaceId, sent);
}

/** The content type of a message in one spelling of those that mean the same. */
function mediaTypeIn(item: PageItem): string {
  return spelled(textIn(item, 'content_type'));
}

/** Letter case, blanks and quotes of a media type mean nothing. */
function spelled(mediaType: string): string {
  return mediaType.toLowerCase().replaceAll(/[\s"]/g, '');
}

/** A field that is text; where it is not, another clause speaks of that. */
function textIn({ message }: PageItem, field: string): string {
  const value = message[field];
  return typeof value === 'string' ? value : unmet(`a message shows no usable ${field}`);
}

/** A field that is a UUID, in lower case. */
function uuidIn(item: PageItem, field: string): string {
  const text = textIn(item, field);
  return isUuid(text) ? text.toLowerCase() : unmet(`a message shows no usable ${field}`);
}

/** What a message says of itself beside its content. */
export const messageFieldChecks: readonly Check[] = [
  // message.content-type.default: A message sent without a content type reads back as `text/plain`.
  check(
    'message.content-type-is-plain-text-or-what-was-sent',
    {
      title:
        'a message sent without a content type shows text/plain, one accepted with another shows that, parameters included',
      clauses: ['message.content-type.default', 'message.content-type.kept'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect, observe }) => {
      const [bare, markdown, flavoured] = [draft(), draft(), draft()];
      const flavour = 'text/markdown; variant=gfm';
      const [sent, other, withParameter] = await Promise.all([
        author.send(channel.id, bare.text),
        author.send(channel.id, markdown.text, { contentType: 'text/markdown' }),
        author.send(channel.id, flavoured.text, { contentType: flavour }),
      ]);
      requireAccepted(sent);
      const shown = textIn(await channel.arrival(bare), 'content_type');
      expect.equal('message.content-type.default', 'content_type', shown, 'text/plain', sent);

      observe('send.content-type.values', 'text/markdown', describeAnswer(other));
      // Nothing says that these types must be taken; only what was taken must be kept.
      if (isAccepted(other)) {
        const kept = mediaTypeIn(await channel.arrival(markdown));
        expect.equal('message.content-type.kept', 'content_type', kept, 'text/markdown', other);
      }
      if (isAccepted(withParameter)) {
        const kept = mediaTypeIn(await channel.arrival(flavoured));
        expect.equal('message.content-type.kept', 'content_type', kept, spelled(flavour), withParameter);
      }
    },
  ),
  // message.channel-id.is-its-channel: The `channel_id` of a message is that of the channel it was sent to.
  check(
    'message.names-its-channel-and-workspace',
    {
      title: 'a message names the channel it was sent to and its workspace',
      clauses: ['message.channel-id.is-its-channel', 'message.workspace-id.is-its-workspace'],
      needs: ['author', 'channel', 'workspace'],
    },
    (context) => expectPlace(context, context.channel),
  ),
];
