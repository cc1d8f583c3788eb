import { isAccepted, statusOf, type Exchange } from '../../../harness/client/exchange.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import { CheckStopped, describeAnswer, given, unmet } from '../../../harness/verdict/outcome.ts';
import type { StreamView } from '../../../harness/stream/stream-view.ts';
import type { Walk } from '../../../harness/stream/walk.ts';
import type { ClauseId } from '../../../spec/index.ts';

/** Ends the check as disturbed unless every exchange came to a complete answer. */
export function requireAnswered(...exchanges: readonly Exchange[]): void {
  const disturbed = exchanges.find(({ fault }) => fault !== undefined);
  if (disturbed !== undefined) {
    throw new CheckStopped({ kind: 'disturbed', clause: undefined, exchange: disturbed });
  }
}

/** Ends the check with its precondition not met unless every send was accepted: what it wants to see cannot be there. */
export function requireAccepted(...exchanges: readonly Exchange[]): void {
  requireAnswered(...exchanges);
  const other = exchanges.find((exchange) => !isAccepted(exchange));
  if (other !== undefined) unmet(`a send that the check builds on got ${describeAnswer(other)}`, other);
}

/** Of all that was asked for, each by one request, what got an accepted answer. */
export function acceptedAmong<Each>(asked: readonly Each[], answers: readonly Exchange[]): readonly Each[] {
  return asked.filter((_each, at) => answers.slice(at, at + 1).some(isAccepted));
}

/** Ends the check with its precondition not met unless every send was refused: what it wants to be nowhere may be there. */
export function requireRefused(...exchanges: readonly Exchange[]): void {
  requireAnswered(...exchanges);
  const other = exchanges.find((exchange) => Math.floor((statusOf(exchange) ?? 0) / 100) !== 4);
  if (other !== undefined) unmet(`a send that should be refused got ${describeAnswer(other)}`, other);
}

/** Where to look when no session of a send shows. */
export const seeSourceSession =
  'see bindings.source_session and names.providers, or name source_session under without if this server has none';

/** Ends the check with its precondition not met unless a field of a send shows in its message: the server may call it otherwise. */
export function requireEffect(
  bindings: Always['bindings'],
  field: 'mentions' | 'attachments' | 'sourceSession',
  isShown: boolean,
  sent?: Exchange,
): void {
  const where = field === 'sourceSession' ? seeSourceSession : `see bindings.${field}`;
  given(isShown, `the channel does not show the field ${bindings[field]} of a send: ${where}`, sent);
}

/**
 * The agents that came last to a fresh workspace, whom one leaves out that counts only so many; ends the check with its precondition not met
 * when it has fewer.
 */
export function lastAgents({ agents }: Pick<FreshWorkspace, 'agents'>, count: number): readonly Actor[] {
  given(
    agents.length >= count,
    `hooks.provision made ${agents.length} of the ${count} agents it was asked for`,
  );
  return agents.slice(-count);
}

/**
 * Judges that a send was accepted. A refusal speaks of the clause only while a plain message is accepted: a server that
 * takes no message at all breaks another one.
 */
export async function expectAccepted(
  {
    author,
    channel,
    draft,
    expect,
  }: Pick<Context<'author' | 'channel'>, 'author' | 'channel' | 'draft' | 'expect'>,
  clause: ClauseId,
  sent: Exchange,
): Promise<void> {
  if (!isAccepted(sent)) requireAccepted(await author.send(channel.id, draft().text));
  expect(clause, sent).toBeAccepted();
}

/** Everything from a cursor on; ends the check with its precondition not met when the stream does not come to its end. */
export async function readOn(view: StreamView, from: bigint | undefined): Promise<Walk> {
  const read = await view.walk(from);
  requireAnswered(...read.pages.map(({ exchange }) => exchange));
  return read.isComplete ? read : unmet(`${view.label} could not be read to its end: ${read.problem ?? ''}`);
}
