import {
  jsonAnswer,
  type Answer,
  type AnsweredRequest,
  type AnswerHook,
} from '../../../reference/model/answer.ts';
import type { RouteName } from '../../../reference/model/routes.ts';

/** A JSON object on its way out, whatever is in it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Changes an answer, or a part of one; `request` is what it answers. */
type Change<Part, Changed = Part> = (part: Part, request: AnsweredRequest) => Changed;

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

/** Changes the answers of a call that succeed. */
export function spoilSuccess(route: RouteName, change: Change<Answer>): AnswerHook {
  return (answer, request) =>
    request.route === route && answer.status < 300 ? change(answer, request) : undefined;
}

/** Changes the bodies of the answers of a call that succeed. */
export function spoilBody(route: RouteName, change: Change<JsonObject, unknown>): AnswerHook {
  return spoilSuccess(route, (answer, request) => ({
    ...answer,
    body: change(objectOf(answer.body), request),
  }));
}

/** Changes refusals of the documented calls, or of those named. */
export function spoilRefusals(
  change: Change<Answer>,
  routes: readonly RouteName[] = documentedRoutes,
): AnswerHook {
  return (answer, request) =>
    request.route !== null && routes.includes(request.route) && answer.status >= 400
      ? change(answer, request)
      : undefined;
}

/** Changes every item of a page: a message of a channel, or a mention with its message. */
export function spoilItems(route: ReadRoute, change: Change<JsonObject, unknown>): AnswerHook {
  return spoilList(route, (items, request) => items.map((item) => change(item, request)));
}

/** Changes the items of a page as a whole. */
export function spoilList(
  route: ReadRoute,
  change: Change<readonly JsonObject[], readonly unknown[]>,
): AnswerHook {
  const field = itemsFieldOf(route);
  return spoilBody(route, (body, request) => ({
    ...body,
    [field]: change(itemsOf(body, route), request),
  }));
}

/** The items of the body of a page. */
export function itemsOf(body: JsonObject, route: ReadRoute): readonly JsonObject[] {
  const items = body[itemsFieldOf(route)];
  return Array.isArray(items) ? items.map(objectOf) : [];
}

/** Every hook in turn, each on what the one before left. */
export function inTurn(...hooks: readonly AnswerHook[]): AnswerHook {
  return async (answer, request) => {
    let given = answer;
    for (const hook of hooks) given = (await hook(given, request)) ?? given;
    return given;
  };
}

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The sequence of an item as a bigint; 0 when it has none. */
export function sequenceOf(item: JsonObject): bigint {
  const { sequence } = item;
  return typeof sequence === 'number' || typeof sequence === 'bigint' ? BigInt(sequence) : 0n;
}

function itemsFieldOf(route: ReadRoute): string {
  return route === 'read' ? 'messages' : 'mentions';
}

/** A refusal of any status. */
export function refusal(status: number): Answer {
  return jsonAnswer(status, { error: { code: 'refused', message: 'this request is not taken' } });
}

/** The items with those at `index` and behind it exchanged. */
export function swappedItems<Item>(items: readonly Item[], index: number): readonly Item[] {
  const [left, right] = [items[index], items[index + 1]];
  if (left === undefined || right === undefined) return items;
  return items.with(index, right).with(index + 1, left);
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
export function vanishing(route: ReadRoute): AnswerHook {
  const ends = new Map<string, bigint>();
  return spoilList(route, (items, { path, actor }) => {
    const key = route === 'read' ? path : `${actor?.agentId}`;
    const end = items.reduce(
      (most, item) => (sequenceOf(item) > most ? sequenceOf(item) : most),
      ends.get(key) ?? 0n,
    );
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
