import { type Exchange, isAccepted } from '../../../harness/client/exchange.ts';
import { isSameId } from '../../../oracles/answers/overview.ts';
import { idsIn } from '../../../oracles/values/json-texts.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { eventually } from '../eventually.ts';
import type { Changing, Scene } from './scene.ts';

/** A list of channels, and what is broken where it lacks one that an agent uses. */
export interface Listing {
  readonly clause: ClauseId;
  /** Nothing where the workspace has nobody who may ask. */
  readonly ask: (scene: Scene) => Promise<Exchange | undefined>;
}

/** Every list of channels that shows one to somebody of its workspace. */
export const listings: readonly Listing[] = [
  {
    clause: 'overview.channels.lists-a-known-one',
    ask: async ({ fresh }) => fresh.optional('machine')?.overview(fresh.workspaceId),
  },
  { clause: 'channels-list.lists-a-known-one', ask: ({ reader }) => reader.channels() },
];

function hasChannel({ fresh }: Scene, { response }: Exchange): boolean {
  return idsIn(response?.json).some((id) => isSameId(id, fresh.channel.id));
}

/** Those that have the channel. */
export async function listingIn(scene: Scene, among: readonly Listing[]): Promise<readonly Listing[]> {
  const answers = await Promise.all(among.map(({ ask }) => ask(scene)));
  return among.filter((_, at) => answers.slice(at, at + 1).some((each) => each && hasChannel(scene, each)));
}

/** Who is let in as before is shown the channel as before. */
export async function judgeListings(
  context: Changing,
  scene: Scene,
  before: readonly Listing[],
): Promise<void> {
  const { expect } = context;
  for (const { clause, ask } of before) {
    const isEnough = (answer: Exchange | undefined): boolean =>
      answer === undefined || !isAccepted(answer) || hasChannel(scene, answer);
    const answer = await eventually(context, () => ask(scene), isEnough);
    if (answer === undefined || !isAccepted(answer)) continue;
    const problem = { expected: `channel ${scene.fresh.channel.id}, as before`, actual: 'it is gone' };
    expect.holds(clause, hasChannel(scene, answer), problem, answer);
  }
}
