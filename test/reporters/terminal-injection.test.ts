import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceExchange, ResultEvent } from '../../harness/results/generated/events.ts';
import { widthOf } from '../../harness/output/printable.ts';
import { check, clause, finding, footer, header, preflight } from './events.ts';
import { shown } from './screen.ts';
import { hostile } from './hostile-text.ts';

/** The sequences that the reporter has of its own: colours, and rewriting the live line. */
const ours = new RegExp(String.raw`${'\u001b'}\[(?:\d{1,2}m|2K|1G)`, 'g');

const excerpt = fc.record({ text: hostile, totalBytes: fc.nat(), isCut: fc.boolean() });

const exchange: fc.Arbitrary<EvidenceExchange> = fc.record(
  {
    id: fc.nat(),
    actor: hostile,
    request: fc.record({
      method: hostile,
      path: hostile,
      headers: fc.dictionary(hostile, hostile),
      body: excerpt,
    }),
    response: fc.record({
      status: fc.integer({ min: 100, max: 999 }),
      headers: fc.dictionary(hostile, fc.array(hostile)),
      body: excerpt,
    }),
    fault: hostile,
    durationMs: fc.nat(),
    curl: hostile,
  },
  { requiredKeys: ['id', 'actor', 'request', 'durationMs', 'curl'] },
);

/** Every free text of every event is the server's, as it were. */
const events: fc.Arbitrary<readonly ResultEvent[]> = fc
  .tuple(fc.array(hostile, { minLength: 24, maxLength: 24 }), fc.array(exchange, { maxLength: 3 }))
  .map(([texts, exchanges]) => {
    const rest = texts.values();
    const next = (): string => rest.next().value ?? '';
    const open = { verdict: 'inconclusive', reason: next() } as const;
    const found = {
      text: next(),
      expected: next(),
      actual: next(),
      check: next(),
      clause: next(),
      exchanges,
    };
    return [
      header({
        suiteVersion: next(),
        contractVersion: next(),
        baseUrl: next(),
        profile: { strict: false, readOnly: true, selection: [next()] },
      }),
      preflight({ lines: [{ severity: 'error', text: next() }] }),
      check(found.check, next(), [clause(next(), { ...open, enable: next() }), clause(next(), open)]),
      finding({ ...found, metIn: next() }),
      finding({ ...found, id: next(), verdict: 'warned' }),
      { type: 'observation', check: next(), name: next(), clause: next(), value: next() },
      footer({ end: 'crashed', reason: next(), exitCode: 4, alsoSeenBy: { F1: [next(), next()] } }),
    ];
  });

const rerunCommand = (names: readonly string[]): string => `npm run conform -- --check ${names.join(' ')}`;

describe('the terminal report of a hostile server', () => {
  it('is text: no control but the newline, nothing hidden, no half of a pair', () => {
    fc.assert(
      fc.property(events, (run) => {
        const text = shown(run, { verbose: true, rerunCommand });
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 300 },
    );
  });

  it('has with colour and a live line no sequences but our own', () => {
    fc.assert(
      fc.property(events, (run) => {
        const text = shown(
          run,
          { color: true, live: true, verbose: true, rerunCommand },
          { columns: 80, isTTY: true },
        );
        expect(text.replaceAll(ours, '').replaceAll('\n', '')).not.toMatch(
          /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('is the same with and without colour, but for the colour', () => {
    fc.assert(
      fc.property(events, (run) => {
        const coloured = shown(run, { color: true, rerunCommand });
        expect(coloured.replaceAll(ours, '')).toBe(shown(run, { rerunCommand }));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps within the columns, but for commands', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 60, max: 120 }), (run, columns) => {
        const lines = shown(run, { verbose: true }, { columns, isTTY: false }).split('\n');
        for (const line of lines.filter((each) => !each.startsWith('    $ '))) {
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('shows what was sent to it, escaped', () => {
    const actual = 'before \u001b[2J\u0007 after \ud83d\u202e';
    expect(shown([header(), finding({ actual }), footer()])).toContain(
      'Request 2 got: before \\u001b[2J\\u0007 after \\ud83d\\u202e;',
    );
  });
});
