import { expect, it } from 'vitest';
import { anchorsOf, speaksFor, walksOf } from '../../../history/world/walks.ts';
import { worldOf } from '../../../history/world/world.ts';
import { Story } from '../fixtures.ts';

it('what stands on a page although it is not behind the cursor speaks for nothing that the page lacks', () => {
  const story = new Story();
  const items = story.items([1, 2, 3, 4]);
  story.read(items, { after: 2 });
  const [stream] = worldOf(story.history).streams.values();
  const [walk] = stream === undefined ? [] : walksOf(stream);
  const anchors = walk === undefined ? [] : [...anchorsOf(walk.pages, speaksFor.byPlace).values()].flat();
  expect(anchors.map(({ sequence }) => sequence)).toEqual([3]);
});
