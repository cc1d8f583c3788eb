import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import type { NamedTarget } from '../../../spec/oracles/messages/targets.ts';
import { requireAnswered } from '../send/accepted-sends.ts';

/** A target, and whether a message with it was taken. */
interface Tried {
  readonly target: NamedTarget;
  readonly isTaken: boolean;
}

/** One that a message of its own named. */
interface TriedAlone extends Tried {
  readonly message: Draft;
  readonly sent: Exchange;
}

/** Sends a message for each of some targets. */
export function tryEach(
  { bindings, draft }: Pick<Always, 'bindings' | 'draft'>,
  { from, channelId }: { readonly from: Actor; readonly channelId: string },
  targets: readonly NamedTarget[],
): Promise<readonly TriedAlone[]> {
  return Promise.all(
    targets.map(async (target) => {
      const message = draft();
      const fields = { [bindings.mentions]: [target] };
      const sent = await from.send(channelId, message.text, { fields });
      requireAnswered(sent);
      return { target, message, sent, isTaken: isAccepted(sent) };
    }),
  );
}

/** Judges that all targets were taken when one was; that one. Ends the check with its precondition not met when none was. */
export function expectAllTaken<One extends Tried & { readonly sent?: Exchange }>(
  { expect }: Pick<Always, 'expect'>,
  tried: readonly One[],
): One {
  const taken =
    tried.find(({ isTaken }) => isTaken) ??
    unmet('no target is taken: see bindings.mentions', tried[0]?.sent);
  const refused = tried.find(({ isTaken }) => !isTaken) ?? taken;
  const problem = {
    expected: `the target ${named(refused)} to be taken, as ${named(taken)} is`,
    actual: refused.sent === undefined ? 'it is refused' : describeAnswer(refused.sent),
  };
  const evidence = [taken, refused].flatMap(({ sent }) => sent ?? []);
  expect.holds('message.mentions.every-kind-is-taken', refused === taken, problem, ...evidence);
  return taken;
}

function named({ target: { kind, id } }: Tried): string {
  return `${kind} ${id}`;
}
