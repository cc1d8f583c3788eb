import { describe, expect, it } from 'vitest';
import { sendMessage } from '../../../spec/calls/index.ts';
import type { Exchange, Fault } from '../../../harness/client/exchange.ts';
import { defaultBindings, defaultNames } from '../../../harness/config/target.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { HistoryRecorder } from '../../../harness/record/history-recorder.ts';
import { KeptExchanges } from '../../../harness/record/kept-exchanges.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { read } from '../../fuzz/stress/operations.ts';
import { ids, itemOf, Story } from '../../history/fixtures.ts';

const runId = 'cf-0123456789abcdef';
const rules = { secrets: new KnownSecrets(['s3cret']), runId, baseUrl: 'http://127.0.0.1:1' };

const page = { next_after: 9, has_more: true };

function pageOf(bytes: number): Exchange {
  return exchangeOf({}, { bytes: new Uint8Array(bytes), json: { messages: [{ sequence: 9 }], page } });
}

describe('the exchanges of a run', () => {
  it('are kept as they were, as long as they are short', () => {
    const kept = new KeptExchanges(rules);
    const [operation, exchange] = [read(0, 1, { index: 3 }), pageOf(16_000)];
    kept.add(operation, exchange);
    expect(kept.of([operation])).toEqual([exchange]);
    expect(kept.of([read(0, 1, { index: 4 })])).toEqual([]);
  });

  it('have of a long page its outline and its length', () => {
    const kept = new KeptExchanges(rules);
    kept.add(read(0, 1, { index: 3 }), pageOf(16_001));
    const [found] = kept.of([read(0, 1, { index: 3 })]);
    expect(found?.response?.json).toBe(undefined);
    const outline = { list: 'messages', sequences: [9], page };
    expect(found?.response?.leftOut).toMatchObject({ bytes: 16_001, outline });
  });

  it('have of an item of a long page what the history has, by the id or the marker of its message', () => {
    const story = new Story();
    const send = story.send({ targets: [`agent:${ids.reader}`], host: 'here' });
    const operation = story.read([itemOf(story.send(), 1), itemOf(send, 2)]);
    const kept = new KeptExchanges(rules);
    kept.add(operation, pageOf(16_001));
    const leftOut = kept.of([operation])[0]?.response?.leftOut;
    const shown = leftOut?.itemNamedIn?.(`a message with ${send.content?.marker}: its targets`);
    expect(shown).toMatch(/^item 2 of it: sequence 2; id message of digest/);
    expect(shown).toContain(
      `; mentions agent:${ids.reader}; attachments none; author ${ids.author}; agent_host here; source_session none`,
    );
    expect(leftOut?.itemNamedIn?.(String(itemOf(send, 2).id))).toBe(shown);
    expect(leftOut?.itemNamedIn?.('no message')).toBe(undefined);
  });
});

interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly fault?: Fault;
}

function send(content: string, { status = 201, json = {}, fault }: Answer = {}): Exchange {
  const { headers, ...request } = sendMessage('c', { content }, 'key');
  return {
    ...pageOf(0),
    request: { body: undefined, ...request, headers: { ...headers, authorization: 'Bearer s3cret' } },
    response:
      fault === undefined
        ? { status, headers: {}, bytes: Buffer.from(JSON.stringify(json)), json }
        : undefined,
    fault,
  };
}

/** What is kept of these sends, each by a check. */
function keptOf(...sends: readonly (readonly [string, Exchange])[]): KeptExchanges {
  const kept = new KeptExchanges(rules);
  const target = { bindings: defaultBindings, names: defaultNames };
  const recorder = new HistoryRecorder({ runId, settleMs: 50, isDurable: false }, target);
  for (const [check, exchange] of sends) {
    const operation = recorder.add(check, exchange);
    if (operation !== undefined) kept.add(operation, exchange);
  }
  return kept;
}

describe('the send that made a message', () => {
  it('is known by the marker in its content', () => {
    const kept = keptOf(['send.a', send(`${runId}-1. one`)], ['send.b', send(`${runId}-12. two`)]);
    expect(kept.sendOf({ content: `before ${runId}-12. two` })?.check).toBe('send.b');
    expect(kept.sendOf({ id: 'other', content: 'theirs' })).toBeUndefined();
  });

  it('is known by the id that its answer gave, where the content has no marker', () => {
    const kept = keptOf(['send.a', send('.', { json: { message: { id: 'm-1', content: '.' } } })]);
    expect(kept.sendOf({ id: 'm-1', content: '.' })?.check).toBe('send.a');
  });

  it('is the accepted one; one without an answer stands in for it, and for that a refused one', () => {
    const content = `${runId}-1. one`;
    const lost = send(content, { fault: { kind: 'reset', message: 'closed', tries: 1 } });
    const checkOf = (...sends: readonly (readonly [string, Exchange])[]) =>
      keptOf(...sends).sendOf({ content })?.check;
    expect(checkOf(['send.lost', lost])).toBe('send.lost');
    expect(checkOf(['send.lost', lost], ['send.again', send(content)])).toBe('send.again');
    expect(checkOf(['send.first', send(content)], ['send.again', send(content)])).toBe('send.first');
    const refused = send(content, { status: 400 });
    expect(checkOf(['send.refused', refused])).toBe('send.refused');
    expect(checkOf(['send.refused', refused], ['send.lost', lost])).toBe('send.lost');
    expect(checkOf(['send.failed', send(content, { status: 500 })], ['send.refused', refused])).toBe(
      'send.failed',
    );
  });

  it('is shown as bounded evidence without secrets, however long its content is', () => {
    const content = `${runId}-1. ${'x'.repeat(400_000)}`;
    const text = JSON.stringify(
      keptOf(['send.long', send(content)])
        .sendOf({ content })
        ?.evidence(),
    );
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain(`${runId}-1. xxx`);
    expect(text).not.toContain('s3cret');
  });
});
