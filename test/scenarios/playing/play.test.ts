import { expect, it } from 'vitest';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { scenarios } from '../../../scenarios/catalogue/index.ts';
import { outcomeOf } from '../../../scenarios/playing/outcome.ts';
import { play, type Played } from '../../../scenarios/playing/play.ts';
import type { Scenario } from '../../../scenarios/scenario.ts';

/** A client that prints the ids of its mentions, and before each read whatever else it is given. */
const program = `
  const { CONFORM_BASE_URL: url, CONFORM_TOKEN: token } = process.env;
  for (let after = 0; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    for (const line of process.argv.slice(1)) console.log(line);
    const headers = { authorization: 'Bearer ' + token };
    const answer = await fetch(url + '/v0/mentions?limit=100&after=' + after, { headers });
    const { mentions, page } = await answer.json();
    for (const { id } of mentions) console.log(JSON.stringify({ id }));
    after = page.next_after;
  }`;
const usual = scenarios.find(({ id }) => id === 'read.mentions') as Scenario;
const other = '5b6f0f3e-5c0e-4d8f-9a44-4e3f7f1d9a01';

/** A client that sends its list, the first of it in other words. */
const sender = `
  import { createInterface } from 'node:readline';
  const { CONFORM_BASE_URL: url, CONFORM_TOKEN: token, CONFORM_CHANNEL: channel } = process.env;
  let isFirst = true;
  for await (const line of createInterface({ input: process.stdin })) {
    const { content } = JSON.parse(line);
    await fetch(url + '/v0/channels/' + channel + '/messages', {
      method: 'POST',
      headers: {
        authorization: 'Bearer ' + token,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ content: isFirst ? 'in other words' : content }),
    });
    isFirst = false;
  }`;

function playedWith(scenario: Scenario, source: string, ...more: readonly string[]): Promise<Played> {
  return play(scenario, {
    command: [process.execPath, '--input-type=module', '-e', source, '--', ...more],
    env: process.env,
    patienceMs: 6_000,
    secrets: new KnownSecrets(),
    signal: new AbortController().signal,
  });
}

async function shownOf(...lines: readonly object[]): Promise<readonly (readonly [string, string])[]> {
  const played = await playedWith(usual, program, ...lines.map((line) => JSON.stringify(line)));
  const outcome = outcomeOf(played);
  return outcome.kind === 'judged'
    ? outcome.shown.map(({ name, actual }) => [name, actual])
    : [['undone', outcome.why]];
}

it('lines of a log with an id are no messages', { timeout: 60_000 }, async () => {
  expect(await shownOf({ level: 30, id: 'req-7', content: 'poll' }, { id: other, msg: 'poll' })).toEqual([]);
});

it('a message that is not known is said to be that', { timeout: 60_000 }, async () => {
  expect(await shownOf({ id: other, content: 'made up' })).toEqual([
    ['not-meant', `one with the id ${other}, which no message has`],
  ]);
});

it('shows the send that is not as it was to be, and not the last ones', { timeout: 60_000 }, async () => {
  const list = scenarios.find(({ id }) => id === 'send.list') as Scenario;
  const played = await playedWith(list, sender);
  const outcome = outcomeOf(played);
  const altered = outcome.kind === 'judged' && outcome.shown.find(({ name }) => name === 'altered');
  const { witness = [], actual } = altered || {};
  expect(actual).toContain('in other words');
  expect(played.stage.operations.length).toBeGreaterThan(2);
  expect(witness).toEqual(played.stage.operations.slice(0, 1));
});
