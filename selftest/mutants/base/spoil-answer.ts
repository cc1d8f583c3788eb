import {
  jsonAnswer,
  type Answer,
  type AnsweredRequest,
  type AnswerHook,
} from '../../../reference/model/answer.ts';
import type { RouteName } from '../../../reference/model/routes.ts';

/** A JSON object on its way out, whatever is in it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A server whose answers are others than those of the reference. */
export interface Answering {
  readonly answer: AnswerHook;
}

/** Changes an answer, or a part of one; `request` is what it answers. */
type Change<Part, Changed = Part> = (part: Part, request: AnsweredRequest) => Changed;

/** Whether an answer is one that is changed. */
type IsMeant = (request: AnsweredRequest, answer: Answer) => boolean;

/** The two calls that return messages. */
export type ReadRoute = 'read' | 'mentions';

/** The calls whose refusals the contract describes. */
export const documentedRoutes: readonly RouteName[] = [
  'mentions',
  'send',
  'read',
  'overview',
  'channels',
  'receipts',
];

/** Changes the answers of a call that succeed, or of all. */
export function spoilSuccess(route: RouteName | 'any', change: Change<Answer>): Answering {
  return {
    answer: (answer, request) =>
      (route === 'any' || request.route === route) && answer.status < 300
        ? change(answer, request)
        : undefined,
  };
}

/** Answers a call that would succeed with a status, each time or where it is meant: an error has a body of its own. */
export function successAs(status: number, route: RouteName, isMeant: IsMeant = () => true): Answering {
  return spoilSuccess(route, (answer, request) => {
    if (!isMeant(request, answer)) return answer;
    return status < 400 ? { ...answer, status } : refusal(status);
  });
}

/** Changes the bodies of the answers of a call that succeed, or of all, where they are JSON objects. */
export function spoilBody(route: RouteName | 'any', change: Change<JsonObject, unknown>): Answering {
  return spoilSuccess(route, (answer, request) =>
    isObject(answer.body) ? { ...answer, body: change(answer.body, request) } : answer,
  );
}

/** Hears of the answers of a call that succeed, or have a status, and leaves them as they are. */
export function noting(
  route: RouteName,
  note: (request: AnsweredRequest, answer: Answer) => unknown,
  status?: number,
): Answering {
  return {
    answer: (answer, request) => {
      const isMeant = status === undefined ? answer.status < 300 : answer.status === status;
      if (request.route === route && isMeant) note(request, answer);
      return undefined;
    },
  };
}

/** Changes refusals of the documented calls, or of those named. */
export function spoilRefusals(
  change: Change<Answer>,
  routes: readonly RouteName[] = documentedRoutes,
): Answering {
  return {
    answer: (answer, request) =>
      request.route !== null && routes.includes(request.route) && answer.status >= 400
        ? change(answer, request)
        : undefined,
  };
}

/** Refuses with another status where it is meant, in the documented calls or in those named. */
export function refusalAs(status: number, isMeant: IsMeant, ...routes: readonly RouteName[]): Answering {
  return spoilRefusals(
    (answer, request) => (isMeant(request, answer) ? { ...answer, status } : answer),
    routes.length === 0 ? documentedRoutes : routes,
  );
}

/** An answer that lacks a header, which is named in small letters. */
export function withoutHeader(name: string): (answer: Answer) => Answer {
  return (answer) => ({ ...answer, headers: without(answer.headers, name) as Answer['headers'] });
}

/** Changes every item of a page: a message of a channel, or a mention with its message. */
export function spoilItems(route: ReadRoute, change: Change<JsonObject, unknown>): Answering {
  return spoilList(route, (items, request) => items.map((item) => change(item, request)));
}

/** Changes every message that is shown, in a channel and in a mention. */
export function spoilMessages(change: (message: JsonObject) => JsonObject): Answering {
  return inTurn(
    spoilItems('read', change),
    spoilItems('mentions', (item) => ({ ...item, message: change(objectOf(item['message'])) })),
  );
}

/** Changes the items of a page as a whole. */
export function spoilList(
  route: ReadRoute,
  change: Change<readonly JsonObject[], readonly unknown[]>,
): Answering {
  const field = itemsFieldOf(route);
  return spoilBody(route, (body, request) => ({
    ...body,
    [field]: change(itemsOf(body, route), request),
  }));
}

/** The items of the body of a page. */
export function itemsOf(body: JsonObject, route: ReadRoute): readonly JsonObject[] {
  return listOf(body[itemsFieldOf(route)]).map(objectOf);
}

/** Whether a page has nothing on it. */
export function isEmptyPage(route: ReadRoute): IsMeant {
  return (_request, { body }) => itemsOf(objectOf(body), route).length === 0;
}

/** Whether a request says what it accepts, and JSON is not among it. */
export function acceptsNoJson({ headers: { accept } }: AnsweredRequest): boolean {
  return typeof accept === 'string' && !/\*\/\*|application\/(?:\*|json)/.test(accept);
}

/** Every one in turn, each on what the one before left. */
export function inTurn(...servers: readonly Partial<Answering>[]): Answering {
  return {
    answer: async (answer, request) => {
      let given = answer;
      for (const each of servers) given = (await each.answer?.(given, request)) ?? given;
      return given;
    },
  };
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether a value is a JSON object; bytes are none. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The sequence of an item as a bigint; 0 when it has none. */
export function sequenceOf(item: JsonObject): bigint {
  const { sequence } = item;
  return typeof sequence === 'number' || typeof sequence === 'bigint' ? BigInt(sequence) : 0n;
}

/** The highest sequence of some items, and at least so much. */
export function endOf(items: readonly JsonObject[], least = 0n): bigint {
  return items.reduce((most, item) => (sequenceOf(item) > most ? sequenceOf(item) : most), least);
}

function itemsFieldOf(route: ReadRoute): string {
  return route === 'read' ? 'messages' : 'mentions';
}

/** A refusal of any status. */
export function refusal(status: number): Answer {
  return jsonAnswer(status, { error: { code: 'refused', message: 'this request is not taken' } });
}

/** A refusal of a credential, with a challenge. */
export function unauthenticated(message: string): Answer {
  return jsonAnswer(401, { error: { code: 'unauthenticated', message } }, { 'www-authenticate': 'Bearer' });
}

/** The items with those at `index` and behind it exchanged. */
export function swappedItems<Item>(items: readonly Item[], index: number): readonly Item[] {
  const [left, right] = [items[index], items[index + 1]];
  if (left === undefined || right === undefined) return items;
  return items.with(index, right).with(index + 1, left);
}

/** The items with the numbers of the first two exchanged. */
export function swappedNumbers(items: readonly JsonObject[]): readonly JsonObject[] {
  const [first, second, ...rest] = items;
  if (first === undefined || second === undefined) return items;
  const [one, other] = [first['sequence'], second['sequence']];
  return [{ ...second, sequence: one }, { ...first, sequence: other }, ...rest];
}

/** The items by their numbers as texts. */
export function sortedAsText(items: readonly JsonObject[]): readonly JsonObject[] {
  return sortedBy(items, (item) => String(sequenceOf(item)));
}

/** The items by a text of each. */
export function sortedBy(
  items: readonly JsonObject[],
  keyOf: (item: JsonObject) => string,
): readonly JsonObject[] {
  return items.toSorted((left, right) =>
    keyOf(left) < keyOf(right) ? -1 : keyOf(left) > keyOf(right) ? 1 : 0,
  );
}

/** Every third item is gone once three others have come after it. */
export function vanishing(route: ReadRoute): Answering {
  const ends = new Map<string, bigint>();
  return spoilList(route, (items, { path, actor }) => {
    const key = route === 'read' ? path : `${actor?.agentId}`;
    const end = endOf(items, ends.get(key));
    ends.set(key, end);
    return items.filter((item) => sequenceOf(item) % 3n !== 0n || sequenceOf(item) + 3n > end);
  });
}

/** A UUID that is not this one, the same for the same. */
export function otherUuid(id: string): string {
  return id.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a'));
}

export function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _left, ...rest } = object;
  return rest;
}
