import { expect, it } from 'vitest';
import { itemOf, judged, settleMs, Story } from '../fixtures.ts';

it('says of what is dropped only that nothing lies beyond the cursor that was asked with', () => {
  const story = new Story();
  const older = itemOf(story.send({ agent: 'peer' }), 5);
  story.read([older], { agent: 'author', nextAfter: 6 });
  story.send();
  story.wait(1.5 * settleMs).read([], { agent: 'author', after: 6 });
  const [dropped] = judged(story).anomalies.filter(({ name }) => name === 'silent-drop');
  expect(dropped).toMatchObject({
    expected: expect.stringContaining('after 6') as string,
    actual: 'nothing beyond that cursor, at any time',
  });
});
