import type { JsonRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always, Context } from '../../harness/check/context.ts';
import { isAccepted, isRefusedAsInvalid, type Exchange } from '../../harness/client/exchange.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import type { ChannelView } from '../../harness/stream/channel-view.ts';
import { arranged } from '../arrange/or-else.ts';
import { attachedIds, uploadFor } from '../arrange/message/files.ts';
import { requireAccepted, requireEffect, requireRefused } from '../arrange/send/accepted-sends.ts';
import { anyCrowdOf, type Crowd, crowdOf } from '../arrange/send/different-targets.ts';

/** What a message may carry of either. */
const most = 20;

/** Between one and as many as can be, on either side of a round number. */
const counts = [2, 11, 19];

/** As many as can be and one of them again: who takes them for as many as can be shows no more than that. */
function doubled<Item>(items: readonly Item[]): readonly Item[] {
  return [...items.slice(0, most), ...items.slice(0, 1)];
}

/** Sends messages and looks at those that were taken: what they show, the schemas and the judges of the history say. */
async function seeThoseTaken(
  { draft }: Pick<Always, 'draft'>,
  channel: ChannelView,
  sends: readonly ((text: string) => Promise<Exchange>)[],
): Promise<void> {
  const tried = await Promise.all(
    sends.map(async (send) => {
      const message = draft();
      return { message, sent: await send(message.text) };
    }),
  );
  const taken = tried.filter(({ sent }) => isAccepted(sent));
  await channel.arrivals(taken.map(({ message }) => message));
}

/** A send with all of these is accepted, as one with either is. */
async function expectTogether(
  { bindings, draft, expect }: Pick<Always, 'bindings' | 'draft' | 'expect'>,
  { author, channel, targets }: Pick<Crowd, 'author' | 'channel' | 'targets'>,
  files: readonly string[],
): Promise<void> {
  const named = { [bindings.mentions]: targets };
  const attached = { [bindings.attachments]: files };
  const send = (text: string, fields: JsonRecord): Promise<Exchange> =>
    author.send(channel.id, text, { fields });
  for (const fields of [named, attached]) requireAccepted(await send(draft().text, fields));
  const both = draft();
  const sent = await send(both.text, { ...named, ...attached });
  // Whether a file may go with a second message is not said.
  if (!isAccepted(sent)) requireAccepted(await send(draft().text, attached));
  const words = `with ${targets.length} targets and ${files.length} attachments`;
  expect('send.parts-go-together', sent, words).toBeAccepted();
  await channel.arrival(both);
}

/** The same with as many of both as can be, where the operator puts files into the workspace in which the targets are. */
async function expectMostTogether(context: Context<'author' | 'channel'>): Promise<void> {
  const { marker, optionalHook } = context;
  const [hook, files] = [optionalHook('provision-hook'), optionalHook('file-hook')?.files];
  if (hook === undefined || files === undefined) return;
  const crowd = await crowdOf(most, hook, context);
  const ready = await uploadFor(crowd.author, { files, marker }, most);
  await expectTogether(context, { ...crowd, targets: crowd.targets.slice(0, most) }, ready);
}

/** How much a message may carry beside its content. */
export const overLimitChecks: readonly Check[] = [
  // send.mentions-over-limit: A send with more than 20 mention targets is refused.
  check(
    'send.more-than-20-targets-are-refused',
    {
      title: 'a send with 21 mention targets, of one kind or of several, is refused and stored nowhere',
      clauses: ['send.mentions-over-limit', 'send.refused-stores-nothing'],
      // Fewer targets, and those of a list with a double, are as they were sent.
      arranges: ['message.mentions.captured'],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { bindings, draft, expect, optionalHook, reader } = context;
      const hook = optionalHook('provision-hook');
      const crowd =
        hook === undefined ? await anyCrowdOf(most, reader, context) : await crowdOf(most, hook, context);
      const name = (text: string, targets: typeof crowd.targets) =>
        crowd.author.send(crowd.channel.id, text, { fields: { [bindings.mentions]: targets } });
      const fewer = [...counts.map((count) => crowd.targets.slice(0, count)), doubled(crowd.targets)];
      await seeThoseTaken(
        context,
        crowd.channel,
        fewer.map((targets) => (text) => name(text, targets)),
      );
      for (const targets of [crowd.targets, crowd.ofEveryKind].filter((each) => each !== undefined)) {
        const tooMany = draft();
        const refused = await name(tooMany.text, targets);
        if (isAccepted(refused)) await crowd.channel.arrivals([tooMany]);
        expect('send.mentions-over-limit', refused).toBeRefused();
        requireRefused(refused);
        await expect.stream('send.refused-stores-nothing', crowd.channel).toNeverShow(tooMany);
      }
    },
  ),
  // send.attachments-over-limit: A send with more than 20 attachments is refused.
  check(
    'send.more-than-20-files-are-refused',
    {
      title: 'a send with 21 attachments is refused and stored nowhere, one with 20 is accepted',
      clauses: ['send.attachments-over-limit', 'send.refused-stores-nothing', 'send.parts-go-together'],
      arranges: ['message.attachments.captured'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, readyFiles } = context;
      // All different: a server may take one that is named again for the same.
      const files = await readyFiles(most + 1);
      const attach = (text: string, ids: readonly string[]) =>
        author.send(channel.id, text, { fields: { [bindings.attachments]: ids } });
      const [twenty, tooMany] = [draft(), draft()];
      const within = files.slice(0, most);
      const all = await attach(twenty.text, within);
      const alone = isRefusedAsInvalid(all)
        ? await Promise.all(within.map((file) => attach(draft().text, [file])))
        : [all];
      if (alone.every(isAccepted))
        expect('send.parts-go-together', all, 'with twenty attachments').toBeAccepted();
      requireAccepted(all);
      const shown = attachedIds(await channel.arrival(twenty));
      const isShown = shown.some((id) => files.includes(id));
      requireEffect(bindings, 'attachments', isShown);
      await seeThoseTaken(context, channel, [(text) => attach(text, doubled(files))]);
      const refused = await attach(tooMany.text, files);
      expect('send.attachments-over-limit', refused).toBeRefused();
      requireRefused(refused);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(tooMany);
    },
  ),
  // send.parts-go-together: A send is accepted when each part that it carries is accepted with other sends.
  check(
    'send.many-targets-go-with-twenty-files',
    {
      title:
        'a send that names everybody of the target, or 20 agents, and has 20 attachments is accepted, as one with either is',
      clauses: ['send.parts-go-together'],
      arranges: ['message.mentions.captured', 'message.attachments.captured'],
      needs: ['author', 'reader', 'channel', 'mentions-binding', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { author, channel, identities, optional, reader, readyFiles } = context;
      const agents = [author, reader, optional('peer')].filter((each) => each !== undefined);
      const known = await Promise.all(
        agents.map(async (each) => principalsOf(await identities.provenance(each))),
      );
      const targets = [...new Map(known.flat().map((each) => [each.id, each])).values()];
      await expectTogether(context, { author, channel, targets }, await readyFiles(most));
      await arranged(() => expectMostTogether(context));
    },
  ),
];
