import type { MentionTarget, SourceSession } from '../../spec/generated/types.ts';
import { Refusal } from '../model/refusal.ts';
import type { Rules } from '../rules/rules.ts';

/** The body of a send, its types checked and nothing else. */
export interface SentFields {
  readonly content: string;
  readonly contentType: string;
  readonly mentions: readonly MentionTarget[];
  readonly attachments: readonly string[];
  readonly sourceSession: SourceSession | null;
  readonly agentHost: string | null;
}

/**
 * Reads the fields of a send's body.
 * @throws Refusal when a field has the wrong type or is not one of the call's.
 */
export function readDraft(rules: Rules, body: Readonly<Record<string, unknown>>): SentFields {
  for (const name of Object.keys(body)) {
    if (!rules.acceptsField(name)) throw invalid(name, 'is not a field of a message');
  }
  return {
    content: bodyText(rules, 'content', body['content']),
    contentType:
      body['content_type'] === undefined
        ? rules.contentTypeWhenOmitted(listOfField(body['attachments'], 'attachments').length > 0)
        : bodyText(rules, 'content_type', body['content_type']),
    mentions: listOfField(body['mentions'], 'mentions').map((target) => readMentionTarget(rules, target)),
    attachments: listOfField(body['attachments'], 'attachments').map((id) =>
      text(id, 'attachments').toLowerCase(),
    ),
    sourceSession: body['source_session'] === undefined ? null : readSession(rules, body['source_session']),
    agentHost:
      body['agent_host'] === undefined || body['agent_host'] === null
        ? null
        : text(body['agent_host'], 'agent_host'),
  };
}

/** A refusal of one field of the body. */
export function invalid(field: string, what: string): Refusal {
  return new Refusal('invalid', `${field} ${what}`, { details: { field } });
}

function readMentionTarget(rules: Rules, value: unknown): MentionTarget {
  const target = record(value, 'mentions');
  for (const name of Object.keys(target)) {
    if (!rules.acceptsTargetField(name))
      throw invalid('mentions', `holds a target with a field ${JSON.stringify(name)}`);
  }
  const kind = text(target['kind'], 'mentions');
  const id = text(target['id'], 'mentions');
  if (!rules.acceptsTargetKind(kind)) throw invalid('mentions', 'holds a target of an unknown kind');
  if (!rules.acceptsTargetId(id)) throw invalid('mentions', 'holds a target whose id is not a UUID');
  return { kind: kind as MentionTarget['kind'], id: id.toLowerCase() };
}

function readSession(rules: Rules, value: unknown): SourceSession {
  const session = record(rules.readSession(value), 'source_session');
  for (const name of Object.keys(session)) {
    if (!rules.acceptsSessionField(name))
      throw invalid('source_session', `has no field ${JSON.stringify(name)}`);
  }
  const part = (name: string): string => {
    const read = rules.readSessionPart(name, session[name]);
    if (read === undefined) throw invalid(`source_session.${name}`, 'has to be a string');
    return read;
  };
  return {
    ...session,
    provider: part('provider') as SourceSession['provider'],
    surface: part('surface') as SourceSession['surface'],
    session_id: part('session_id'),
  };
}

function bodyText(rules: Rules, field: 'content' | 'content_type', value: unknown): string {
  const read = rules.readText(field, value);
  if (read === undefined) throw invalid(field, 'has to be a string');
  return read;
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw invalid(field, 'has to be a string');
  return value;
}

function listOfField(value: unknown, field: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(field, 'has to be an array');
  return value;
}

function record(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(field, 'has to be an object');
  return value as Readonly<Record<string, unknown>>;
}
