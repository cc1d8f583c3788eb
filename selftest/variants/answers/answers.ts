import type { AnsweredRequest } from '../../../reference/model/answer.ts';
import {
  type Answering,
  isObject,
  type JsonObject,
  listOf,
  spoilBody,
  spoilSuccess,
} from '../../mutants/base/spoil-answer.ts';

/** Changes every message on its way out, whichever call it answers. */
export function onMessages(change: (message: JsonObject, request: AnsweredRequest) => JsonObject): Answering {
  return spoilBody('any', (body, request) => {
    const changed = (message: unknown): unknown => (isObject(message) ? change(message, request) : message);
    switch (request.route) {
      case 'read':
        return { ...body, messages: listOf(body['messages']).map(changed) };
      case 'send':
        return 'message' in body ? { ...body, message: changed(body['message']) } : body;
      case 'mentions':
        return {
          ...body,
          mentions: listOf(body['mentions']).map((mention) =>
            isObject(mention) ? { ...mention, message: changed(mention['message']) } : mention,
          ),
        };
      default:
        return body;
    }
  });
}

/** Changes the strings of an answer's JSON, given the name of the field that holds each. */
export function onStrings(
  change: (text: string, name: string, request: AnsweredRequest) => string,
): Answering {
  return spoilSuccess('any', (answer, request) => ({
    ...answer,
    body: mapStrings(answer.body, '', (text, name) => change(text, name, request)),
  }));
}

/** Changes each object of an answer's JSON, the inner ones first. */
export function onObjects(change: (fields: JsonObject) => JsonObject): Answering {
  return { answer: (answer) => ({ ...answer, body: mapObjects(answer.body, change) }) };
}

/** Adds headers to every answer. */
export function withHeaders(headers: Readonly<Record<string, string>>): Answering {
  return { answer: (answer) => ({ ...answer, headers: { ...headers, ...answer.headers } }) };
}

/** An object without some of its fields. */
export function leavingOut(
  fields: JsonObject,
  isDropped: (name: string, value: unknown) => boolean,
): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDropped(name, value)));
}

function mapStrings(value: unknown, name: string, change: (text: string, name: string) => string): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, name, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, key, change)]));
}

function mapObjects(value: unknown, change: (fields: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapObjects(each, change)])),
  );
}
