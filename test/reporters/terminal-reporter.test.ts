import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  EvidenceExchange,
  FindingEvent,
  FooterEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import type { TerminalOutput } from '../../harness/output/terminal.ts';
import { uncredited } from '../../harness/verdict/outcome.ts';
import { RunTerminal } from '../../reporters/run/terminal-reporter.ts';
import {
  ascend,
  brokenLimit,
  check,
  clause,
  contentLimit,
  finding,
  footer,
  header,
  preflight,
  read,
  runs,
} from './events.ts';
import { plain, screen, shown } from './screen.ts';

const erase = '\u001b[2K\u001b[1G';

/** A reporter with a live line, which these events have come to, and what it has written. */
function live(output: Partial<TerminalOutput>, ...events: readonly ResultEvent[]) {
  const out = screen({ columns: 80, isTTY: true, ...output });
  const reporter = new RunTerminal(out, { ...plain, live: true });
  for (const event of events) reporter.event(event);
  return { reporter, written: out.written };
}

/** The report of a run with one finding. */
function found(overrides: Partial<FindingEvent>, end: Partial<FooterEvent> = {}): string {
  return shown([header(), finding(overrides), footer(end)]);
}

describe('the terminal reporter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('says on a log only that it starts, until the footer comes', () => {
    const { written } = live(
      { columns: 100, isTTY: false },
      header(),
      preflight(),
      ascend,
      brokenLimit,
      finding(),
    );
    expect(written).toEqual([
      'conform 0.1.0: testing http://127.0.0.1:4100 against contract 0.1.0-preview: 4 checks\n',
    ]);
  });

  it('rewrites one line on a terminal, also while nothing happens, and leaves no trace of it', () => {
    const { reporter, written } = live({}, header(), preflight(), ascend, brokenLimit);
    expect(written.at(-1)).toBe(`${erase}2 of 4 checks  1 failed  18 requests  0:00  2 left`);
    vi.advanceTimersByTime(65_000);
    expect(written.at(-1)).toBe(`${erase}2 of 4 checks  1 failed  18 requests  1:05  2 left`);
    reporter.event(footer());
    expect(written.at(-2)).toBe(erase);
    const { length } = written;
    vi.advanceTimersByTime(5000);
    expect(written).toHaveLength(length);
  });

  it('rewrites nothing more, and reports nothing, of a run that nobody is to hear of any more', () => {
    const { reporter, written } = live({}, header(), preflight(), ascend);
    reporter.leave();
    expect(written.at(-1)).toBe(erase);
    const { length } = written;
    vi.advanceTimersByTime(5000);
    for (const event of [brokenLimit, footer()]) reporter.event(event);
    expect(written).toHaveLength(length);
  });

  it('prints what preflight says above the live line', () => {
    const warned = preflight({ lines: [{ severity: 'warning', text: 'the clock is off' }] });
    expect(live({}, header(), warned).written.slice(-3)).toEqual([
      erase,
      'preflight warning: the clock is off\n',
      `${erase}0 of 4 checks  0 failed  0 requests  0:00  4 left`,
    ]);
  });

  it('says in the live line what is at work, and of few checks which', () => {
    const { reporter, written } = live({ columns: 100 }, header());
    for (const id of ['a.one', 'a.two', 'a.three', 'a.four']) reporter.underWay(id, true);
    reporter.event(ascend);
    expect(written.at(-1)).toMatch(/1 of 4 checks .* 3 left, 4 at work$/);
    reporter.underWay('a.one', false);
    reporter.underWay('a.three', false);
    reporter.event(brokenLimit);
    expect(written.at(-1)).toMatch(/2 of 4 checks .* 2 left, at work: a\.two, a\.four$/);
    reporter.event(footer());
  });

  it('fits the live line into a window of any width', () => {
    expect(live({ columns: 12 }, header()).written.at(-1)).toBe(`${erase}0 of 4 che…`);
  });

  it('prints the report once', () => {
    const out = screen();
    const reporter = new RunTerminal(out, plain);
    for (const event of runs['all passed']) reporter.event(event);
    reporter.end();
    reporter.end();
    expect(out.written.join('').match(/^conforms: /gm)).toHaveLength(1);
  });

  it('shows twenty findings with all they have and the rest in one line each', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      finding({ id: `F${index + 1}`, clause: `mentions.clause-${index + 1}`, exchanges: [read] }),
    );
    const text = shown([header(), preflight(), brokenLimit, ...many, footer({ exitCode: 1 })]);
    expect(text.match(/^ {4}why /gm)).toHaveLength(20);
    expect(
      text.match(/^F\d+ +mentions\.clause-\d+ +mentions\.page-keeps-its-limit: 3 mentions/gm),
    ).toHaveLength(480);
    expect(text).toContain('and 480 more');
    expect(text.trimEnd()).toMatch(/does not conform: 500 clauses failed \(exit 1\)$/);
  });

  it('takes at most thirty lines for an exchange, its command apart', () => {
    const headers = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'v'.repeat(90)]),
    );
    const body = { text: 'line\n'.repeat(400), totalBytes: 2_000_000, isCut: true };
    const big: EvidenceExchange = {
      ...read,
      request: { method: 'POST', path: `/v0/${'p'.repeat(2000)}`, headers, body },
      response: { status: 200, headers: { 'x-long': ['w'.repeat(5000)] }, body },
    };
    const text = found({ exchanges: [big] }, { exitCode: 1 });
    const start = text.indexOf('    1  reader, ');
    const lines = text.slice(start, text.indexOf('    $ curl', start)).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(
      lines.filter((line) => line.includes('cut here; the whole body has 2,000,000 bytes')),
    ).toHaveLength(2);
    expect(lines).toContain('    < HTTP 200');
  });

  it('shows every header beside a short body', () => {
    const headers = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`x-${index}`, ['v']]));
    const body = { text: '{}', totalBytes: 2, isCut: false };
    const exchanges = [{ ...read, response: { status: 200, headers, body } }];
    const text = found({ exchanges }, { exitCode: 1 });
    expect(text.match(/^ {4}< x-\d+: v$/gm)).toHaveLength(15);
  });

  it('leaves out a command line that nobody would paste', () => {
    const curl = `curl --data '${'x'.repeat(5000)}'`;
    const text = found({ exchanges: [{ ...read, curl }] }, { exitCode: 1 });
    expect(text).not.toContain('$ curl');
    expect(text).toContain('a curl line of 5,014 characters is in the result stream');
  });

  it('shows the first and the last of many exchanges', () => {
    const exchanges = Array.from({ length: 12 }, (_, index) => ({ ...read, id: index + 1 }));
    const text = found({ exchanges }, { exitCode: 1 });
    expect([...text.matchAll(/, exchange (\d+)/g)].map(([, id]) => Number(id))).toEqual([1, 2, 10, 11, 12]);
    expect(text).toContain('… 7 more requests in between');
  });

  it('shows a fault in place of the answer that did not come', () => {
    const { response: _, ...silent } = read;
    const text = found({ exchanges: [{ ...silent, fault: 'reset, three times' }] });
    expect(text).toContain('    < no complete answer: reset, three times\n');
    expect(text).not.toContain('< HTTP');
  });

  it('runs all again where another check only watched, and nobody knows what sent the message', () => {
    const text = found({ check: 'wire.message', metIn: 'mentions.pages-ascend' });
    expect(text).toContain('    seen in   mentions.pages-ascend\n');
    expect(text).not.toContain('--check');
  });

  it('names what caused a finding, and repeats that with what showed it', () => {
    const watched = (metIn: string): string =>
      found({ check: 'wire.message', metIn, cause: { check: 'send.a', exchange: 117 } });
    expect(watched('send.a')).toContain('    caused by request 1, of send.a\n');
    expect(watched('send.a')).not.toContain('seen in');
    expect(watched('send.a')).toContain('$ npm run conform -- --check send.a\n');
    expect(watched('mentions.b')).toContain('    seen in   mentions.b\n');
    expect(watched('mentions.b')).toContain('$ npm run conform -- --check send.a mentions.b\n');
  });

  it('marks in a body what decides, also where most of it is left out', () => {
    const page = {
      mentions: Array.from({ length: 90 }, (_, index) => ({ id: `message-${index}`, size: index })),
    };
    const text = JSON.stringify(page);
    const body = { text, totalBytes: text.length, isCut: false };
    const exchanges = [{ ...read, response: { status: 200, headers: {}, body } }];
    const marked = (overrides: Partial<FindingEvent>): readonly string[] =>
      found({ exchanges, ...overrides })
        .split('\n')
        .filter((line) => line.includes('← decides'))
        .map((line) => line.trim());
    const title = '1  reader, 1.9 ms, exchange 118  ← decides';
    const place = { clause: 'mentions.limit', call: 'mentions', path: 'mentions[44].size', actual: '44' };
    expect(marked({ places: [place] })).toEqual([title, '<       "size": 44  ← decides']);
    expect(marked({ actual: 'message message-60' })).toEqual([
      title,
      '<       "id": "message-60",  ← decides',
    ]);
    expect(marked({ actual: 'size 7, and no more' })).toEqual([title, '<       "size": 7  ← decides']);
    expect(marked({ actual: 'status 200' })).toEqual([title, '< HTTP 200  ← decides']);
    expect(marked({ actual: 'status 404' })).toEqual([title]);
  });

  it('shows where in a body the object at fault stands', () => {
    const body = { text: '{"id":7}', path: 'messages[3].author', totalBytes: 9_120, isCut: false };
    const text = shown([
      header(),
      finding({ exchanges: [{ ...read, response: { status: 200, headers: {}, body } }] }),
      footer(),
    ]);
    expect(text).toContain('    < … messages[3].author:\n    < {"id":7}\n');
  });

  it('says how often a finding was seen', () => {
    const seen = (times: number, of: number): string =>
      /seen +(.*)/.exec(found({ seen: { times, of } }))?.[1] ?? '';
    expect(seen(2, 2)).toBe('reproduced 2 of 2');
    expect(seen(1, 2)).toBe('reproduced 1 of 2: intermittent');
    expect(seen(1, 1)).toBe('once, not retried');
    expect(seen(0, 3)).toBe('not reproduced when tried alone, 3 times');
    expect(seen(0, 0)).toBe('once; no try of it again could be judged');
    const watched = finding({
      check: 'wire.message',
      metIn: 'mentions.pages-ascend',
      seen: { times: 3, of: 5 },
    });
    expect(shown([header(), watched, footer()])).toContain(
      'seen      in 3 of 5 answers that could show it\n',
    );
    const recorded = finding({ check: 'wire.message', seen: { times: 1, of: 5 } });
    expect(shown([header(), recorded, footer()])).toContain(
      'seen      in 1 of 5 answers that could show it\n',
    );
    const live = header({ profile: { strict: false, readOnly: false, selection: ['proxy'] } });
    expect(shown([live, finding({ seen: { times: 2 } }), footer()])).toContain(
      'seen      2 times in all that was sent and read until it was told\n',
    );
  });

  it('never takes a strict run for a warning only, also where the caller forgot to say so', () => {
    const { strict, ...others } = runs;
    expect(shown(strict, { strict: false })).toContain(', exchange 118');
    expect(shown(others.warned, { strict: false })).not.toContain(', exchange 118');
  });

  it('says nothing of checks where all of them ended', () => {
    const cut = { end: 'interrupted', reason: 'a signal', exitCode: 130 } as const;
    const text = shown([header({ checks: 1 }), ascend, footer(cut)]);
    expect(text).toMatch(/^INCOMPLETE RUN {2}interrupted: a signal$/m);
    expect(text).toMatch(/^incomplete run: nothing failed; interrupted: a signal \(exit 130\)$/m);
  });

  it('lists what was selected as the tally counts it, and nothing where nothing was', () => {
    const clients = check('client.requests', 'what clients asked, taken together', [
      clause('client.requests.keep-their-form'),
    ]);
    const known = 'for a while';
    const knownCheck = check('read.mentions', 'each mention once', [
      clause('client.cursor.kept', { verdict: 'failed', known }),
    ]);
    const textOf = (selection: readonly string[]): string =>
      shown([
        header({ profile: { strict: false, readOnly: false, selection } }),
        clients,
        knownCheck,
        footer(),
      ]);
    for (const name of ['judge', 'proxy', 'stress', 'client'])
      expect(textOf([name])).not.toContain('SELECTED');
    expect(textOf(['client', 'read.mentions'])).toMatch(/^SELECTED {2}1 check\n\n {2}known +read\.mentions/m);
  });

  it('reports a run of nothing but a footer', () => {
    const text = shown([footer({ exitCode: 2, reason: 'the target file names no server' })]);
    expect(text.trimEnd()).toMatch(/no result: the target file names no server \(exit 2\)$/);
    expect(shown([contentLimit])).toContain('incomplete run: nothing failed, but only 1 check ended; ');
  });

  it('says that a message is to be sent and shown first where that is what most checks lack', () => {
    const reason = `${uncredited}: author could not send one (status 404)`;
    const events = runs['nothing decided'].map((event) =>
      event.type === 'check' && event.check !== 'auth.revoked-credential-is-401'
        ? {
            ...event,
            clauses: event.clauses.map(({ clause, level, verdict, judged }) => ({
              clause,
              level,
              verdict,
              judged,
              reason,
            })),
          }
        : event,
    );
    expect(shown(events).replaceAll(/\s+/g, ' ')).toContain(
      'NEXT 4 checks need this first: a message that is sent and shown; author could not send one (status 404)',
    );
  });
});
