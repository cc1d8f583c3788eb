import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { Baseline } from '../../../harness/gate/baseline.ts';
import { historyChecks } from '../../../harness/judging/run-wide-checks.ts';
import { JudgedChapters } from '../../../harness/judging/judged-chapters.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { FindingEvent } from '../../../harness/results/generated/events.ts';
import { readStream, writeEvent } from '../../../harness/results/stream.ts';
import { judgedHeader } from '../../../harness/run/judged-stream.ts';
import { exitCodes } from '../../../harness/verdict/exit-code.ts';
import { Findings } from '../../../harness/verdict/findings.ts';
import { markerRoot, pageRoot } from '../../../history/anomalies/findings.ts';
import type { History, Operation } from '../../../history/operation.ts';
import type { Item } from '../../../history/seen-message.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { ids, itemOf, mentionOf, Story } from '../../history/fixtures.ts';
import { targetOf } from '../config/target-folder.ts';
import { judgedAlone } from './judged-alone.ts';

/** Of somebody else. */
const content = { digest: 'of others', bytes: 20, form: 'ascii', marker: undefined } as const;
const foreign = itemOf(new Story().send({ content }), 1);

/** A channel read twice, by two checks: its second page descends. */
function twoReads(): History {
  const story = new Story();
  const items = [story.send(), story.send()].map((send, index) => itemOf(send, index + 1));
  story.read(items, { client: 'channel-read.one' });
  story.read(items.toReversed(), { client: 'channel-read.two', nextAfter: 2 });
  return story.history;
}

/** A feed that lists a message to its reader; whether one to nobody was sent as well. */
function oneMention(isBroadcastSent: boolean): History {
  const story = new Story();
  const client = 'channel-read.one';
  const sent = story.send({ client, targets: [`agent:${ids.reader}`] });
  if (isBroadcastSent) story.send({ client });
  story.feed([mentionOf(itemOf(sent, 1), 1)], { client });
  return story.history;
}

function report(passed: readonly string[], history = twoReads()) {
  const chapters = new JudgedChapters();
  chapters.add(history, {
    exchanges: { of: () => [] },
    checks: new Set(['channel-read.one', 'channel-read.two']),
    passed: new Set(passed),
    arranges: () => false,
  });
  return { sighted: chapters.sighted, checks: chapters.checks({ target: targetOf() }) };
}

function verdictOf(result: ReturnType<typeof report>, clause: ClauseId): string | undefined {
  const verdicts = result.checks.flatMap((check) => check.clauses);
  return verdicts.find((each) => each.clause === clause)?.verdict;
}

describe('the report on a history', () => {
  it('finds what a page broke that its own check let pass', () => {
    const result = report(['channel-read.one', 'channel-read.two']);
    expect(result.sighted).toMatchObject([{ clause: 'channel-read.ascending', metIn: 'channel-read.two' }]);
    expect(verdictOf(result, 'channel-read.ascending')).toBe('failed');
  });

  it.each([
    { what: 'nothing', isProof: false, read: () => [] },
    { what: 'what others sent', isProof: false, read: () => [foreign] },
    { what: 'what was sent', isProof: true, read: (sent: Item) => [sent] },
  ])(
    'counts what concurrent clients saw kept where a read shows what was sent: $what',
    ({ read, isProof }) => {
      const story = new Story();
      const sent = story.send();
      story.send({ key: sent.key, content: sent.content });
      story.read(read(itemOf(sent, 1)));
      story.read(read(itemOf(sent, 1)));
      const chapters = new JudgedChapters();
      chapters.add(story.history);
      const verdicts = chapters.checks().flatMap(({ clauses }) => clauses.map(({ verdict }) => verdict));
      expect(verdicts.includes('passed')).toBe(isProof);
    },
  );

  it('says how often it was broken, and no rate: a rule is judged where no fault could show', () => {
    const [seen] = report(['channel-read.one', 'channel-read.two']).sighted.map((each) => each.seen);
    expect(seen).toEqual({ times: 1 });
  });

  it('passes nothing on account of checks that did not pass', () => {
    expect(verdictOf(report(['channel-read.one']), 'channel-read.after-exclusive')).toBe('passed');
    expect(verdictOf(report([]), 'channel-read.after-exclusive')).toBe('inconclusive');
  });

  it('passes no clause on messages that could not have broken it', () => {
    const clause = 'mentions.broadcasts-excluded';
    const [without, beside] = [false, true].map((isSent) => report(['channel-read.one'], oneMention(isSent)));
    expect(without && verdictOf(without, clause)).toBe('inconclusive');
    const reasons = without?.checks.flatMap(({ clauses }) => clauses.map(({ reason }) => reason));
    expect(reasons).toContain(
      'not put to the test: none of the situations that it declares arose, such as target none, sender author',
    );
    expect(beside && verdictOf(beside, clause)).toBe('passed');
  });

  it('shows what exchanges alone do not, by time, and names the cause', () => {
    const [{ timeline, anomaly } = {}] = report(['channel-read.one', 'channel-read.two']).sighted;
    expect(anomaly).toBe('unordered-page');
    expect(timeline?.operations).toMatchObject([{ client: 'channel-read.two', letter: 'A', isCause: true }]);
  });
});

/** A run of one check, with the exchanges of each operation. */
function madeBy(exchangesOf: (operation: Operation) => readonly Exchange[]) {
  return {
    exchanges: { of: (operations: readonly Operation[]) => operations.flatMap(exchangesOf) },
    checks: new Set(['client']),
    passed: new Set<string>(),
    arranges: () => false,
  };
}

it('shows the exchanges of a run by time, and names among them the one that caused what they show', () => {
  const story = new Story();
  const [first, second] = [story.send(), story.send()];
  const both = [itemOf(first, 1), itemOf(second, 2)];
  story.read(both);
  story.wait();
  const skipping = story.read([itemOf(second, 2)]);
  story.wait();
  story.read(both);
  const chapters = new JudgedChapters();
  const exchangeAt = ({ index: id, startedMs, endedMs }: Operation): Exchange =>
    exchangeOf({}, {}, { id, startedMs, endedMs });
  chapters.add(
    story.history,
    madeBy((each) => [exchangeAt(each)]),
  );
  const { exchanges = [], cause } = chapters.sighted.find(({ anomaly }) => anomaly === 'poll-skip') ?? {};
  const times = exchanges.map(({ startedMs }) => startedMs);
  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(cause).toMatchObject({ check: 'client', exchange: { id: skipping.index } });
  expect(exchanges[0]?.id).not.toBe(skipping.index);
});

it('names what stands beside a change by the exchanges that are shown with it', () => {
  const story = new Story();
  const [first, second] = [story.send(), story.send()];
  const both = [itemOf(first, 1), itemOf(second, 2)];
  story.read(both);
  story.wait();
  story.change('restart');
  story.wait();
  story.read([itemOf(first, 1)], { nextAfter: 2 });
  const chapters = new JudgedChapters();
  const shown = (each: Operation): readonly Exchange[] =>
    each.kind === 'change' ? [] : [exchangeOf({}, {}, { id: 100 + each.index })];
  chapters.add(story.history, madeBy(shown));
  const [lost] = chapters.sighted.filter(({ timeline }) => timeline !== undefined);
  const lines = lost?.timeline?.operations.map(({ text }) => text.replace(/ {2}.*/, '')) ?? [];
  const exchanges = lost?.exchanges.map(({ id }) => `exchange ${id}`) ?? [];
  expect(lines.filter((text) => !text.endsWith(' ms'))).toEqual(exchanges);
  expect(lines).toHaveLength(exchanges.length + 1);
  expect(exchanges.length).toBeGreaterThan(1);
});

/** A channel that shows a page out of order, as each of some histories has it. */
function withWrongPage(runId: string): History {
  const story = new Story({ runId });
  const [first, second] = [story.send(), story.send()];
  story.read([itemOf(second, 2), itemOf(first, 1)], { nextAfter: 2 });
  return story.history;
}

describe('histories that are judged one after another', () => {
  it('are one finding for what each of them shows, with all its times, in the words of the first', () => {
    const chapters = new JudgedChapters();
    chapters.add(withWrongPage('one'));
    chapters.add(withWrongPage('two'));
    const found = chapters.sighted.find(({ clause }) => clause === 'channel-read.ascending');
    expect(found?.seen).toEqual({ times: 2 });
    expect(found?.timeline?.operations.length).toBeGreaterThan(1);
    const names = found?.shownBy?.own ?? [];
    expect(names).toContain('read 2');
    expect(names).toContain('read 2 of history 2');
    expect(chapters.anomalyOf('channel-read.ascending')?.name).toBe('unordered-page');
  });

  it('keep what any of them put to the test and none broke', () => {
    const chapters = new JudgedChapters();
    chapters.add(new Story().history);
    const clause = 'channel-read.after-exclusive';
    const verdict = () =>
      chapters.checks().flatMap((check) => check.clauses.filter((each) => each.clause === clause))[0];
    expect(verdict()).toMatchObject({ verdict: 'inconclusive', reason: 'nothing put it to the test' });
    chapters.add(withWrongPage('one'));
    expect(verdict()?.verdict).toBe('passed');
  });
});

/** The clauses of each finding, of a story in which a check saw something by the exchanges of these operations. */
function foundBeside(
  story: Story,
  clause: ClauseId,
  shown: readonly Operation[],
): readonly (readonly string[])[] {
  const exchangeAt = ({ index: id, kind }: Operation): Exchange =>
    exchangeOf({ call: kind === 'send' ? 'send' : 'channel-read' }, {}, { id });
  const chapters = new JudgedChapters();
  chapters.add(
    story.history,
    madeBy((each) => [exchangeAt(each)]),
  );
  const names = new Map(shown.map((each) => [each.index, nameOf(each)]));
  const events: FindingEvent[] = [];
  const rules = { secrets: new KnownSecrets([]), runId: 'cf-1', baseUrl: 'http://127.0.0.1:1' };
  const findings = new Findings(
    rules,
    (event) => events.push(event),
    ({ id }) => [names.get(id) ?? ''],
  );
  const seen = { times: 1, of: 1 };
  const exchanges = shown.map(exchangeAt);
  findings.add({ clause, check: 'some.check', expected: '', actual: '', seen, exchanges });
  for (const sighted of chapters.sighted) findings.add(sighted);
  findings.close();
  return events.map((event) => brokenClauses(event).map((broken) => broken.clause));
}

function nameOf(operation: Operation): string | undefined {
  if (operation.kind === 'read') return pageRoot(operation);
  return operation.kind === 'send' ? markerRoot(operation.content?.marker ?? '') : undefined;
}

describe('what a check saw of a message of which the history shows something', () => {
  const [feedDisagrees, captured] = ['mentions.feed-agrees-with-channel', 'message.attachments.captured'];

  /** A message with a file, without it in a feed. */
  function withoutFile() {
    const story = new Story();
    const send = story.send({ targets: [`agent:${ids.reader}`], files: [ids.file] });
    story.read([itemOf(send, 1)]);
    const feed = story.feed([mentionOf(itemOf(send, 1, { files: [] }), 7)]);
    return { story, send, feed };
  }

  it.each<ClauseId>(['source-session.invalid-is-refused', 'source-session.cloud-new-is-refused'])(
    'stands apart where the answer to its send decided: %s',
    (clause) => {
      const { story, send } = withoutFile();
      expect(new Set(foundBeside(story, clause, [send]))).toEqual(
        new Set([[feedDisagrees, captured], [clause]]),
      );
    },
  );

  it('goes with it where a view of the message decided', () => {
    const { story, send, feed } = withoutFile();
    const clause = 'message.attachments.stable';
    expect(foundBeside(story, clause, [send, feed]).map((each) => each.toSorted())).toEqual([
      [feedDisagrees, captured, clause].toSorted(),
    ]);
  });

  it('goes with it where the same answer decided there', () => {
    const story = new Story();
    const refused = story.send({ outcome: 'refused' });
    story.read([itemOf(refused, 1)]);
    const clauses = foundBeside(story, 'service.valid-requests-are-served', [refused]);
    expect(clauses.map((each) => each.toSorted())).toEqual([
      ['send.refused-stores-nothing', 'service.valid-requests-are-served'],
    ]);
  });
});

describe('a history that is judged by itself', () => {
  it('fails by a stated clause, and not by one that the baseline expects', () => {
    const { findings, footer } = judgedAlone(withWrongPage('one'));
    expect(findings[0]).toMatchObject({
      id: 'F1',
      clause: 'channel-read.ascending',
      check: 'history.channel-read',
    });
    expect(footer.exitCode).toBe(exitCodes.broken);
    const place = 'known.yaml:1:1';
    const entries = findings.flatMap(brokenClauses).map(({ clause }) => ({
      clause: clause as ClauseId,
      reason: 'soon',
      place,
    }));
    const known = judgedAlone(withWrongPage('one'), {
      baseline: new Baseline(entries, { deciders: historyChecks, today: '2026-01-01' }),
    });
    expect(known.findings[0]).toMatchObject({ known: 'soon' });
    expect(known.footer).toMatchObject({ exitCode: exitCodes.conforms });
    expect(known.footer).not.toHaveProperty('staleBaseline');
  });

  it('says nothing against an entry of the baseline by what it does not show', () => {
    const clause: ClauseId = 'channel-read.ascending';
    const entry = { check: 'history.channel-read', clause, reason: 'at times', place: 'known.yaml:1:1' };
    const story = new Story();
    const [first, second] = [story.send(), story.send()];
    story.read([itemOf(first, 1), itemOf(second, 2)], { nextAfter: 2 });
    const { footer } = judgedAlone(story.history, {
      baseline: new Baseline([entry], { deciders: historyChecks, today: '2026-01-01' }),
    });
    expect(footer).not.toHaveProperty('staleBaseline');
    expect(footer.exitCode).toBe(exitCodes.conforms);
  });

  it('concludes nothing where there is nothing, or where a clause is required that it did not put to the test', () => {
    expect(judgedAlone(new Story().history).footer.exitCode).toBe(exitCodes.inconclusive);
    const story = new Story();
    story.read([itemOf(story.send(), 1)], { nextAfter: 1 });
    const required: ClauseId[] = ['channel-read.survives-a-restart'];
    const { footer } = judgedAlone(story.history, { required });
    expect(footer).toMatchObject({
      exitCode: exitCodes.inconclusive,
      requiredInconclusive: [{ clause: required[0] }],
    });
  });

  it('is a whole stream', async () => {
    const { events } = judgedAlone(withWrongPage('one'));
    const header = judgedHeader('judge', 'file:history.ndjson', { isStrict: false, command: ['judge'] });
    const { isWhole } = await readStream([header, ...events].map(writeEvent));
    expect(isWhole).toBe(true);
  });
});
