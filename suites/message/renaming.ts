import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { type Exchange, isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { arranged, isArranged } from '../arrange/or-else.ts';
import type { Changing } from '../arrange/changes/scene.ts';
import { nameOf, overviewIn } from '../arrange/overview-parts.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';

/**
 * Behind a name, each longer than the one before: a character of four bytes, signs that have another spelling in markup, and more
 * characters than some stores have a place for.
 */
const rareTails = [' 🚀', ` & "Co's" <one>`, ` of ${'very '.repeat(20)}many words`];
/** So many characters of a name any store has a place for. */
const surelyGiven = 40;
/** Of one word, as some people and most machines have them. */
const shortName = { agent: 'Solo', user: 'Mono', machine: 'bare' } as const;
const newName = { agent: 'Nova Agent', user: 'Nova Newname', machine: 'nova-machine' } as const;

/** Names that change after they were written. */
export const renamingChecks: readonly Check[] = [
  // message.author.captured-at-write: The author shows the names of the moment of writing, even after they
  //   changed.
  check(
    'message.stays-as-written-when-names-change',
    {
      title: 'a message shows its author and its targets as they were written after all of them were renamed',
      clauses: ['message.author.captured-at-write', 'message.author.shows-present-names'],
      arranges: ['human-user.display-name.captured-at-write', 'message.mentions.never-re-resolved'],
      needs: ['provision-hook', 'rename-hook'],
    },
    async (context) => {
      const { bindings, draft, expect, provision, rename, settleMs, sleep } = context;
      const fresh = await provision();
      const { channel, identities } = fresh;
      const [author, reader, peer] = [fresh.actor('author'), fresh.actor('reader'), fresh.optional('peer')];
      const [ofReader, ofAuthor] = await Promise.all([
        identities.provenance(reader),
        identities.provenance(author),
      ]);
      const [targets, own] = [principalsOf(ofReader), principalsOf(ofAuthor)];
      const from = await channel.since();
      const [written, later, others, siblings] = [draft(), draft(), draft(), draft()];
      const fields = { [bindings.mentions]: targets };
      // Without the targets where those are not taken: the author is there all the same.
      if (!isAccepted(await author.send(channel.id, written.text, { fields })))
        requireAccepted(await author.send(channel.id, written.text));
      await channel.arrival(written);
      const read = async () => {
        const { items, pages } = await readOn(channel, from);
        const item = findIn(items, written) ?? unmet('the channel no longer shows the message');
        return { shown: authorOf(item), evidence: pages.map(({ exchange }) => exchange).slice(-1) };
      };
      const [{ shown: before }, { shown: again }] = [await read(), await read()];
      given(asText(before) === asText(again), 'a message does not read the same twice');
      for (const { kind, id } of own) await rename({ kind, id, displayName: newName[kind] });
      for (const { kind, id } of targets) {
        // A server may want names that differ within a workspace.
        const namesake = { kind, id, displayName: newName[kind], isUnusual: true };
        if (!(await isArranged(rename(namesake))))
          await rename({ kind, id, displayName: `Another ${newName[kind]}` });
      }
      await sleep(settleMs);
      const bySibling = peer === undefined ? [] : [siblings];
      const sent = await Promise.all([
        author.send(channel.id, later.text),
        reader.send(channel.id, others.text),
        ...(peer === undefined ? [] : [peer.send(channel.id, siblings.text)]),
      ]);
      requireAccepted(...sent);
      const [renamed = {}, namesake = {}, sibling = {}] = (
        await channel.arrivals([later, others, ...bySibling])
      ).map(authorOf);
      const [{ shown, evidence }, members] = await Promise.all([read(), membersOf(fresh)]);
      const names = namesIn(before, renamed, own);
      const isRenaming = isInEffect(names, members);
      for (const each of isRenaming ? names : []) expectAnother(context, each, evidence);
      // Author and reader have come to have the same names, where that can be.
      for (const [who, is, was] of isRenaming ? [...idsIn(renamed, own), ...idsIn(namesake, targets)] : [])
        expect.equal('message.author.shows-present-names', `id of the ${who}`, is, was, ...evidence);
      // All agents of a human and of a machine write under the names that one of them does.
      for (const who of ['human_user', 'machine'] as const) {
        const [one, another] = [namesake[who], sibling[who]];
        if (!isRenaming || !isRecord(one) || !isRecord(another) || one['id'] !== another['id']) continue;
        const [name, is] = [one['display_name'], another['display_name']];
        if (typeof name === 'string' && typeof is === 'string')
          expect.equal(
            'message.author.shows-present-names',
            `${who} of another agent`,
            is,
            name,
            ...evidence,
          );
      }
      const { display_name: agent, human_user: human } = renamed;
      given(agent === newName.agent, 'a renamed agent writes under its old name');
      const isRenamed = !isRecord(human) || human['display_name'] === newName.user;
      given(isRenamed, 'a renamed human writes under the old name');
      const [is, was] = [shown['display_name'], before['display_name']];
      expect.equal('message.author.captured-at-write', 'author.display_name', is, was, ...evidence);
    },
  ),
  // message.author.shows-present-names: What is sent after a rename shows its author, and the human and the
  //   machine behind it, under their new names and the ids that they had.
  check(
    'message.shows-the-name-that-was-given-last',
    {
      title:
        'a message shows the name that somebody was given last, be it one word, long or of unusual signs',
      clauses: ['message.author.shows-present-names', 'overview.success-is-2xx'],
      needs: ['provision-hook', 'rename-hook'],
    },
    async (context) => {
      const { draft, expect, provision, rename, settleMs, sleep } = context;
      const fresh = await provision();
      const { channel, identities } = fresh;
      const author = fresh.actor('author');
      const own = principalsOf(await identities.provenance(author));
      const from = await channel.since();
      const written = async (): Promise<JsonRecord> => {
        const one = draft();
        requireAccepted(await author.send(channel.id, one.text));
        return authorOf(await channel.arrival(one));
      };
      const evidenceNow = async (): Promise<readonly Exchange[]> => {
        const { pages } = await readOn(channel, from);
        return pages.map(({ exchange }) => exchange).slice(-1);
      };
      const before = await written();
      for (const { kind, id } of own) await rename({ kind, id, displayName: newName[kind] });
      await sleep(settleMs);
      let earlier = await written();
      const members = await membersOf(fresh);
      const renamed = namesIn(before, earlier, own);
      given(isInEffect(renamed, members), 'nobody was renamed');
      // A server may make something of a name, as the last word first: then nobody knows what it makes of others.
      const toTheLetter = renamed.flatMap(([who, , name]) => (name === newName[who] ? who : []));
      // One after the other: what is kept of all three must not wait for the first of them to change.
      for (const { kind, id } of own.toReversed()) {
        await rename({ kind, id, displayName: shortName[kind] });
        await sleep(settleMs);
        const now = await written();
        const [evidence] = await Promise.all([
          evidenceNow(),
          members.length > 0 ? expectOverview(context, fresh) : undefined,
        ]);
        for (const each of namesIn(earlier, now, own)) {
          const [who, former] = each;
          if (who === kind && former === newName[who]) expectAnother(context, each, evidence);
        }
        earlier = now;
      }
      for (const tail of rareTails) {
        for (const { kind, id } of own)
          await arranged(() => rename({ kind, id, displayName: newName[kind] + tail, isUnusual: true }));
        await sleep(settleMs);
        const rare = await written();
        const [evidence, whole] = await Promise.all([evidenceNow(), membersOf(fresh)]);
        // A name that an operator cannot give stays as it was, and one that is not available is null; how much of a long one it can give is
        // open, until the whole is seen.
        for (const [who, former, name] of namesIn(earlier, rare, own)) {
          if (!toTheLetter.includes(who)) continue;
          const wanted = newName[who] + tail;
          const problem = { expected: `${wanted}, or still ${former}`, actual: asText(name) };
          const isEither = typeof name !== 'string' || name === former || name === wanted;
          const isCut = asText(name).length >= surelyGiven && wanted.startsWith(asText(name));
          if (isCut && !isEither && !whole.includes(wanted)) continue;
          expect.holds('message.author.shows-present-names', isEither, problem, ...evidence);
        }
        earlier = rare;
      }
    },
  ),
];

/** Whether a hook did as it was asked: one that did nothing leaves all names as they were, in the overview too. */
function isInEffect(names: readonly Renaming[], members: readonly (string | undefined)[]): boolean {
  return names.some(([who, , name]) => name === newName[who]) || members.includes(newName.user);
}

function expectAnother(
  { expect }: Changing,
  [who, former, name]: Renaming,
  exchanges: readonly Exchange[],
): void {
  const problem = { expected: `another name of the ${who} than ${former}`, actual: asText(name) };
  expect.holds('message.author.shows-present-names', name !== former, problem, ...exchanges);
}

/** What the members of a workspace are called, as its overview shows them. */
async function membersOf(fresh: FreshWorkspace): Promise<readonly (string | undefined)[]> {
  const overview = await fresh.optional('machine')?.overview(fresh.workspaceId);
  return overview === undefined ? [] : overviewIn(overview).members.map(nameOf);
}

/** Whatever its members are called, the overview is there as before. */
async function expectOverview({ expect }: Changing, fresh: FreshWorkspace): Promise<void> {
  const answer = await fresh.optional('machine')?.overview(fresh.workspaceId);
  if (answer === undefined) return;
  const problem = {
    expected: 'a success, as before somebody was renamed',
    actual: describeAnswer(answer),
  };
  // Who is limited, or turned away in front of the service, has seen nothing.
  const isTurnedAway = [429, 503].includes(statusOf(answer) ?? 0);
  if (!isTurnedAway) expect.holds('overview.success-is-2xx', isAccepted(answer), problem, answer);
}

function authorOf({ message }: PageItem): JsonRecord {
  return isRecord(message['author']) ? message['author'] : {};
}

type Renamed = ReturnType<typeof principalsOf>;
/** The name that somebody had, and the one shown. */
type Renaming = readonly [who: keyof typeof newName, former: string, name: unknown];

/** The ids that an author shows, and those that it had; one that is not available now is null. */
function idsIn(
  author: JsonRecord,
  renamed: Renamed,
): readonly (readonly [who: keyof typeof newName, is: unknown, was: string])[] {
  const shown = { agent: author, user: author['human_user'], machine: author['machine'] };
  return renamed.flatMap(({ kind, id }) => {
    const now = shown[kind];
    return isRecord(now) ? [[kind, now['id'], id] as const] : [];
  });
}

/** The names that those who were renamed had and have; one that was not supplied cannot be seen to change. */
function namesIn(before: JsonRecord, after: JsonRecord, renamed: Renamed): readonly Renaming[] {
  const principals = [
    ['agent', before, after],
    ['user', before['human_user'], after['human_user']],
    ['machine', before['machine'], after['machine']],
  ] as const;
  return principals.flatMap(([who, ...each]) => {
    const [former, name] = each.map((one) => (isRecord(one) ? one['display_name'] : undefined));
    const isRenamed = renamed.some(({ kind }) => kind === who);
    return isRenamed && typeof former === 'string' && former !== '' ? [[who, former, name] as const] : [];
  });
}
