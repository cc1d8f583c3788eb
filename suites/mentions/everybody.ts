import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { viewers } from '../../harness/stream/every-view.ts';
import { principalsOf, provenanceOf, type Provenance } from '../../harness/stream/identities.ts';
import { readMentions } from '../../harness/stream/mentions-view.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { walk } from '../../harness/stream/walk.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { NamedTarget } from '../../spec/oracles/messages/targets.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { eventually } from '../arrange/eventually.ts';
import { arranged, orElse } from '../arrange/or-else.ts';
import { judgeNumbers } from '../arrange/mentions/numbers.ts';
import { nameTogether } from '../arrange/mentions/named-together.ts';
import { mention, reaching, requirePages, requireTarget } from '../arrange/mentions/mentioning.ts';
import { sharedBy, siblings } from '../arrange/mentions/shared-principals.ts';
import { expectAllTaken, tryEach } from '../arrange/mentions/taken.ts';

const needs = ['provision-hook'] as const;

/** Sends and feeds that are under way at one time. */
const workers = 12;
/** How long mentions are retained is left open: a target, or an author, may keep no more than the newest. */
const leastKept = 1;
/** Two agents without a role, who come to have one name. */
const namesakes = 2;

/** Somebody of a workspace, and who stands behind. */
interface Somebody extends Provenance {
  readonly actor: Actor;
  /** It shares one principal of the reader and not the other, and speaks with those alone who tell the two apart. */
  readonly isSharing: boolean;
  /** The operator says that no machine stands behind it. */
  readonly isWithoutMachine: boolean;
}

/** A message of one for another, or for itself. */
interface Naming {
  readonly from: Somebody;
  readonly to: Somebody;
  readonly target: NamedTarget;
  readonly draft: Draft;
}

/** One that may have been refused. */
type Tried = Omit<Naming, 'draft'> & { readonly draft: Draft | undefined };

/** A message, its place in the channel, and whether those whom it is between share nobody. */
interface Placed extends Naming {
  readonly at: bigint;
  readonly isOfStrangers: boolean;
}

/** The ids of all that stand behind each. */
type Owners = ReadonlyMap<Somebody, ReadonlySet<string>>;

/** What keeps the mentions of machines from those whose machine they do not name. */
const ofMachines = 'mentions.other-machines-excluded';

/** What lists messages by agents of the same human or machine that name the agent. */
const ofOneOwner = 'mentions.peers-reach-each-other';

/** What keeps from an agent what names another agent alone, and what it wrote itself. */
const ofOthers = 'mentions.other-targets-excluded';
const ofItself = 'mentions.self-authored-excluded';

/** What gives each number of a workspace to one message. */
const numbering = 'mention.sequence.workspace-wide';

/** Which messages each clause is about; those between agents who share nothing first: what these break says nothing of owners. */
const reached: readonly (readonly [ClauseId, (placed: Placed) => boolean])[] = [
  ...Object.entries(reaching).map(
    ([kind, clause]) =>
      [clause, ({ target, isOfStrangers }: Placed) => target.kind === kind && isOfStrangers] as const,
  ),
  [ofOneOwner, ({ target, isOfStrangers }) => target.kind === 'agent' && !isOfStrangers],
];

/** Who reaches whom. */
export const everybodyChecks: readonly Check[] = [
  // mentions.matches-agent-target: A retained message of somebody else that names the calling agent is listed.
  check(
    'mentions.everybody-reaches-everybody',
    {
      title:
        'each agent is reached by each other, whatever either of them lacks or shares, and under one name with another',
      clauses: [
        ...Object.values(reaching),
        'mentions.across-channels',
        ofOneOwner,
        'message.mentions.every-kind-is-taken',
        ofMachines,
        numbering,
        ofOthers,
        ofItself,
      ],
      needs,
    },
    async (context) => {
      const { expect, provision } = context;
      const fresh = await provision({ agents: namesakes });
      const { everybody, readers } = await everybodyIn(context, fresh);
      const [first] = everybody;
      given(
        first !== undefined && everybody.length > 1,
        'the fresh workspace has a single agent: hooks.provision can make more',
      );
      const tried = await nameAll(context, fresh, everybody);
      const namings = tried.flatMap(({ draft, ...naming }) => (draft ? [{ ...naming, draft }] : []));
      // Whether one may name itself is not said.
      const refused = tried.find(({ from, to, draft }) => draft === undefined && from !== to);
      const tryAgain = ({ from, target }: Tried) => {
        const where = { from: from.actor, channelId: fresh.channel.id };
        return tryEach(context, where, [...namings.slice(0, 1).map((naming) => naming.target), target]);
      };
      const taken = namings.map(({ target }) => ({ target, isTaken: true }));
      expectAllTaken(context, refused === undefined ? taken : await tryAgain(refused));
      const [one] = namings;
      const shown = await fresh.channel.arrivals(namings.map(({ draft }) => draft));
      if (one !== undefined) requireTarget(shown[0], one.target);
      const owners = ownersOf(fresh, everybody, shown);
      const placed = namings.map((naming, at): Placed => {
        const isOfStrangers = shareNobody(owners, naming.from, naming.to);
        return { ...naming, isOfStrangers, at: shown[at]?.sequence ?? 0n };
      });
      const strangers = everybody.filter((each) => shareNobody(owners, first, each));
      const [elsewhere, together] = await Promise.all([
        orElse(nameElsewhere(context, fresh, first, strangers[0]), () => []),
        orElse(nameTogether(context, fresh.channel, first, strangers), () => []),
      ]);
      const feeds = await withWorkers(readers, workers, async (reader) => {
        const due = placed.filter(({ from, to }) => isSameAgent(to, reader) && !isSameAgent(from, reader));
        const isFor = ({ to }: Naming): boolean => isSameAgent(to, reader);
        const [there, beside] = [elsewhere.filter(isFor), together.filter(isFor)];
        const lookFor = (wanted: readonly Naming[]) =>
          eventually(
            context,
            () => feedOf(reader.actor),
            (read) => wanted.every((naming) => isAmong(read.items, naming)),
          );
        const look = await lookFor([...due, ...there, ...beside]);
        // What retention may have taken is sent once more: then it is the newest.
        const again = await sendAgain(
          context,
          fresh,
          due.filter((naming) => !isAmong(look.items, naming)),
        );
        const { items, pages } = again.length === 0 ? look : await lookFor(again);
        return { reader, due: [...due, ...again], again, there, beside, look, pages, items };
      });
      const all = [...placed, ...feeds.flatMap(({ again }) => again)];
      const listed = all.filter((naming) => feeds.some(({ items }) => isAmong(items, naming)));
      for (const [clause, isMeant] of reached) {
        for (const { reader, due, pages, items } of feeds) {
          requirePages(...pages);
          const meant = due.filter(isMeant);
          if (meant.length === 0) continue;
          const own = items.length === 0 ? listed : listed.filter((naming) => isAmong(items, naming));
          const unlisted = meant.filter((naming) => !isAmong(items, naming));
          const missing = unlisted.filter((naming) => isKept(naming, { placed: all, listed, own }));
          // Retention may have taken all there was: that is no word for the server either.
          if (missing.length === 0 && unlisted.length === meant.length) continue;
          const [first] = missing;
          const problem = {
            expected: `${meant.length} messages that name ${reader.actor.name}`,
            actual: `${unlisted.length} of them are not listed, among them ${named(first)} for ${wayTo(first)}`,
          };
          const evidence = pages.map(({ exchange }) => exchange).slice(-2);
          expect.holds(clause, missing.length === 0, problem, ...evidence);
        }
      }
      for (const { reader, pages, items } of feeds) {
        if (!reader.isWithoutMachine) continue;
        const wrong = all.find((naming) => naming.target.kind === 'machine' && isAmong(items, naming));
        const problem = {
          expected: `nothing that names a machine alone for ${reader.actor.name}`,
          actual: `${named(wrong)} is listed, which names the machine of ${wrong?.to.actor.name}`,
        };
        expect.holds(
          ofMachines,
          wrong === undefined,
          problem,
          ...pages.map(({ exchange }) => exchange).slice(-2),
        );
      }
      // What was sent once more may have taken the place of others under retention.
      const isAgain = feeds.some(({ again }) => again.length > 0);
      for (const { reader, there, beside, look } of feeds) {
        const { items, pages } = look;
        const evidence = pages.map(({ exchange }) => exchange).slice(-2);
        // Sent after all others: where one of their author is still listed, no retention has come to these.
        if (!placed.some((each) => each.from === first && isAmong(items, each))) continue;
        const judgeLast = (clause: ClauseId, last: readonly Naming[], what: string): void => {
          const missing = last.find((each) => !isAmong(items, each));
          if (last.length === 0 || (missing !== undefined && isAgain)) return;
          const problem = {
            expected: `${last.length} messages for ${reader.actor.name} ${what}`,
            actual: `${named(missing)} for ${wayTo(missing)} is not listed`,
          };
          expect.holds(clause, missing === undefined, problem, ...evidence);
        };
        judgeLast('mentions.across-channels', there, 'in a channel that it never used');
        for (const [kind, clause] of Object.entries(reaching)) {
          const ofKind = beside.filter(({ target }) => target.kind === kind);
          judgeLast(clause, ofKind, `that name several targets of kind ${kind}`);
        }
      }
      judgeNumbers(context, numbering, feeds);
      // Where the header and the author of its messages are one agent, a key of the workspace reads what is for that agent.
      const ofKey = feeds.find(({ reader }) => reader.actor === fresh.optional('api-key'));
      if (ofKey === undefined) return;
      const { reader: key, items, pages } = ofKey;
      const evidence = pages.map(({ exchange }) => exchange).slice(-2);
      const isOwn = ({ from }: Naming): boolean => isSameAgent(from, key);
      const wrongly = [
        [ofItself, (each: Placed) => isOwn(each), 'nothing of its own'],
        [
          ofOthers,
          (each: Placed) => !isOwn(each) && each.target.kind === 'agent' && !isSameAgent(each.to, key),
          'nothing that names another agent alone',
        ],
      ] as const;
      for (const [clause, isWrong, what] of wrongly) {
        const wrong = all.find((each) => isWrong(each) && isAmong(items, each));
        const problem = {
          expected: `${what} for ${key.actor.name}`,
          actual: `${named(wrong)} is listed, which names ${wayTo(wrong)}`,
        };
        if (all.some(isWrong)) expect.holds(clause, wrong === undefined, problem, ...evidence);
      }
    },
  ),
];

/** A message by what it is found by, so that its send is shown too, and by who sent it. */
function named(naming: Pick<Naming, 'draft' | 'from'> | undefined): string {
  return `${naming?.draft.marker} of ${naming?.from.actor.name}`;
}

/** How a message names somebody: only messages tell who stands behind an agent, which one that shows somebody else gets wrong. */
function wayTo(naming: Pick<Naming, 'target'> | undefined): string {
  const { kind = 'agent', id } = naming?.target ?? {};
  return kind === 'agent' ? 'its own id' : `the ${kind} that its messages show, ${String(id)}`;
}

/** Each agent once, and each credential by which one reads. */
interface Everybody {
  readonly everybody: readonly Somebody[];
  readonly readers: readonly Somebody[];
}

/** Those in the roles, those who lack something, those who share something with the reader, and two who have the same name where the operator can rename. */
async function everybodyIn(
  { optionalHook }: Context<'provision-hook'>,
  fresh: FreshWorkspace,
): Promise<Everybody> {
  const { agents, identities, lacking } = fresh;
  const withoutMachine = lacking.get('machine');
  const sharing = [...fresh.sharing.values()];
  const twins = agents.slice(0, namesakes);
  const roles = viewers.flatMap((role) => fresh.optional(role) ?? []);
  const actors = [...roles, ...twins, ...lacking.values(), ...sharing];
  const known = await Promise.all(
    actors.map(async (actor) => ({
      actor,
      isSharing: sharing.includes(actor),
      isWithoutMachine: actor === withoutMachine,
      reads: await identities.agentId(actor),
      ...(await identities.provenance(actor)),
      // What its messages show there is for others to judge, and nobody's name to call it by.
      ...(actor === lacking.get('human') ? { humanUserId: undefined } : {}),
      ...(actor === withoutMachine ? { machineId: undefined } : {}),
    })),
  );
  // Whose mentions an API key reads is open, and need not be those of the agent that it writes as.
  const all = known.filter(({ reads, agentId }) => isSameId(reads, agentId));
  const rename = optionalHook('rename-hook')?.rename;
  for (const { actor, agentId: id } of all)
    if (twins.includes(actor) && rename !== undefined)
      await arranged(() => rename({ kind: 'agent', id, displayName: 'A namesake', isUnusual: true }));
  // An API key may speak for an agent that is there already, whose mentions it then reads.
  const everybody = all.filter((one, at) => all.findIndex((other) => isSameAgent(other, one)) === at);
  return { everybody, readers: all };
}

function isSameAgent(one: Somebody, other: Somebody): boolean {
  return isSameId(one.agentId, other.agentId);
}

/**
 * A message of each for each, as agent, human and machine in turn; as agent for who has the same human or machine, whose names may count as
 * the author's own; of each for itself in every way. Whoever shares one thing with the reader is named by the first in every way, and
 * by those it shares it with.
 */
function nameAll(
  context: Context<'provision-hook'>,
  { channel }: FreshWorkspace,
  everybody: readonly Somebody[],
): Promise<readonly Tried[]> {
  const wanted = everybody.flatMap((from, at) =>
    everybody.flatMap((to, place) => {
      const ways = principalsOf(to);
      if (to.isSharing && from === everybody[0]) return ways.map((target) => ({ from, to, target }));
      if ((from.isSharing || to.isSharing) && (from === to || sharedBy(from, to) === undefined)) return [];
      const way = sharedBy(from, to) === undefined ? (at + place) % ways.length : 0;
      const targets = from === to ? ways : ways.slice(way).slice(0, 1);
      return targets.map((target) => ({ from, to, target }));
    }),
  );
  return withWorkers(wanted, workers, (each) => nameIn(context, channel.id, each));
}

/** A message of one for another in a channel; without one where the target is not taken. */
async function nameIn<Each extends Pick<Naming, 'from' | 'target'>>(
  context: Context<'provision-hook'>,
  channelId: string,
  each: Each,
): Promise<Each & { readonly draft: Draft | undefined }> {
  const naming = { from: each.from.actor, channelId, targets: [each.target] };
  return { ...each, draft: await arranged(() => mention(context, naming)) };
}

/** Messages of one in a channel where nobody else writes, for another with whom it shares nobody: as agent, human and machine. */
async function nameElsewhere(
  context: Context<'provision-hook'>,
  { secondChannel }: FreshWorkspace,
  from: Somebody,
  to: Somebody | undefined,
): Promise<readonly Naming[]> {
  if (to === undefined) return [];
  const sent = principalsOf(to).map(async (target): Promise<Naming> => {
    const naming = { from: from.actor, channelId: secondChannel.id, targets: [target] };
    return { from, to, target, draft: await mention(context, naming) };
  });
  const namings = await Promise.all(sent);
  await secondChannel.arrivals(namings.map(({ draft }) => draft));
  return namings;
}

/**
 * The same once more, at the end of the channel, where two share nobody in every way; what names the agents themselves last, as retention may
 * leave nothing else.
 */
async function sendAgain(
  context: Context<'provision-hook'>,
  { channel }: FreshWorkspace,
  missing: readonly Placed[],
): Promise<readonly Placed[]> {
  const wanted = missing.flatMap((each) =>
    (each.isOfStrangers ? principalsOf(each.to) : [each.target]).map((target) => ({ ...each, target })),
  );
  const again: Placed[] = [];
  for (const kind of Object.keys(reaching).toReversed()) {
    const sent = wanted.filter(({ target }) => target.kind === kind);
    for (const { draft, ...each } of await Promise.all(sent.map((one) => nameIn(context, channel.id, one))))
      if (draft !== undefined) again.push({ ...each, draft });
  }
  const shown = await channel.arrivals(again.map(({ draft }) => draft));
  return again.map((each, at) => ({ ...each, at: shown[at]?.sequence ?? each.at }));
}

/**
 * Who stands behind each, by all messages: a principal that was not available for one may be for another, and where none ever is, any two may
 * share it.
 */
function ownersOf(fresh: FreshWorkspace, everybody: readonly Somebody[], shown: readonly PageItem[]): Owners {
  const seen = [...everybody, ...shown.map(({ message }) => provenanceOf(message))];
  const related = [...siblings].map((role) => fresh.optional(role));
  const hidden = (['humanUserId', 'machineId'] as const).filter((kind) =>
    seen.every((each) => each[kind] === undefined),
  );
  return new Map(
    everybody.map((one) => {
      const own = seen.filter(({ agentId }) => isSameId(agentId, one.agentId)).flatMap(principalsOf);
      const byRole = related.includes(one.actor) ? ['siblings'] : [];
      return [one, new Set([...own.map(({ id }) => id.toLowerCase()), ...byRole, ...hidden])];
    }),
  );
}

function shareNobody(owners: Owners, one: Somebody, other: Somebody): boolean {
  return ![...(owners.get(one) ?? [])].some((id) => owners.get(other)?.has(id));
}

/** The messages of all, those that anybody has listed, and those that say how far retention has come with one reader's. */
interface Sent {
  readonly placed: readonly Placed[];
  readonly listed: readonly Placed[];
  /** What the reader itself has listed; of one who has nothing, what anybody has. */
  readonly own: readonly Placed[];
}

/**
 * Whether no retention has come so far, be it by target, by reader or by author: it is one of the newest of its target and of its author, and
 * older messages are still listed.
 */
function isKept({ at, from, target }: Placed, { placed, listed, own }: Sent): boolean {
  const hasFewNewer = (isOfSame: (other: Placed) => boolean): boolean =>
    placed.filter((other) => other.at > at && isOfSame(other)).length < leastKept;
  const isOlder = (other: Placed): boolean => other.at < at;
  return (
    hasFewNewer((other) => other.target.id === target.id) &&
    own.some(isOlder) &&
    (hasFewNewer((other) => other.from === from) ||
      listed.some((other) => isOlder(other) && other.from === from))
  );
}

function isAmong(items: readonly PageItem[], { draft }: Naming): boolean {
  return findIn(items, draft) !== undefined;
}

function feedOf(actor: Actor) {
  return walk((after) => readMentions(actor, after, 100), 0n);
}
