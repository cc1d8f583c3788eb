import { describe, expect, it } from 'vitest';
import { reportOn } from '../../../cli/shared/reports.ts';
import { againCommands } from '../../../cli/shared/again-commands.ts';
import { againCommand } from '../../../reporters/story/again.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { RunCollector } from '../../../reporters/run-so-far.ts';
import { collected, finding, header } from '../events.ts';
import { campaign } from '../page/other-runs.ts';

/** A campaign whose stream is in a folder that a shell would take apart. */
function campaignIn(folder: string): RunCollector {
  const command = ['fuzz', '--cases', '10', '--target', 'own target.yaml', '--strict', '--max-bytes=9'];
  const found = finding({
    check: 'limit',
    case: {
      root: 'mentions.limit | maximum',
      label: 'limit/above-100',
      phase: 'random',
      calls: ['mentions'],
      isInCorpus: false,
      file: 'mentions.limit-0123abcd.json',
    },
  });
  return collected([header({ checks: 0, campaign: { seed: 7, shards: ['1/1'] }, command }), found], folder);
}

const references: Readonly<Record<string, string>> = { '&apos;': "'", '&#39;': "'", '&quot;': '"' };

describe("a campaign's finding", () => {
  it.each(['junit', 'ctrf', 'sarif', 'markdown', 'github', 'html'])(
    'has the command that sends its request again in %s',
    (name) => {
      const format = reportFormats.find((each) => each.name === name);
      if (format === undefined) throw new Error(`no format ${name}`);
      const rerunCommand = (): string => 'another command';
      const settings = { ...againCommands, rerunCommand, secrets: new KnownSecrets() };
      const text = [...reportOn([campaignIn("bob's results")], format, settings)].join('');
      const read = text.replaceAll(/&(?:apos|#39|quot);/g, (escape) => references[escape] ?? escape);
      const command = String.raw`replay 'bob'\''s results/failures/mentions.limit-0123abcd.json' --target 'own target.yaml' --max-bytes=9`;
      const isJson = ['ctrf', 'sarif'].includes(name);
      expect(read).toContain(isJson ? JSON.stringify(command).slice(1, -1) : command);
      expect(read).not.toContain('another command');
    },
  );

  it('that did not show by itself has the command of the campaign', () => {
    const run = campaignIn('results');
    const [shown] = run.findings;
    if (shown === undefined) throw new Error('no finding');
    const command = againCommand({ ...shown, seen: { times: 0, of: 3 } }, run, againCommands);
    expect(command).toMatch(/ fuzz --cases 10 --target 'own target.yaml' --strict --max-bytes=9$/);
  });

  it('that its request showed no more at the end has the command of the campaign, and no curl line', () => {
    const run = campaignIn('results');
    const again = { times: 0, of: 1 };
    const seen = { F1: { sightings: 4, clauses: ['mentions.limit'], calls: ['mentions'], again } };
    const ends = campaign.flatMap((event) => (event.type === 'footer' ? [event] : []));
    for (const end of ends) if (end.campaign) run.add({ ...end, campaign: { ...end.campaign, seen } });
    const [shown] = run.findings;
    if (shown === undefined) throw new Error('no finding');
    expect(againCommand(shown, run, againCommands)).toContain(' fuzz --cases 10 ');
    expect(shown.exchanges.length).toBeGreaterThan(0);
    for (const { curl, whyNoCurl } of shown.exchanges)
      expect([curl, whyNoCurl]).toEqual([undefined, 'it showed this no more at the end of the campaign']);
  });
});
