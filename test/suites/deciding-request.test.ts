import { expect, it } from 'vitest';
import { contractRules, type Rules } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { runAgainst } from './run-suite.ts';

const another = '00000000-0000-4000-8000-000000000001';
const presenting = (presentMessage: Rules['presentMessage']): Partial<Rules> => ({ presentMessage });

/** What a message shows wrongly, by the check that compares it with its send. */
const shownWrongly: readonly (readonly [check: string, rules: Partial<Rules>])[] = [
  [
    'message.content-with-white-space-and-line-ends-is-unaltered',
    presenting((message) => ({ ...message, content: message.content.trim() })),
  ],
  [
    'message.texts-that-are-something-else-are-unaltered',
    presenting((message) => ({ ...message, content: message.content.replace(/^null$/, 'none') })),
  ],
  ['message.shows-the-targets-it-was-sent-with', { presentTargets: (targets) => targets.slice(0, 1) }],
  ['message.names-its-workspace', presenting((message) => ({ ...message, workspace_id: another }))],
  [
    'file.sha256-is-the-digest-of-its-bytes',
    { presentFile: (file) => ({ ...file, sha256: 'a'.repeat(64) }) },
  ],
];

it.concurrent.each(shownWrongly)(
  'a finding of %s has the read that shows it',
  async (id, rules) => {
    const checks = allChecks.filter((check) => check.id === id);
    expect(checks.map((check) => check.id)).toEqual([id]);
    const { findings } = await runAgainst(checks, { rules: { ...contractRules, ...rules } });
    const own = findings.filter((finding) => finding.check === id);
    expect(own.length).toBeGreaterThan(0);
    for (const { exchanges } of own) expect(exchanges.at(-1)?.request).toMatchObject({ method: 'GET' });
  },
  30_000,
);

it('a finding of messages that are never shown is about the one that is', async () => {
  const checks = allChecks.filter(({ id }) => id === 'mentions.names-in-the-text-are-not-listed');
  const reaching: Partial<Rules> = {
    mentionedBy: (targets, content, agents) =>
      content.endsWith(' @everyone') ? agents().map(({ id }) => ({ kind: 'agent', id })) : targets,
  };
  const { findings } = await runAgainst(checks, { rules: { ...contractRules, ...reaching } });
  const [found] = findings.filter(({ clause }) => clause === 'mentions.only-explicit');
  const marker = / message ([^, ]+)$/.exec(found?.expected ?? '')?.[1];
  const bodies = found?.exchanges.map(({ response }) => JSON.stringify(response)) ?? [];
  expect(bodies.some((body) => new RegExp(`${marker}[^"]* @everyone`).test(body))).toBe(true);
}, 30_000);
