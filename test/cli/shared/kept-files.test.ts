import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptFiles } from '../../../cli/shared/kept-files.ts';
import type { FooterEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { check, clause, footer, observations, preflight, runs } from '../../reporters/events.ts';

const folder = ownFolder('kept-files-');
const [gate, baseline, snapshot] = ['gate.txt', 'known.yaml', 'observed.yaml'].map((name) =>
  join(folder, name),
) as [string, string, string];
const earlier = 'mentions.ascending\n';

beforeEach(() => {
  writeFileSync(gate, earlier);
  rmSync(baseline, { force: true });
  rmSync(snapshot, { force: true });
});

/** What is said of files that a run of these events leaves behind. */
function kept(events: readonly ResultEvent[]): string {
  const files = new KeptFiles({ writeRequire: gate, writeBaseline: baseline, snapshot }, folder);
  for (const event of events) files.add(event);
  return files.write(events.at(-1) as FooterEvent, { isWhole: true }).join('\n');
}

const nothing = check('mentions.nothing', 'nothing', [
  clause('mentions.ascending', { verdict: 'inconclusive', judged: 0 }),
]);
const open = footer({ exitCode: 3 });

describe('files kept for a gate', () => {
  it('are written by a run that came to a result', () => {
    const said = kept(runs['all passed']);
    expect(said).toMatch(/known\.yaml has no entry, since nothing failed/);
    expect(said).toMatch(/gate\.txt lists what this run decided/);
    expect(said).toMatch(/wrote a snapshot to .*observed\.yaml/);
    expect(readFileSync(gate, 'utf8')).toContain('auth.challenge');
  });

  it.each<[name: string, events: readonly ResultEvent[], why: RegExp]>([
    ['failed preflight', runs['preflight failed'], /preflight failed/],
    [
      'decided nothing',
      [preflight(), nothing, open],
      /the run (?:decided no clause|observed nothing)|nothing could be concluded/,
    ],
    ['had no check', [open], /the run (?:decided no clause|observed nothing)|nothing could be concluded/],
    [
      'could not conclude, as in trouble',
      [
        preflight(),
        check('a.b', 'c', [clause('mentions.limit')]),
        ...observations,
        footer({ exitCode: 3, reason: 'the server is gone' }),
      ],
      /the server is gone/,
    ],
    [
      'lost a credential',
      [
        preflight(),
        check('a.b', 'c', [clause('mentions.limit')]),
        ...observations,
        footer({ exitCode: 3, trouble: { atMs: 1, enabled: 9, open: 1, text: 'the api-key was refused' } }),
      ],
      /the api-key was refused/,
    ],
    ['was interrupted', runs.interrupted, /not complete|only a complete run/],
  ])('stay as they are after a run that %s, which says why', (_, events, why) => {
    const lines = kept(events).split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).toMatch(/was not written: /);
      expect(line).toMatch(why);
    }
    expect(readFileSync(gate, 'utf8')).toBe(earlier);
    expect([baseline, snapshot].filter((file) => existsSync(file))).toEqual([]);
  });

  it('have the failures of a run in trouble, which are no less true', () => {
    const failed = check('a.b', 'c', [clause('mentions.limit', { verdict: 'failed' })]);
    expect(kept([preflight(), failed, footer({ exitCode: 1, reason: 'a hook does not work' })])).toMatch(
      /known\.yaml lists the failures/,
    );
  });
});
