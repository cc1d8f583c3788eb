import type { Actor } from '../../../harness/client/actor.ts';
import { leastKeptMs } from '../../../history/world/walks.ts';
import { judgeFileConstant } from '../../../spec/oracles/messages/files.ts';
import { inconclusive } from '../../../spec/oracles/values/judgement.ts';
import { clauseOf, type ClauseId } from '../../../spec/index.ts';
import { asText } from '../../../spec/oracles/values/json-texts.ts';
import { eventually } from '../eventually.ts';
import { orElse } from '../or-else.ts';
import { type Looker, readersOf, whyOpen } from './cells.ts';
import type { Change, Course } from './changes.ts';
import type { Changing, Scene } from './scene.ts';
import { views, type Kind, type Look, type Shown, type View } from './views.ts';

type Clauses = Readonly<Partial<Record<Kind, ClauseId>>>;

/** What is broken where something of a kind is gone; of messages and mentions each change says it. */
const ofKinds: Clauses = {
  retrieval: 'receipts.agent-ids.earlier-is-a-prefix',
  record: 'receipts-list.paginates-all',
  attachment: 'message.attachments.stable',
  'attachment that is deleted': 'message.attachments.stable',
  file: 'file.visible-to-the-workspace',
  bytes: 'file.download-is-intact',
  'channel of the overview': 'overview.channels.lists-a-known-one',
  member: 'overview.members.lists-somebody',
  'listed channel': 'channels-list.lists-a-known-one',
};

/** What is broken where one reader is not shown what another was. */
const ofSharing: Clauses = {
  message: 'service.channels-are-shared',
  file: 'file.visible-to-the-workspace',
};

const [ofMetadata, ofDeleted, ofStatus] = [
  'file.immutable',
  'message.attachments.deleted-keep-metadata',
  'file.status.shows-deletion',
] as const;

/** Every clause that a course decides after some changes. */
export function clausesOf(course: Course, earlier: readonly Change[] = []): readonly ClauseId[] {
  const changes = course.flat();
  return [
    ...new Set([
      ...changes.flatMap((change) => [...Object.values(kindsOf(change)), ...(change.decides ?? [])]),
      ...(course.length > 1 ? Object.values(ofSharing) : []),
      ofMetadata,
      ...([...earlier, ...changes].some(isDeletion) ? [ofDeleted, ofStatus] : []),
    ]),
  ];
}

/** What is broken where something is gone after a change. */
function kindsOf({ clauses: [mention, message], ofRecords }: Change): Clauses {
  return { mention, message, ...ofKinds, ...(ofRecords && { record: ofRecords }) };
}

function isDeletion({ deletesFile }: Change): boolean {
  return deletesFile === true;
}

/** Somebody at a view, and what it showed at last. */
interface Watched {
  readonly view: View;
  readonly reader: Looker;
  readonly actor: Actor;
  readonly before: Look | undefined;
}

/** What is to be shown again. */
interface Expected {
  readonly changes: readonly Change[];
  /** As before what, or as for whom. */
  readonly as: string;
  readonly clauses: Clauses;
}

/**
 * What the looks of a course showed. A clause holds if it did at every look that could have shown it broken: of one of which some change left
 * nothing in any view, as retention may, nothing is known, nor of one of which no view says anything any more.
 */
class Held {
  readonly #times = new Map<ClauseId, number>();
  readonly #lost = new Set<ClauseId>();
  readonly #untold = new Set<ClauseId>();

  /** Notes the looks after one change, at all views. */
  note(seen: readonly Seen[]): void {
    const those = (as: Seen['as']): readonly ClauseId[] =>
      seen.flatMap((each) => (each.as === as ? each.clause : []));
    for (const clause of those('untold')) this.#untold.add(clause);
    const held = those('held');
    for (const clause of held) {
      this.#times.set(clause, (this.#times.get(clause) ?? 0) + 1);
      this.#untold.delete(clause);
    }
    for (const clause of those('emptied')) if (!held.includes(clause)) this.#lost.add(clause);
  }

  judgeBy({ expect }: Pick<Changing, 'expect'>): void {
    for (const [clause, judged] of this.#times)
      if (!this.#lost.has(clause) && !this.#untold.has(clause))
        expect.judgement(clause, { judged, problems: [] });
  }
}

/** Brings about one change after the other, and has every view read after each: what it showed before is still there. */
export async function follow(
  context: Changing,
  scene: Scene,
  course: Course,
  earlier: readonly Change[] = [],
): Promise<void> {
  const readers = readersOf(course, [...scene.readers.keys()], context.seed);
  const changes = [...earlier];
  const held = new Held();
  let watched: readonly Watched[] = [];
  for (const [phase, inPhase] of course.entries()) {
    const arriving = views.flatMap((view): Watched[] => {
      const reader = view.by ?? readers.get(view)?.[phase] ?? 'reader';
      const actor = reader === 'machine' ? scene.fresh.optional(reader) : scene.readers.get(reader);
      const { before } = watched.find((each) => each.view === view) ?? {};
      return actor === undefined ? [] : [{ view, reader, actor, before }];
    });
    const sharing = { changes: [...changes], as: 'as it shows others', clauses: ofSharing };
    const looks = await lookAgain({ context, scene, held }, arriving, sharing);
    watched = arriving.map((each, at) => ({ ...each, before: looks[at] }));
    for (const change of inPhase) {
      if (!(await isMade(context, scene, change))) continue;
      changes.push(change);
      const expected = {
        changes: [...changes],
        as: `as it was shown before; since then ${change.label}`,
        clauses: kindsOf(change),
      };
      const looked = await lookAgain({ context, scene, held }, watched, expected);
      watched = watched.map((each, at) => ({ ...each, before: looked[at] ?? each.before }));
    }
  }
  held.judgeBy(context);
}

/** Brings about what comes before a course; those that could be. */
export async function made(
  context: Changing,
  scene: Scene,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const done: Change[] = [];
  for (const change of changes) if (await isMade(context, scene, change)) done.push(change);
  return done;
}

/** Whether a change could be brought about. */
function isMade(context: Changing, scene: Scene, { act }: Change): Promise<boolean> {
  return orElse(act(context, scene), () => false);
}

/** A course under way. */
interface Following {
  readonly context: Changing;
  readonly scene: Scene;
  readonly held: Held;
}

/** What every view shows now, each waited for as long as it may lag; `undefined` where one does not say. */
async function lookAgain(
  { context, scene, held }: Following,
  watched: readonly Watched[],
  expected: Expected,
): Promise<readonly (Look | undefined)[]> {
  const looked = await Promise.all(
    watched.map(async ({ view, reader, actor, before }) => {
      const looks: Look[] = [];
      const look = async (): Promise<Look | undefined> => {
        const shown = await view.look({ context, scene, actor });
        if (shown !== undefined) looks.push(shown);
        return shown;
      };
      const due = dueOf(before, reader, expected);
      const after = await eventually(
        context,
        look,
        (shown) =>
          shown === undefined ||
          (due.every((each) => isOn(shown, each)) && statusesIn(shown, expected).every(isOfDeleted)),
      );
      return { after, soon: looks[0] };
    }),
  );
  const looks = looked.map(({ after }) => after);
  const seen = watched.flatMap((each, at): readonly Seen[] => {
    const { before } = each;
    const { after, soon } = looked[at] ?? {};
    if (before === undefined) return [];
    if (soon !== undefined && after !== undefined)
      return judge(context, scene, { ...each, before, soon, after, looks }, expected);
    const due = dueOf(before, each.reader, expected);
    return due
      .flatMap(({ kind }) => expected.clauses[kind] ?? [])
      .map((clause) => ({ clause, as: 'untold' }));
  });
  held.note(seen);
  return looks;
}

/** What a look showed and the contract has stay. */
function dueOf(before: Look | undefined, reader: Looker, { changes, clauses }: Expected): readonly Shown[] {
  return (before?.shown ?? []).filter(
    ({ kind, isAnnounced }) =>
      isAnnounced !== true && clauses[kind] !== undefined && whyOpen({ changes, reader, kind }) === undefined,
  );
}

/** The statuses that a view shows of a file that is deleted. */
function statusesIn({ shown }: Look, { changes }: Pick<Expected, 'changes'>): readonly unknown[] {
  return changes.some(isDeletion)
    ? shown.flatMap(({ kind, file }) =>
        kind === 'attachment that is deleted' && file ? [file['status']] : [],
      )
    : [];
}

function isOfDeleted(status: unknown): boolean {
  return status === 'deleted';
}

function isOn({ shown }: Look, { kind, name }: Pick<Shown, 'kind' | 'name'>): boolean {
  return shown.some((each) => each.kind === kind && each.name === name);
}

/** The looks of one view: before, as soon as can be after, and at last; and the last ones of all. */
interface Pair extends Watched {
  readonly before: Look;
  readonly soon: Look;
  readonly after: Look;
  readonly looks: readonly (Look | undefined)[];
}

/** A clause that a view showed to hold, of which it shows nothing any more, or of which it does not say. */
interface Seen {
  readonly clause: ClauseId;
  readonly as: 'held' | 'emptied' | 'untold';
}

function judge(context: Changing, scene: Scene, pair: Pair, expected: Expected): readonly Seen[] {
  const { view, reader, before, after } = pair;
  const { as, changes, clauses } = expected;
  const due = dueOf(before, reader, expected);
  const evidence = [...before.exchanges, ...after.exchanges];
  const seen: Seen[] = [];
  const note = (clause: ClauseId, isHeld: boolean): unknown =>
    seen.push({ clause, as: isHeld ? 'held' : 'emptied' });
  for (const clause of new Set(due.flatMap(({ kind }) => clauses[kind] ?? []))) {
    const own = due.filter(({ kind }) => clauses[kind] === clause);
    const missing = own.filter((each) => !isOn(after, each));
    const gone = missing.filter(isKeptIn(context, scene, pair, clause));
    // Retention may have taken all there was: that is no word for the server either.
    note(clause, missing.length < own.length);
    if (gone.length === 0) continue;
    const [first] = gone;
    const problem = {
      expected: `${view.label} shows the ${reader} the ${first?.kind} ${first?.name}, ${as}`,
      actual: `${gone.length} of ${own.length} are gone`,
    };
    context.expect.holds(clause, false, problem, ...evidence);
  }
  const isDeleted = changes.some(isDeletion);
  for (const { kind, name, file } of due) {
    const later = after.shown.find((each) => each.kind === kind && each.name === name)?.file;
    if (file === undefined) continue;
    const clause = isDeleted && kind === 'attachment that is deleted' ? ofDeleted : ofMetadata;
    const { judged, problems } = later === undefined ? inconclusive : judgeFileConstant(file, later);
    note(clause, judged > 0);
    context.expect.judgement(clause, { judged: 0, problems }, ...evidence);
  }
  const statuses = statusesIn(after, expected);
  if (statuses.length > 0 || statusesIn(before, expected).length > 0) note(ofStatus, statuses.length > 0);
  for (const status of statuses.filter((each) => !isOfDeleted(each))) {
    const problem = {
      expected: `${view.label} shows the ${reader} a deleted file as deleted`,
      actual: asText(status),
    };
    context.expect.holds(ofStatus, false, problem, ...evidence);
  }
  return seen;
}

/**
 * Whether retention does not explain that something is gone: it takes the older first, of messages with files and of those without, what
 * stands on a message with it, and nothing so soon that a settle time ends before. A mention may go sooner than its message, but hardly does.
 */
function isKeptIn(
  { settleMs }: Changing,
  { sentMs }: Scene,
  { before, soon, after, looks }: Pair,
  clause: ClauseId,
): (shown: Shown) => boolean {
  const lookedMs = soon.exchanges.at(-1)?.endedMs ?? Infinity;
  const isSoon = lookedMs + settleMs - sentMs <= leastKeptMs(settleMs);
  const isMessage = (look: Look | undefined, name: string): boolean =>
    look !== undefined && isOn(look, { kind: 'message', name });
  return (shown) => {
    const { kind, name, at, on, hasFiles } = shown;
    // At one time: whoever waits for what is missing may see the message go meanwhile.
    const isInChannel = !isOn(soon, shown) && looks.some((look) => isMessage(look, on ?? name));
    if (kind === 'record') return isInChannel;
    if (on !== undefined) return isMessage(after, on) || isOn(after, { kind: 'mention', name: on });
    if (at === undefined || (isSoon && !isOn(soon, shown))) return true;
    const isOlder = (each: Shown): boolean =>
      each.kind === kind &&
      each.hasFiles === hasFiles &&
      each.at !== undefined &&
      each.at < at &&
      isOn(after, each);
    const mayTell = kind === 'mention' && clauseOf(clause).level === 'inferred';
    return before.shown.some(isOlder) || (mayTell && isInChannel);
  };
}
