import type { Answer, AnsweredRequest, AnswerHook } from '../../../reference/model/answer.ts';

/** A JSON object whose fields nobody has looked at. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

/** A hook that changes the JSON body of successful answers to one call, or to any. */
export function onSuccess(
  route: AnsweredRequest['route'] | 'any',
  change: (body: unknown, request: AnsweredRequest) => unknown,
): AnswerHook {
  return (answer, request) => {
    const isMeant = route === 'any' || request.route === route;
    return isMeant && isJsonSuccess(answer) ? { ...answer, body: change(answer.body, request) } : undefined;
  };
}

/** A hook that changes every message on its way out, whichever call it answers. */
export function onMessages(change: (message: Fields, request: AnsweredRequest) => Fields): AnswerHook {
  return onSuccess('any', (body, request) => {
    if (!isFields(body)) return body;
    const changed = (message: unknown): unknown => (isFields(message) ? change(message, request) : message);
    switch (request.route) {
      case 'read':
        return { ...body, messages: listOf(body['messages']).map(changed) };
      case 'send':
        return 'message' in body ? { ...body, message: changed(body['message']) } : body;
      case 'mentions':
        return {
          ...body,
          mentions: listOf(body['mentions']).map((mention) =>
            isFields(mention) ? { ...mention, message: changed(mention['message']) } : mention,
          ),
        };
      default:
        return body;
    }
  });
}

/** A hook that changes the strings of an answer's JSON, given the name of the field that holds each. */
export function onStrings(
  change: (text: string, name: string, request: AnsweredRequest) => string,
): AnswerHook {
  return onSuccess('any', (body, request) =>
    mapStrings(body, '', (text, name) => change(text, name, request)),
  );
}

/** A hook that changes each object of an answer's JSON, the inner ones first. */
export function onObjects(change: (fields: Fields) => Fields): AnswerHook {
  return (answer) => {
    if (answer.body === undefined || answer.body instanceof Uint8Array) return undefined;
    return { ...answer, body: mapObjects(answer.body, change) };
  };
}

/** A hook that adds headers to every answer. */
export function withHeaders(headers: Readonly<Record<string, string>>): AnswerHook {
  return (answer) => ({ ...answer, headers: { ...headers, ...answer.headers } });
}

/** An object without some of its fields. */
export function without(fields: Fields, isDropped: (name: string, value: unknown) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDropped(name, value)));
}

function isJsonSuccess({ status, body }: Answer): boolean {
  return status < 300 && body !== undefined && !(body instanceof Uint8Array);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapStrings(value: unknown, name: string, change: (text: string, name: string) => string): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, name, change));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, key, change)]));
}

function mapObjects(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change));
  if (!isFields(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapObjects(each, change)])),
  );
}
