import type { ClientAnomaly } from '../../history/clients/client-judge.ts';
import { judgeClients } from '../../history/clients/judges/index.ts';
import type { Operation, Read } from '../../history/operation.ts';
import type { ClientClauseId } from '../../spec/index.ts';
import { type Due, missingOf, type Played } from './play.ts';
import { clausesOf, unaltered } from '../scenario.ts';
import { endedWell } from '../stage/client-process.ts';
import { contentIn } from '../../harness/traffic/sent-texts.ts';

/** One breach of a clause that a scenario shows. */
export interface Shown extends Pick<ClientAnomaly, 'clause' | 'expected' | 'actual' | 'witness'> {
  readonly name: string;
  /** How often. */
  readonly times: number;
}

/** What a scenario comes to: nothing, where the client cannot do the task, or was given too little time. */
export type Outcome =
  | {
      readonly kind: 'judged';
      readonly shown: readonly Shown[];
      readonly judged: ReadonlyMap<ClientClauseId, number>;
    }
  | { readonly kind: 'undone'; readonly why: string };

/** Requests and pages that are shown of what was found. */
const mostShown = 4;
/** Of a content, the characters that say which it is. */
const shownCharacters = 40;

/** Judges what was played. */
export function outcomeOf(played: Played): Outcome {
  const { facts, operations } = played.stage.history;
  const own = { facts, operations: operations.filter(({ client }) => client === 'client') };
  const { anomalies, opportunities } = judgeClients(own, { isWhole: true });
  const asked = anomalies.map((each): Shown => ({ times: 1, ...each }));
  const why = whyUndone(played);
  // Who cannot do the task because of what it asks has shown why.
  if (why !== undefined)
    return asked.length === 0
      ? { kind: 'undone', why }
      : { kind: 'judged', shown: asked, judged: opportunities };
  const judged = new Map(opportunities);
  for (const clause of clausesOf(played.scenario))
    judged.set(clause, (judged.get(clause) ?? 0) + played.due.length);
  return { kind: 'judged', shown: [...ofTask(played), ...asked], judged };
}

/** Why nothing can be said of the client; `undefined` where something can. */
function whyUndone({ stage, due, taken, end, errors, scenario }: Played): string | undefined {
  const how = [end, lastLineOf(errors)].filter(Boolean).join(': ');
  const ended = how === '' ? '' : `; ${how}`;
  if (!stage.operations.some(({ outcome }) => outcome === 'accepted') && taken.length === 0)
    return `the client made no request that was taken${ended}`;
  // Whether it does what its task asks at all the first scenario of the task tells.
  const isFirst = firstOfTask.test(scenario.id);
  if (isFirst && due.length > 0 && taken.length === 0)
    return scenario.task === 'read'
      ? `the client printed no line with the id of a message${ended}`
      : `the client sent nothing${ended}`;
  return undefined;
}

const firstOfTask = /^(?:read\.mentions|echo\.mentions|send\.list)$/;

function lastLineOf(text: string): string {
  return text.split('\n').at(-1)?.trim() ?? '';
}

function ofTask(played: Played): readonly Shown[] {
  const { scenario, due, taken, others, end } = played;
  const { missed, twice, stray } = scenario.decides;
  const missing = missingOf(due, taken);
  const excess = missingOf(taken, due);
  const known = new Set(due.map(({ name }) => name));
  const ofNobody = new Set(others.map(({ name }) => name));
  const doubles = excess.filter(({ name }) => known.has(name));
  // What is read is known by its id, what is sent by its content.
  const isRead = scenario.task === 'read';
  const strays = excess.filter(({ name }) => !known.has(name) && (isRead || ofNobody.has(name)));
  const contentOf = new Map(due.map(({ name, content }) => [name, content]));
  const unknown = isRead ? [] : excess.filter(({ name }) => !known.has(name) && !ofNobody.has(name));
  // The words of another channel.
  const wanted = new Set(missing.map(({ content }) => content));
  const misplaced = unknown.filter(({ content }) => wanted.has(content));
  const changed = [
    ...unknown.filter((each) => !misplaced.includes(each)),
    ...taken.filter(({ name, content }) => (contentOf.get(name) ?? content) !== content),
  ];
  // What was sent in other words is not missing as well.
  const lost = isRead ? missing : missing.slice(changed.length + misplaced.length);
  const ended = end === undefined ? '' : `; ${end}`;
  const shown = (
    name: string,
    clause: ClientClauseId,
    all: readonly Due[],
    words: Pick<Shown, 'expected' | 'actual'>,
  ): readonly Shown[] =>
    all.length === 0 ? [] : [{ name, clause, times: all.length, witness: witnessOf(played, all), ...words }];
  const hasBrokenDown = end !== undefined && end !== endedWell && lost.length === 0;
  const verb = { read: 'taken', echo: 'answered', send: 'sent' }[scenario.task];
  return [
    ...shown('never-done', missed, lost, {
      expected: `${due.length} messages ${verb}, among them ${inWords(lost[0])}`,
      actual: `${lost.length} of them never${ended}`,
    }),
    ...shown('in-another-channel', missed, misplaced, {
      expected: `each message ${verb} in the channel that it is of`,
      actual: `${inWords(misplaced[0])} in another one`,
    }),
    ...shown('ended', missed, hasBrokenDown ? due.slice(-1) : [], {
      expected: scenario.task === 'send' ? endedWell : 'a client that goes on until it is ended',
      actual: String(end),
    }),
    ...shown('done-twice', twice, doubles, {
      expected: `each message ${verb} once`,
      actual: `${inWords(doubles[0])} once more`,
    }),
    ...shown('not-meant', stray, strays, {
      expected: `only messages ${verb} that mention the agent by its id`,
      actual: ofNobody.has(strays[0]?.name ?? '')
        ? `${inWords(strays[0])}, which mentions nobody`
        : `one with the id ${strays[0]?.name}, which no message has`,
    }),
    ...shown('altered', unaltered, changed, {
      expected: 'each content as it was',
      actual: `${inWords(changed[0])}, which nobody wrote so`,
    }),
  ];
}

function inWords(due: Due | undefined): string {
  return JSON.stringify(due?.content.slice(0, shownCharacters) ?? '');
}

/** The requests of the client that have to do with messages: those that sent them, or the pages that showed them, else its last ones. */
function witnessOf({ stage, scenario }: Played, all: readonly Due[]): readonly Operation[] {
  const names = new Set(all.map(({ name }) => name));
  const contents = new Set(all.map(({ content }) => content));
  const pages = stage.operations.filter((each): each is Read => each.kind === 'read');
  const about =
    scenario.task === 'read'
      ? pages.filter(({ items }) => items.some(({ message }) => names.has(message.id ?? '')))
      : stage.operations.filter(
          (each) => each.kind === 'send' && contents.has(sentContent(stage, each) ?? ''),
        );
  return (about.length > 0 ? about : stage.operations).slice(-mostShown);
}

function sentContent({ exchanges }: Played['stage'], sent: Operation): string | undefined {
  const [exchange] = exchanges.of([sent]);
  return contentIn(exchange?.request.body);
}
