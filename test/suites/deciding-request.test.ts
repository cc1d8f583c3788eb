import { expect, it } from 'vitest';
import type { Rules } from '../../reference/index.ts';
import { shown } from '../../selftest/mutants/base/changed-rules.ts';
import { runAgainst } from './run-suite.ts';

const another = '00000000-0000-4000-8000-000000000001';

/** What a message shows wrongly, by the check that compares it with its send. */
const shownWrongly: readonly (readonly [check: string, rules: Partial<Rules>])[] = [
  [
    'message.content-with-white-space-and-line-ends-is-unaltered',
    shown('presentMessage', ({ content }) => ({ content: content.trim() })),
  ],
  [
    'message.texts-that-are-something-else-are-unaltered',
    shown('presentMessage', ({ content }) => ({ content: content.replace(/^null$/, 'none') })),
  ],
  ['message.shows-the-targets-it-was-sent-with', { presentTargets: (targets) => targets.slice(0, 1) }],
  ['message.names-its-workspace', shown('presentMessage', () => ({ workspace_id: another }))],
  ['file.sha256-is-the-digest-of-its-bytes', shown('presentFile', () => ({ sha256: 'a'.repeat(64) }))],
];

it.concurrent.each(shownWrongly)(
  'a finding of %s has the read that shows it',
  async (id, rules) => {
    const { findings } = await runAgainst(id, { rules });
    const own = findings.filter((finding) => finding.check === id);
    expect(own.length).toBeGreaterThan(0);
    for (const { exchanges } of own) expect(exchanges.at(-1)?.request).toMatchObject({ method: 'GET' });
  },
  30_000,
);

it('a finding of messages that are never shown is about the one that is', async () => {
  const mentionedBy: Rules['mentionedBy'] = (targets, content, agents) =>
    content.endsWith(' @everyone') ? agents().map(({ id }) => ({ kind: 'agent', id })) : targets;
  const id = 'mentions.names-in-the-text-are-not-listed';
  const { findings } = await runAgainst(id, { rules: { mentionedBy } });
  const [found] = findings.filter(({ clause }) => clause === 'mentions.only-explicit');
  const marker = / message ([^, ]+)$/.exec(found?.expected ?? '')?.[1];
  const bodies = found?.exchanges.map(({ response }) => JSON.stringify(response)) ?? [];
  expect(bodies.some((body) => new RegExp(`${marker}[^"]* @everyone`).test(body))).toBe(true);
}, 30_000);
