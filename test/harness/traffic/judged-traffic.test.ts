import { describe, expect, it } from 'vitest';
import { Scoring } from '../../../harness/gate/scoring.ts';
import type { FindingEvent } from '../../../harness/results/generated/events.ts';
import { JudgedChapters } from '../../../harness/judging/judged-chapters.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { type Breach, JudgedTraffic } from '../../../harness/traffic/judged-traffic.ts';
import { recordedExchange } from '../../../harness/traffic/recorded-exchange.ts';
import { HistoryLines } from '../../../history/ndjson.ts';
import { messageOf } from '../../fixtures/message.ts';
import { targetOf } from '../config/target-folder.ts';
import { ids, readBack } from '../../history/fixtures.ts';

const path = `/v0/channels/${ids.channel}/messages`;

const message = (sequence: number, changed: object = {}): object =>
  messageOf(sequence, { channel_id: ids.channel, ...changed });

/** Traffic of one clock, which goes on by a second with each request. */
class Story {
  readonly found: string[] = [];
  readonly findings: FindingEvent[] = [];
  readonly breaches: Breach[] = [];
  /** What is kept of each chapter, as a file has it. */
  readonly kept: string[] = [];
  readonly #traffic: JudgedTraffic;
  #id = 0;

  constructor(earlier: readonly FindingEvent[] = []) {
    this.#traffic = new JudgedTraffic({
      target: targetOf(),
      settleMs: 100,
      scoring: new Scoring({}, { isStrict: false }),
      secrets: new KnownSecrets(),
      earlier,
      onFinding: (finding) => {
        this.found.push(finding.clause);
        this.findings.push(finding);
      },
      onBreach: (breach) => this.breaches.push(breach),
      onChapter: (facts) => {
        const lines = new HistoryLines();
        const at = this.kept.push(lines.header(facts)) - 1;
        return (operation) => {
          this.kept[at] += lines.operation(operation);
        };
      },
    });
  }

  ask(
    {
      address = `${path}?after=0&limit=100`,
      method = 'GET',
      token = 'one',
      headers = [],
      body,
    }: Partial<{
      address: string;
      method: string;
      token: string;
      headers: readonly (readonly [string, string])[];
      body: string | undefined;
    }>,
    answer: {
      readonly status?: number;
      readonly json?: unknown;
      readonly headers?: readonly (readonly [string, string])[];
    },
  ): this {
    this.#id += 1;
    const startedMs = this.#id * 1_000;
    const bytes = answer.json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(answer.json));
    const credential = token === '' ? [] : [['authorization', `Bearer ${token}`] as const];
    const own = [...(answer.headers ?? []), ['content-type', 'application/json'] as const];
    this.#traffic.add(
      recordedExchange(
        { method, address, headers: [...credential, ...headers], body },
        { status: answer.status ?? 200, headers: own, bytes },
        { id: this.#id, startedMs, endedMs: startedMs + 10 },
      ),
    );
    return this;
  }

  read(messages: readonly object[]): this {
    const last = (messages.at(-1) as { sequence?: number } | undefined)?.sequence ?? 0;
    const page = { next_after: last, has_more: false, high_watermark: 99 };
    return this.ask({}, { json: { messages, page } });
  }

  judge(): this {
    this.#traffic.judge();
    return this;
  }

  cut(): this {
    this.#traffic.cut();
    return this;
  }

  end(): ReturnType<JudgedTraffic['end']> {
    return this.#traffic.end();
  }
}

function clientsIn(found: readonly string[]): readonly string[] {
  return found.filter((clause) => clause.startsWith('client.'));
}

describe('traffic that is judged', () => {
  it('says why nothing can be concluded of it: nothing was let in, or nothing asked', () => {
    const reasonOf = (story: Story): unknown => (story.end().at(-1) as { reason?: string }).reason;
    const refused = { status: 401, json: { error: { code: 'no', message: 'no' } } };
    expect(reasonOf(new Story().ask({}, refused))).toContain('none of 1 judged calls got a success (2xx)');
    const health = { address: '/v0/health', token: '' };
    expect(reasonOf(new Story().ask(health, { json: {} }))).toBe(
      'no call of the contract was answered so that it can be judged',
    );
  });

  it('shows a clause once, however many chapters break it, and counts each time', () => {
    const story = new Story();
    story.read([message(1, { size_bytes: 1 })]).judge();
    story.read([message(2, { size_bytes: 1 })]).judge();
    expect(story.found).toEqual(['message.size-bytes.is-utf8-length']);
    expect(story.breaches.map(({ side, times }) => [side, times])).toEqual([
      ['server', 1],
      ['server', 1],
    ]);
  });

  it.each([
    { told: message(1), found: ['message.content.type'] },
    { told: { status: 'ok' }, found: [] },
  ])(
    'shows what a read made of a text once the answer to its send told its id: $found',
    ({ told, found }) => {
      const story = new Story();
      story.ask(
        { address: path, method: 'POST', body: JSON.stringify({ content: 'a text' }) },
        { status: 201, json: told },
      );
      story.read([{ ...message(1), content: null }]).judge();
      expect(story.found).toEqual(found);
    },
  );

  it('carries half of a chapter on at most, in however many feeds', () => {
    const story = new Story();
    const page = { next_after: 7, has_more: false, high_watermark: 7 };
    const own = message(1) as { readonly id: string };
    const mentions = [{ id: own.id, sequence: 7, message: own }];
    for (let agent = 0; agent < 4_000; agent += 1)
      story.ask({ address: '/v0/mentions', token: `t${agent}` }, { json: { mentions, page } });
    expect(story.kept).toHaveLength(2);
    for (let count = 0; count < 10; count += 1) story.read([message(1)]);
    expect(story.kept).toHaveLength(2);
  });

  it.each<[what: string, shown: (count: number) => readonly number[]]>([
    ['was there before', (count) => (count >= 43 && count <= 46 ? [2, 3] : [1, 2, 3])],
    ['seems to come later', (count) => (count <= 42 ? [1] : count >= 45 && count <= 47 ? [3] : [2, 3])],
  ])(
    'holds nothing against a page that was carried on without those beside it, which explain what it lacks, in what is kept neither: what %s',
    (_what, shown) => {
      const lacking = (isCut: boolean): Story => {
        const story = new Story();
        const all = [1, 2, 3].map((sequence) => message(sequence));
        for (let count = 1; count <= 60; count += 1)
          story.read(shown(count).map((sequence) => message(sequence)));
        const page = { next_after: 0, has_more: false, high_watermark: 0 };
        for (let count = 0; count < 24; count += 1)
          story.ask(
            { address: `${path.replace(/[0-9a-f]{12}/, 'f'.repeat(12))}?after=0` },
            { json: { messages: [], page } },
          );
        if (isCut) story.judge();
        return story.read(all).judge();
      };
      const cut = lacking(true);
      expect(cut.found).toEqual(lacking(false).found);
      const chapters = new JudgedChapters();
      for (const text of cut.kept) chapters.add(readBack(text));
      expect(chapters.sighted.map(({ clause }) => clause)).toEqual(cut.found);
    },
  );

  it('holds a chapter against what the one before has shown, long after', () => {
    const story = new Story();
    story.read([message(1)]);
    for (let count = 0; count < 40; count += 1) story.read([message(2 + count)]);
    story.judge().judge().judge();
    expect(story.found).toEqual([]);
    story.read([message(1, { content: 'text X' })]).judge();
    expect(story.found).toEqual(['message.immutable']);
  });

  it('carries nothing on where the server was gone: another may have come', () => {
    const story = new Story();
    story.read([message(1)]).cut();
    story.read([message(1, { content: 'text X' })]).judge();
    expect(story.found).toEqual([]);
  });

  it('tells of nothing twice that both chapters hold', () => {
    const story = new Story();
    story
      .read([message(1)])
      .read([message(1, { content: 'text X' })])
      .judge();
    story.read([message(2)]).judge();
    expect(story.breaches.map(({ clause, times }) => [clause, times])).toEqual([['message.immutable', 1]]);
  });

  it('counts nothing twice that both chapters hold, however many are alike', () => {
    const story = new Story();
    const all = (changed: object) => Array.from({ length: 70 }, (_, at) => message(1 + at, changed));
    story
      .read(all({}))
      .read(all({ content: 'text X' }))
      .judge();
    story.read([message(80)]).judge();
    expect(story.breaches.map(({ clause, times }) => [clause, times])).toEqual([['message.immutable', 70]]);
  });

  it('tells of nothing again that was told before the process that judges was lost', () => {
    const told = (earlier: readonly FindingEvent[], token: string): Story => {
      const story = new Story(earlier).read([message(1, { size_bytes: 1 })]);
      return story.ask({ address: '/v0/mentions?limit=1000', token }, { status: 400 }).judge();
    };
    const first = told([], 'one');
    expect(first.found).toEqual(expect.arrayContaining(['client.requests.limit-in-range']));
    expect(told(first.findings, 'one').found).toEqual([]);
    expect(told(first.findings, 'two').found).toEqual(['client.requests.limit-in-range']);
  });

  it('does not hold against a server what a client asked for by a condition, or by a method of no call', () => {
    const story = new Story();
    const headers = [['if-none-match', 'x']] as const;
    story.ask({ address: '/v0/mentions', headers }, { status: 304 });
    story.ask({ address: '/v0/mentions', method: 'HEAD' }, {});
    story.ask({ address: '/v0/mentions', method: 'DELETE' }, { status: 405 });
    const inAnotherForm = [['accept', 'text/csv']] as const;
    story.ask({ address: '/v0/mentions?limit=1000', headers: inAnotherForm }, { status: 400 });
    story.judge();
    expect(story.found).toEqual([]);
  });

  it('misses the id of the agent only where the credential is no key of a workspace', () => {
    const json = { mentions: [], page: { next_after: 0, has_more: false, high_watermark: 0 } };
    const story = new Story();
    story.ask({ address: '/v0/mentions' }, { json }).judge();
    expect(story.found).toEqual([]);
    const named = [['x-service-agent-id', ids.reader]] as const;
    story
      .ask({ address: '/v0/mentions' }, { json, headers: named })
      .ask({ address: '/v0/mentions' }, { json });
    story.judge();
    expect(story.found).toEqual(['mentions.agent-id-header.present']);
  });

  it('knows a message by the answer to its send, and not by its text, which others may have sent', () => {
    const body = JSON.stringify({ content: 'text 2', content_type: 'text/markdown' });
    const sent = (json: object | undefined) =>
      new Story().ask({ method: 'POST', address: path, body }, { json });
    expect(
      sent(undefined)
        .read([message(2)])
        .judge().found,
    ).toEqual([]);
    const shown = sent({ message: message(2, { content_type: 'text/markdown' }) }).read([
      message(2, { content_type: 'text/markdown', content: 'text X' }),
    ]);
    expect(shown.judge().found).toEqual(['message.content.unaltered']);
  });

  it('tells of each credential that breaks a clause of clients, and counts every time', () => {
    const story = new Story();
    const address = '/v0/mentions?limit=1000';
    story.ask({ address }, { status: 400 }).ask({ address, token: 'two' }, { status: 400 }).judge();
    story.ask({ address }, { status: 400 }).judge();
    expect(clientsIn(story.found)).toEqual([
      'client.requests.limit-in-range',
      'client.requests.limit-in-range',
    ]);
    const ofClients = story.breaches.filter(({ side }) => side === 'client');
    expect(ofClients.map(({ times }) => times)).toEqual([2, 1]);
  });

  it('knows who asks without a credential by a 401, and leaves out what a run of this suite asks', () => {
    const refused = { status: 401, headers: [['www-authenticate', 'Bearer']] } as const;
    const asked = (story: Story, status = 401, headers: readonly (readonly [string, string])[] = []) =>
      clientsIn(
        story.ask({ address: '/v0/mentions', token: '', headers }, { ...refused, status }).judge().found,
      );
    expect(asked(new Story())).toEqual(['client.requests.carry-a-credential']);
    expect(asked(new Story(), 200)).toEqual([]);
    const headers = [['user-agent', 'conform/1.0.0']] as const;
    const tested = new Story().ask({ address: '/v0/mentions?limit=1000', headers }, { status: 400 });
    tested.ask({ address: '/v0/mentions?limit=0' }, { status: 400 });
    expect(asked(tested, 401, headers)).toEqual([]);
    // Others ask without a credential meanwhile.
    expect(asked(tested)).toEqual(['client.requests.carry-a-credential']);
  });

  it('ends as a stream of results does', () => {
    const events = new Story().read([message(1)]).end();
    expect(events.at(-1)).toMatchObject({ type: 'footer', end: 'complete', exitCode: 0 });
  });

  it('says how many messages were sent, and how much they held', () => {
    const sent = { address: path, method: 'POST', body: '{"content":"ü"}' };
    const story = new Story().ask(sent, { status: 201 }).ask(sent, { status: 413 });
    const footprint = { requests: 2, messages: 1, bytesWritten: 16 };
    expect(story.end().at(-1)).toMatchObject({ footprint });
  });
});
