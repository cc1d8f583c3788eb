import { isRecord, listMentions, write } from '../../spec/calls/index.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { jsonTextOf } from '../../harness/check/json-difference.ts';
import type { RunState } from '../../harness/stream/run-state.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { describeAnswer, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { NeedName } from '../../harness/config/capabilities.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { attachedIds } from '../../suites/arrange/message/files.ts';
import { humanIn } from '../../suites/arrange/overview-parts.ts';

/** A trial of one binding or hook. It has the form of a check that decides nothing: it says why it stopped, or nothing. */
export interface Probe {
  /** As the target file spells it. */
  readonly field: string;
  /** What its effect was, where it came to its end. */
  readonly effect: string;
  /** The same, where it has more to say of the run. */
  readonly effectIn?: (run: RunState) => string;
  readonly check: Check;
}

/** Files of which a send is one too many. */
const enoughFiles = 21;

/** Tries to come by a file, and the fields of a send that the contract does not name; each writes one message at most. */
export const bindingProbes: readonly Probe[] = [
  {
    ...needProbe('files', 'there is one', ['author'], async ({ readyFiles }) => {
      await readyFiles(1);
    }),
    effectIn: ({ files, target }) => {
      if (files.way === 'hook') return 'hooks.file uploads them';
      if (files.way === 'call') return 'POST /v0/files accepts uploads';
      const count = target.files.length;
      const rest = count < enoughFiles ? `; ${enoughFiles} make everything testable but deletion` : '';
      return `${count} in the target file${rest}`;
    },
  },
  needProbe(
    'bindings.mentions',
    'the reader sees a message that mentions it',
    ['author', 'reader', 'channel'],
    async (context) => {
      const { author, reader, channel, bindings, draft, feedOf, identities } = context;
      const feed = await feedOf(reader, author);
      const id = await identities.agentId(reader);
      const hello = draft();
      const fields = { [bindings.mentions]: [{ kind: 'agent', id }] };
      requireTaken(await author.send(channel.id, hello.text, { fields }));
      await feed.arrival(hello);
    },
  ),
  needProbe('bindings.attachments', 'a message shows its file', ['author', 'channel'], async (context) => {
    const { bindings, readyFiles } = context;
    const [id = ''] = await readyFiles(1);
    const { item } = await sendWith(context, { [bindings.attachments]: [id] });
    if (!attachedIds(item).includes(id)) unmet('a message does not show the file that it was sent with');
  }),
  needProbe(
    'bindings.source_session',
    'a message shows its session',
    ['author', 'channel'],
    async (context) => {
      const { bindings, names } = context;
      const session = { provider: names.providers.provider_b, surface: 'cli', session_id: 'conform-doctor' };
      const { author } = await sendWith(context, { [bindings.sourceSession]: session });
      if (!isRecord(author['source_session']))
        unmet('a message does not show the session that it was sent with');
    },
  ),
  needProbe('bindings.agent_host', 'a message shows its host', ['author', 'channel'], async (context) => {
    const { author } = await sendWith(context, { [context.bindings.agentHost]: 'conform doctor' });
    if (author['agent_host'] !== 'conform doctor')
      unmet('a message does not show the host that it was sent with');
  }),
  needProbe(
    'bindings.report_receipt',
    'a message shows that the reader has it',
    ['author', 'reader', 'channel'],
    async (context) => {
      const { author, reader, bindings, channel, draft, identities } = context;
      const readerId = await identities.agentId(reader);
      const hello = draft();
      requireTaken(await author.send(channel.id, hello.text));
      const { id } = await channel.arrival(hello);
      const path = bindings.reportReceipt.replaceAll('{channel_id}', channel.id);
      requireTaken(await reader.request(write('other', path, { [bindings.reportReceiptField]: [id] })));
      const look = async (): Promise<boolean> => {
        const { items } = await channel.walk(await channel.runStart());
        return jsonTextOf(findIn(items, hello)?.message['receipts'] ?? null).includes(readerId);
      };
      await withinSettleTime(context, look, 'the message does not show the reader');
    },
  ),
  ...(['file', 'fileContent'] as const).map((name) =>
    needProbe(
      name === 'file' ? 'bindings.file' : 'bindings.file_content',
      'a file is read',
      ['author'],
      async (context) => {
        const { author, bindings, readyFiles } = context;
        const [id = ''] = await readyFiles(1);
        requireTaken(await author.request({ path: bindings[name].replaceAll('{file_id}', id) }));
      },
    ),
  ),
];

/** Calls each hook, in a workspace that `provision` makes, and looks at its effect. */
export const hookProbes: readonly Probe[] = [
  needProbe(
    'hooks.provision',
    'a fresh author is accepted',
    ['provision-hook'],
    async ({ draft, provision }) => {
      const fresh = await provision();
      requireTaken(await fresh.actor('author').mentions({ limit: 1 }));
      requireTaken(await fresh.actor('author').readChannel(fresh.channel.id, { limit: 1 }));
      if (fresh.workspaceId === '') unmet('the fresh workspace has no id');
      await requireAsPromised(fresh, { draft });
    },
  ),
  needProbe(
    'hooks.revoke',
    'a fresh token is refused after it',
    ['provision-hook', 'revoke-hook'],
    async (context) => {
      const fresh = await context.provision();
      await context.revoke(fresh.token('author'));
      requireSeen(await refusesMentions(fresh.actor('author')), 'the token is still accepted');
    },
  ),
  needProbe(
    'hooks.expire',
    'a fresh token is refused after it',
    ['provision-hook', 'expire-hook'],
    async (context) => {
      const fresh = await context.provision();
      await context.expire(fresh.token('author'));
      requireSeen(await refusesMentions(fresh.actor('author')), 'the token is still accepted');
    },
  ),
  needProbe(
    'hooks.rename',
    'a message shows the new name',
    ['provision-hook', 'rename-hook'],
    async (context) => {
      const fresh = await context.provision();
      const author = fresh.actor('author');
      const displayName = 'Renamed by the doctor';
      await context.rename({ kind: 'agent', id: await fresh.identities.agentId(author), displayName });
      const hello = context.draft();
      requireTaken(await author.send(fresh.channel.id, hello.text));
      const { message } = await fresh.channel.arrival(hello);
      const shown = isRecord(message['author']) ? message['author']['display_name'] : undefined;
      if (shown !== displayName) unmet('a message that was sent after it shows the old name');
    },
  ),
  needProbe(
    'hooks.deactivate',
    'an agent loses its access and gets it back',
    ['provision-hook', 'deactivate-hook'],
    async (context) => {
      const fresh = await context.provision();
      const author = fresh.actor('author');
      const agentId = await fresh.identities.agentId(author);
      const who = { kind: 'access', agentId, workspaceId: fresh.workspaceId } as const;
      await context.deactivate(who);
      requireSeen(await refusesMentions(author), 'the agent still has access');
      await context.restore(who);
      requireSeen(!(await refusesMentions(author)), 'the agent did not get its access back');
    },
  ),
  needProbe(
    'hooks.file',
    'a file was uploaded and deleted',
    ['provision-hook', 'file-hook'],
    async ({ provision, files, marker }) => {
      const fresh = await provision();
      const file = { filename: `${marker()}txt`, contentType: 'text/plain', content: 'conform doctor' };
      await files.delete(await files.upload({ token: fresh.token('author'), ...file }));
    },
  ),
  needProbe(
    'hooks.limit',
    'five requests at once get a 429',
    ['provision-hook', 'limit-hook'],
    async ({ provision, limit }) => {
      const fresh = await provision();
      const [author, token] = [fresh.actor('author'), fresh.token('author')];
      const ask = (): Promise<Exchange> =>
        author.request(listMentions({ limit: 1 }), { obeysRateLimit: false });
      await limit({ token, perSecond: 1 });
      const answers = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
      await limit({ token, perSecond: null });
      if (!answers.some(({ response }) => response?.status === 429))
        unmet('five requests at once get no 429');
    },
  ),
  needProbe('hooks.restart', 'the server answers after it', ['restart-hook'], async ({ restart }) =>
    restart(),
  ),
];

function needProbe<const N extends NeedName>(
  field: string,
  effect: string,
  needs: readonly N[],
  run: (context: Context<N>) => Promise<void>,
): Probe {
  return { field, effect, check: check(`doctor.${field}`, { title: effect, clauses: [], needs }, run) };
}

type Sending = Pick<Context<'author' | 'channel'>, 'author' | 'channel' | 'draft'>;

/** Sends a message with more than its content; gives how it arrived, and its author. */
async function sendWith({ author, channel, draft }: Sending, fields: Readonly<Record<string, unknown>>) {
  const hello = draft();
  requireTaken(await author.send(channel.id, hello.text, { fields }));
  const item = await channel.arrival(hello);
  const shown = item.message['author'];
  return { item, author: isRecord(shown) ? shown : {} };
}

/** What the operator says of agents beside the roles is what their messages show: checks take it for given. */
async function requireAsPromised(fresh: FreshWorkspace, { draft }: Pick<Sending, 'draft'>): Promise<void> {
  const { authorMachine, channel, identities, lacking, sharing } = fresh;
  for (const [what, actor] of lacking) {
    const { human_user: human, machine } = (await sendWith({ author: actor, channel, draft }, {})).author;
    const shown = { human, machine, human_name: isRecord(human) ? human['display_name'] : undefined };
    if (shown[what] !== null)
      unmet(`the agent in \`without.${what}\` has a ${what.replace('_', "'s ")} in its messages`);
  }
  if (authorMachine !== undefined) {
    const { humanUserId } = await identities.provenance(fresh.actor('author'));
    const shown = humanIn(await authorMachine.overview(fresh.workspaceId));
    if (humanUserId === undefined || !isSameId(humanUserId, shown))
      unmet("the machine in `author_machine` is not that of the author's human");
  }
  if (sharing.size === 0) return;
  const reader = await identities.provenance(fresh.actor('reader'));
  for (const [what, actor] of sharing) {
    const own = await identities.provenance(actor);
    for (const [each, id] of [
      ['human', 'humanUserId'],
      ['machine', 'machineId'],
    ] as const) {
      const [one, other] = [reader[id], own[id]];
      const isShared = one !== undefined && other !== undefined && isSameId(one, other);
      const does = isShared ? 'shares' : 'does not share';
      if (isShared !== (each === what))
        unmet(`the agent in \`sharing.${what}\` ${does} the reader's ${each}`);
    }
  }
}

function requireTaken(exchange: Exchange): void {
  if (isAccepted(exchange)) return;
  const { request } = exchange;
  unmet(`${request.method} ${request.path} came to ${describeAnswer(exchange)}`, exchange);
}

async function refusesMentions(actor: Actor): Promise<boolean> {
  const { response } = await actor.mentions({ limit: 1 });
  return response !== undefined && response.status >= 400 && response.status < 500;
}

/** What a hook does is in effect when it is done: the first look decides. */
function requireSeen(isSeen: boolean, otherwise: string): void {
  if (!isSeen) unmet(`${otherwise} when the hook is done`);
}

/** Waits up to the settle time for what is to become true. */
async function withinSettleTime(
  { settleMs, sleep }: Pick<Context<never>, 'settleMs' | 'sleep'>,
  look: () => Promise<boolean>,
  otherwise: string,
): Promise<void> {
  const deadlineMs = performance.now() + settleMs;
  while (!(await look())) {
    if (performance.now() > deadlineMs) unmet(`${otherwise}, ${Math.round(settleMs)} ms later`);
    await sleep(25);
  }
}
