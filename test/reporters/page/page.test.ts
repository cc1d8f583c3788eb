import { describe, expect, it } from 'vitest';
import { shownLines } from '../../../harness/output/printable.ts';
import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { declaredPairs } from '../../../history/situations/tally.ts';
import { pageOn } from '../../../reporters/page/page.ts';
import { clauses } from '../../../spec/index.ts';
import { collected, finding, header, read, runs, send } from '../events.ts';
import { reportOn, statesOn } from '../formats/report.ts';
import { eight, fullRun } from './full-run.ts';
import { hostileRun } from './hostile-run.ts';
import { campaign, campaignOverTime } from './other-runs.ts';

const all = Object.entries<readonly ResultEvent[]>(runs);

describe.each(all)('the page of a run "%s"', (_name, events) => {
  const page = reportOn('html', events);

  it('has each broken clause as a finding that leads to it', () => {
    for (const each of events.filter((event) => event.type === 'finding')) {
      expect(page).toContain(`id="${each.id}"`);
      for (const { clause } of brokenClauses(each))
        expect(page).toContain(`<a href="#${clause}"><code>${clause}</code></a>`);
    }
  });

  it('names no element twice, and leads to none that is not there', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id = '']) => decodeURIComponent(id));
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });
});

describe('the page of a run', () => {
  it('has every clause of the register, and those that were broken as broken', () => {
    const page = statesOn(reportOn('html', fullRun({ broken: eight })));
    expect(page.size).toBe(clauses.length);
    const broken = [...page].flatMap(([id, state]) => (state === 'failed' || state === 'warned' ? id : []));
    const restating = clauses.flatMap(({ id, restates }) =>
      restates !== undefined && eight.includes(restates) ? id : [],
    );
    expect(broken.toSorted()).toEqual([...eight, ...restating].toSorted());
  });

  it('tells of a clause in how many situations it was put to the test, and names some that never arose', () => {
    const page = reportOn('html', fullRun({ broken: [] }));
    const { pairs, missing } = declaredPairs().find(({ clause }) => clause === 'mentions.ascending') ?? {};
    const [, shown = ''] = /id="mentions\.ascending"([^]*?)<\/details>/.exec(page) ?? [];
    expect(shown).toContain(`${(pairs ?? 0) - 3} of ${pairs} situations arose`);
    expect(shown).toContain(`never: ${missing?.slice(0, 2).join('; ')}; 1 more`);
    expect(shown).toContain('<code>mentions.');
    const [, without = ''] = /id="send\.content-bytes"([^]*?)<\/details>/.exec(page) ?? [];
    expect(without).not.toContain('situations');
  });

  it('tells which bounds of which inputs were reached, with a link to the clause of each', () => {
    const page = reportOn('html', fullRun({ broken: [] }));
    const [, plot = ''] = /Boundary coverage: ([^]*?)<\/table>/.exec(page) ?? [];
    expect(plot).toMatch(/^13 of 21 bounds reached/);
    expect(plot).toMatch(/limit of mentions\s*<\/th>/);
    const bounds = [...plot.matchAll(/<li class="(\w+)"><a href="#([^"]*)"[^>]*><b>(.*?)<\/b> (.*?)<\/a>/g)];
    expect(bounds.slice(0, 3).map(([, ...parts]) => parts)).toEqual([
      ['missed', 'mentions.limit.min', '(0)', 'never'],
      ['reached', 'mentions.limit.min', '1', '×1'],
      ['reached', 'mentions.limit.max', '100', '×2'],
    ]);
    expect(bounds.at(-1)?.slice(1)).toEqual(['missed', 'file.filename.length', '255 characters', 'never']);
  });

  it('has neither where the stream is of an older suite', () => {
    const page = reportOn('html', runs['all passed']);
    expect(page).toContain('Latency by call');
    expect(page).not.toMatch(/Boundary coverage|situations arose/);
  });

  it('has broken clauses of a run that was stopped, which no check has told of', () => {
    const stopped = [header(), finding({ clause: 'send.content-bytes' })];
    expect(statesOn(reportOn('html', stopped)).get('send.content-bytes')).toBe('failed');
  });

  it('has clauses of the stream that its own register does not have', () => {
    const page = statesOn(reportOn('html', [header(), finding({ clause: 'send.of-tomorrow' })]));
    expect(page.get('send.of-tomorrow')).toBe('failed');
  });

  it('says that it is incomplete where the stream has no footer', () => {
    const page = reportOn('html', fullRun({ broken: [] }).slice(0, -1));
    expect(page).toContain('<h1>Incomplete run</h1>');
    expect(page).toContain('the results end without a footer');
    expect(page).not.toContain('<h1>Conforms</h1>');
  });

  it('says of a campaign what it tried, and not that the server conforms', () => {
    const page = reportOn('html', campaign);
    expect(page).toContain('<h1>Nothing failed</h1>');
    expect(page).toContain('nothing failed in 2,896 cases');
    expect(reportOn('markdown', campaign)).toMatch(/^# Nothing failed\n\nnothing failed in 2,896 cases/);
    expect(page).toMatch(/authentication\s*<\/th>\s*<td class="number">408/);
    expect(page).toMatch(/400 invalid\s*<\/th>\s*<td class="number">1,647/);
  });

  it('draws the cases of a campaign over its time, by how they were answered, and when findings came up', () => {
    const page = reportOn('html', campaignOverTime);
    expect(page).toMatch(/at most 125 a second; 300 judged, in slices of\s+2\.0 s/);
    expect(page).toMatch(/<li>\s*<svg class="swatch"[^]*?<\/svg>\s*4xx 240\s*<\/li>/);
    expect(page).toMatch(/no answer 50/);
    const boxes = [
      ...page.matchAll(
        /<rect\s+class="(\w+)"\s+x="([\d.]+)%"\s+width="([\d.]+)%"\s+y="([\d.]+)%"\s+height="([\d.]+)%"/g,
      ),
    ];
    expect(boxes.map(([, ...parts]) => parts.join(' '))).toEqual([
      'passed 0.00 16.18 76.0 24.0',
      'median 0.00 16.18 60.0 16.0',
      'median 16.18 16.18 20.0 80.0',
      'inconclusive 16.18 16.18 0.0 20.0',
      'found 12.13 60.67 50.0 50.0',
      'found 72.81 27.19 0.0 100.0',
    ]);
    expect(page).toMatch(/2 findings, the last new one after\s+9\.0 s/);
    expect(page.indexOf('>F2</a> after 1.5 s')).toBeLessThan(page.indexOf('>F1</a> after 9.0 s'));
    expect(page).toContain('Boundary coverage: 43 of 172 boundary values judged');
  });

  it('says of a campaign what it did not look for', () => {
    const [, list = ''] =
      /<h3>Not looked for<\/h3>([^]*?)<\/ul>/.exec(reportOn('html', campaignOverTime)) ?? [];
    const lines = [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text);
    expect(lines.slice(0, 2)).toEqual([
      'skipped: attachments: the target names no file',
      '129 of 172 boundary values had not come to a judgement when it ended, most of mentions limit 129; a longer campaign, or another shard, has them',
    ]);
    // Of a stream that has neither, what no campaign looks for.
    expect(reportOn('html', campaign)).not.toMatch(/boundary values had|skipped:/);
    expect(reportOn('html', campaign)).toContain('the command stress');
  });

  it('has the case of a finding of a campaign, and whether it was known', () => {
    const found = finding({
      case: {
        root: 'mentions.limit/minimum',
        label: 'limit/below-1',
        phase: 'boundaries',
        calls: ['mentions'],
        isInCorpus: false,
        file: 'mentions.limit-1.json',
      },
    });
    const seen = { F1: { sightings: 12, clauses: ['mentions.limit'], calls: ['mentions'] } };
    const events = (known?: string): readonly ResultEvent[] =>
      campaign.flatMap((event): ResultEvent | readonly ResultEvent[] =>
        event.type === 'footer' && event.campaign !== undefined
          ? [
              found,
              {
                ...event,
                campaign: { ...event.campaign, seen: { F1: { ...seen.F1, ...(known && { known }) } } },
              },
            ]
          : event,
      );
    const page = reportOn('html', events());
    for (const each of ['limit/below-1', 'mentions.limit-1.json', '12 cases']) expect(page).toContain(each);
    expect([...statesOn(page)]).toEqual([['mentions.limit', 'failed']]);
    expect([...statesOn(reportOn('html', events('a gateway does that')))]).toEqual([
      ['mentions.limit', 'known'],
    ]);
  });

  it('on several runs has each of them, with elements of its own', () => {
    const page = reportOn('html', runs['all passed'], runs['one failed with two exchanges']);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('run-2:mentions.limit');
    expect(page).toContain('href="#run-2:mentions.limit"'.replace(':', '%3A'));
  });

  it('of every check takes less than 2 MB, also where very much is broken', () => {
    const most = clauses.flatMap(({ id, level }) => (level === 'silent' ? [] : [id, id]));
    for (const broken of [[], eight, most])
      expect(Buffer.byteLength(reportOn('html', fullRun({ broken })))).toBeLessThan(2_000_000);
  });
});

it('text of a server on the page is nowhere markup', () => {
  const [page, plain] = [reportOn('html', hostileRun(true)), reportOn('html', hostileRun(false))];
  const tagsOf = (text: string): readonly string[] => text.match(/<\/?[a-z]+/gi) ?? [];
  expect(tagsOf(page)).toEqual(tagsOf(plain));
  expect(page).toContain('&lt;script&gt;');
  expect(shownLines(page)).toBe(page);
});

describe('10,000 findings', () => {
  const kinds = clauses.flatMap(({ id, level }) => (level === 'must' ? [id] : []));
  const findings = Array.from({ length: 10_000 }, (_, index) =>
    finding({
      id: `F${index + 1}`,
      clause: kinds[index % kinds.length] ?? 'send.content-bytes',
      exchanges: [
        { ...send, id: 2 * index },
        { ...read, id: 2 * index + 1 },
      ],
    }),
  );
  const run = collected([header(), ...findings]);

  it('make a page of bounded size, in bounded pieces and time, that says what it left out', () => {
    const startedUs = process.cpuUsage().user;
    let [length, longest, text] = [0, 0, ''];
    const commands = {
      rerunCommand: (checks: readonly string[]) => `conform --check ${checks.join(' ')}`,
      replayCommand: (file: string) => `conform replay ${file}`,
    };
    for (const piece of pageOn([run], commands)) {
      length += piece.length;
      longest = Math.max(longest, piece.length);
      text += piece;
    }
    expect((process.cpuUsage().user - startedUs) / 1e6).toBeLessThan(3);
    expect(length).toBeLessThan(2_000_000);
    expect(longest).toBeLessThan(200_000);
    expect(text).toContain('the page has room for no more evidence');
    expect(text).toContain('The page has no room for more');
    const states = statesOn(text);
    expect(kinds.filter((id) => states.get(id) !== 'failed')).toEqual([]);
  });
});
