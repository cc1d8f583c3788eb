import type { RouteName } from './routes.ts';

/** What goes back to the client, before it is serialised. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, which may hold bigints; bytes leave as they are; undefined is an empty body. */
  readonly body?: unknown;
  /** How the answer ends on the wire; anything but `complete` is a fault that a hook asks for. */
  readonly ending?: 'complete' | 'truncated' | 'reset' | 'silent';
}

/** Whom an answer is for, and to what. */
export interface AnsweredRequest {
  /** Null when the path is not one of ours. */
  readonly route: RouteName | null;
  readonly method: string;
  /** The path without its query, as it came. */
  readonly path: string;
  /** Decoded query parameters; of a repeated one the last. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Who asked; null until a credential was accepted. */
  readonly actor: { readonly agentId: string | null; readonly machineId: string | null } | null;
}

/** May replace an answer on its way out; undefined leaves it as it is. */
export type AnswerHook = (answer: Answer, request: AnsweredRequest) => Answer | void | Promise<Answer | void>;

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers, body };
}
