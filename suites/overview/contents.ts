import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always, Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { type Exchange, isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import {
  hasId,
  isSameId,
  judgeCallerIsListed,
  judgeIsRequested,
  judgeMembersOnce,
  judgeSameWorkspace,
} from '../../spec/oracles/answers/overview.ts';
import { allOf, type Judgement } from '../../spec/oracles/values/judgement.ts';
import { schemaOf, type ClauseId } from '../../spec/index.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { arranged } from '../arrange/or-else.ts';
import { humanIn, type Overview, overviewIn } from '../arrange/overview-parts.ts';

export const overviewContentChecks: readonly Check[] = [
  // overview.success-is-2xx: A machine asking for its own workspace gets a success.
  check(
    'overview.machine-sees-its-own-workspace',
    {
      title: 'a machine asking for its own workspace is shown it',
      clauses: ['overview.success-is-2xx', 'overview.workspace.is-the-requested'],
      needs: ['machine', 'workspace'],
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { machine, anonymous, identities, expect } = context;
      const workspaceId = await identities.workspaceId();
      const refused = await anonymous.overview(workspaceId);
      given(!isAccepted(refused), 'a request without a credential was let in', refused);
      const shown = await machine.overview(workspaceId);
      given(statusOf(shown) !== 401, 'the machine token is refused; it may have expired', shown);
      expect('overview.success-is-2xx', shown).toBeAccepted();
      context.observe('overview.success-is-200', 'overview of the own workspace', describeAnswer(shown));
      const overview = overviewIn(shown);
      const isRequested = judgeIsRequested(overview.workspace, workspaceId);
      expect.judgement('overview.workspace.is-the-requested', isRequested, shown);
      observeWords(context, overview);
    },
  ),
  // overview.workspace.is-the-requested: The workspace shown is the one asked for.
  check(
    'overview.machines-of-two-workspaces-see-their-own',
    {
      title:
        'machines of two workspaces, or of two members, asking one after the other, are each shown their own, and no other workspace of their human',
      clauses: [
        'overview.workspace.is-the-requested',
        'overview.success-is-2xx',
        'overview.membership.is-the-callers',
        'overview.own-workspace-only',
      ],
      needs: ['machine', 'workspace', 'provision-hook'],
    },
    async ({ machine, identities, expect, provision }) => {
      const fresh = await provision({ isShared: true });
      const workspaceId = await identities.workspaceId();
      const isItsOwn = !isSameId(fresh.workspaceId, workspaceId);
      given(isItsOwn, 'hooks.provision made no workspace of its own for the machine');
      const shown = await machine.overview(workspaceId);
      const shownThere = await fresh.actor('machine').overview(fresh.workspaceId);
      requireLetIn(shown, 'machine');
      requireLetIn(shownThere, 'machine of the fresh workspace');
      const both = allOf([
        judgeIsRequested(overviewIn(shown).workspace, workspaceId),
        judgeIsRequested(overviewIn(shownThere).workspace, fresh.workspaceId),
      ]);
      expect.judgement('overview.workspace.is-the-requested', both, shown, shownThere);
      await expectForTheAuthor({ expect }, fresh, shownThere);
      if (fresh.secondWorkspaceId === undefined) return;
      // What its human is elsewhere opens nothing to a machine of this workspace.
      const elsewhere = await fresh.actor('machine').overview(fresh.secondWorkspaceId);
      expect('overview.own-workspace-only', elsewhere, 'where its human is a member, too').toShowNothing();
    },
  ),
  // membership.workspace-id.is-the-workspace: The `workspace_id` of the membership is that of the workspace
  //   it comes with.
  check(
    'overview.the-membership-and-the-channels-belong-to-the-workspace',
    {
      title: 'the membership and every channel in an overview name the workspace that they come with',
      clauses: ['membership.workspace-id.is-the-workspace', 'channel.workspace-id.is-the-workspace'],
      needs: ['machine', 'workspace'],
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { shown, overview, workspaceId } = await overviewOf(context);
      const { membership, channels } = overview;
      const expectOf = (clause: ClauseId, part: readonly JsonRecord[]): void =>
        context.expect.judgement(clause, judgeSameWorkspace(part, workspaceId), shown);
      expectOf('membership.workspace-id.is-the-workspace', [membership]);
      expectOf('channel.workspace-id.is-the-workspace', channels);
    },
  ),
  // overview.channels.lists-a-known-one: A shared channel that an agent of the workspace uses is among the
  //   `channels`.
  check(
    'overview.lists-a-known-channel',
    {
      title: 'a channel that an agent of the workspace uses is in the overview',
      clauses: ['overview.channels.lists-a-known-one'],
      needs: ['machine', 'workspace', 'author', 'channel'],
    },
    async (context) => {
      const { author, channel, identities, expect } = context;
      const { shown, overview, workspaceId } = await overviewOf(context);
      const { workspaceId: home } = await identities.provenance(author);
      given(
        home !== undefined && isSameId(home, workspaceId),
        'author is of another workspace than machine: roles.author and roles.machine have to share one',
      );
      const isListed = hasId(overview.channels, channel.id);
      if (!isListed && overview.channels.some(({ id }) => typeof id !== 'string'))
        unmet('not every channel of the overview shows an id', shown);
      const problem = {
        expected: `channel ${channel.id} among the channels`,
        actual: `${overview.channels.length} others`,
      };
      expect.holds('overview.channels.lists-a-known-one', isListed, problem, shown);
    },
  ),
  // overview.members.lists-somebody: Active members are listed once each, the caller among them, and one whose
  //   machine is out of use.
  check(
    'overview.lists-somebody-where-the-caller-is-a-member',
    {
      title:
        'where the membership of the machine is active, its human is among the members, and nobody is twice',
      clauses: ['overview.members.lists-somebody'],
      needs: ['machine', 'workspace'],
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { shown, overview } = await overviewOf(context);
      const body = shown.response?.json;
      const members = isRecord(body) ? body['members'] : undefined;
      if (!Array.isArray(members)) unmet('the overview has no list of members', shown);
      const isMember = overview.membership['status'] === 'active';
      given(isMember, 'the membership of machine is not shown as active', shown);
      const author = context.optional('author');
      const other = author && (await arranged(() => context.identities.provenance(author)));
      const humans = other?.humanUserId === undefined ? [] : [other.humanUserId];
      const expectOf = (judgement: Judgement): void =>
        context.expect.judgement('overview.members.lists-somebody', judgement, shown);
      expectOf(judgeCallerIsListed(overview, humans));
      expectOf(judgeMembersOnce(overview.members));
    },
  ),
];

interface Shown {
  readonly shown: Exchange;
  readonly overview: Overview;
  readonly workspaceId: string;
}

/** The overview of the machine's own workspace; ends the check when that is not what is shown, or is shown to all. */
async function overviewOf({
  machine,
  anonymous,
  identities,
}: Context<'machine' | 'workspace'>): Promise<Shown> {
  const workspaceId = await identities.workspaceId();
  const refused = await anonymous.overview(workspaceId);
  given(!isAccepted(refused), 'a request without a credential was let in', refused);
  const shown = await machine.overview(workspaceId);
  requireLetIn(shown, 'machine');
  const overview = overviewIn(shown);
  if (judgeIsRequested(overview.workspace, workspaceId).problems.length > 0) {
    unmet('the overview shows another workspace than the one asked for', shown);
  }
  return { shown, overview, workspaceId };
}

/** Sees the machine of the author shown the workspace as that of the reader is, with another membership. */
async function expectForTheAuthor(
  { expect }: Pick<Always, 'expect'>,
  fresh: FreshWorkspace,
  toReader: Exchange,
): Promise<void> {
  const toAuthor = await fresh.authorMachine?.overview(fresh.workspaceId);
  if (toAuthor === undefined) return;
  expect('overview.success-is-2xx', toAuthor, 'with the machine of another member').toBeAccepted();
  const { humanUserId: author } = await fresh.identities.provenance(fresh.actor('author'));
  const [one, other] = [humanIn(toReader), humanIn(toAuthor)];
  if (author === undefined || isSameId(one, author)) return;
  // Of a third one an operator gave the token of a machine that is not the author's.
  given(isSameId(other, author) || isSameId(other, one), 'author_machine is not that of the author’s human');
  const problem = { expected: `the membership of ${author}, whose machine asks`, actual: `that of ${other}` };
  expect.holds('overview.membership.is-the-callers', isSameId(other, author), problem, toReader, toAuthor);
}

/** What the contract leaves open of an overview: words beyond those it names, and fields that are not there. */
function observeWords(
  { observe }: Pick<Always, 'observe'>,
  { workspace, membership, channels, members }: Overview,
): void {
  observe('membership.role.values', 'role of the membership', wordsOf([membership], 'role'));
  observe('membership.status.values', 'status of the membership', wordsOf([membership], 'status'));
  observe('channel.kind.values', 'kinds of channels', wordsOf(channels, 'kind'));
  observe('member.role.values', 'roles of members', wordsOf(members, 'role'));
  observe('member.status.values', 'statuses of members', wordsOf(members, 'status'));
  const absent = [
    ...lackedBy('workspace', workspace),
    ...lackedBy('membership', membership),
    ...channels.flatMap((channel) => lackedBy('channel', channel)),
    ...members.flatMap((member) => lackedBy('member', member)),
  ];
  observe(
    'overview.fields-may-be-absent-or-null',
    'fields of the overview that are absent or null',
    [...new Set(absent)].toSorted().join(', ') || 'none',
  );
}

function wordsOf(objects: readonly JsonRecord[], field: string): string {
  const words = objects.flatMap(({ [field]: word }) => (typeof word === 'string' ? [word] : []));
  return [...new Set(words)].toSorted().join(', ') || 'none';
}

/** Fields that the contract names of an object, and that are not there or null. */
function lackedBy(
  name: 'workspace' | 'membership' | 'channel' | 'member',
  object: JsonRecord,
): readonly string[] {
  return Object.keys(schemaOf(name).properties ?? {}).flatMap((field) =>
    object[field] === undefined || object[field] === null ? [`${name}.${field}`] : [],
  );
}
