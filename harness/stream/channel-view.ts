import type { Actor } from '../client/actor.ts';
import { readPage } from './page.ts';
import type { RunState } from './run-state.ts';
import { StreamView } from './stream-view.ts';

/** A channel as one attempt at a check sees it, read and anchored by one of the target's agents. */
export class ChannelView extends StreamView {
  readonly id: string;

  constructor(id: string, viewer: Actor, run: RunState) {
    super(
      {
        key: `channel ${id}`,
        label: 'the channel',
        start: 0n,
        reader: viewer,
        clock: viewer.clock,
        readPage: async (after, limit) =>
          readPage(await viewer.readChannel(id, { after, limit }), run.target.bindings.items),
        sendAnchor: ({ text }) => viewer.send(id, text),
      },
      run,
    );
    this.id = id;
  }
}

/** A view whose cursor is taken: what is sent from now on lies above it. */
export async function openChannelView(id: string, viewer: Actor, run: RunState): Promise<ChannelView> {
  const view = new ChannelView(id, viewer, run);
  await view.prepare();
  return view;
}
