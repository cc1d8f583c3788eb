import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../spec/calls/index.ts';
import { evidenceOf } from '../../../harness/client/evidence.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { WireLedger } from '../../../harness/wire/wire-ledger.ts';
import { defaultNames, type Names } from '../../../harness/config/target.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { listingOf, messageOf } from '../../fixtures/message.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

const runId = 'cf-0123456789abcdef';
const rules = { secrets: new KnownSecrets(), runId, baseUrl: 'http://127.0.0.1:1' };
const ownNames: Names = {
  ...defaultNames,
  providers: { provider_a: 'anvil', provider_b: 'bellows', provider_c: 'crucible', provider_d: 'drill' },
};

/** A listing of one mention whose author has a session of this provider. */
function listing(provider: string, content = 'a text of somebody else', author = {}): Exchange {
  const source_session = { provider, surface: 'cli', session_id: 'session-1' };
  const json = listingOf(messageOf(1, { content }, { source_session, ...author }));
  const headers = {
    'content-type': ['application/json'],
    'x-service-agent-id': ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  };
  return exchangeOf(
    { call: 'mentions', path: '/v0/mentions' },
    { headers, bytes: Buffer.from(JSON.stringify(json)), json },
    { actor: 'reader' },
  );
}

function held(names: Names, ...exchanges: readonly Exchange[]) {
  const ledger = new WireLedger({ names, runId });
  exchanges.forEach((exchange) => ledger.add('some.check', exchange));
  return {
    broken: ledger.sightings.map(({ problem }) => problem.clause),
    unnamed: ledger.unnamedProviders,
    judged: ledger.exercisedTimes('source-session.provider.values'),
  };
}

const clause = 'source-session.provider.values';

describe('a provider that the contract does not name', () => {
  it("may be the server's own word in a message of somebody else: nothing is broken, and nothing kept", () => {
    expect(held(defaultNames, listing('anvil'))).toEqual({ broken: [], unnamed: 1, judged: 0 });
  });

  it.each([
    ['before', [listing('provider_b'), listing('anvil')]],
    ['behind', [listing('anvil'), listing('provider_b')]],
  ])('is a wrong one once one of the four was seen %s it', (_, exchanges) => {
    expect(held(defaultNames, ...exchanges)).toEqual({ broken: [clause], unnamed: 0, judged: 1 });
  });

  it('is a wrong one where the target maps all four', () => {
    expect(held(ownNames, listing('bellows'))).toEqual({ broken: [], unnamed: 0, judged: 1 });
    expect(held(ownNames, listing('lathe')).broken).toEqual([clause]);
  });

  it('is a wrong one in a message that the run itself has sent', () => {
    expect(held(defaultNames, listing('anvil', `${runId}-7. a text`)).broken).toEqual([clause]);
  });
});

describe('the sighting that is kept', () => {
  const marked = (number: number): string => `${runId}-${number}. a text`;
  const send = (number: number): Exchange => ({
    ...listing('provider_b'),
    request: {
      call: 'send',
      method: 'POST',
      path: '/v0/channels/c/messages',
      headers: {},
      body: JSON.stringify({ content: marked(number) }),
    },
  });
  const sightingOf = (...steps: readonly (readonly [string, Exchange])[]) => {
    const sends = new Map<string, string>();
    const sendOf = ({ content }: JsonRecord) => {
      const check = sends.get(String(content));
      return check === undefined ? undefined : { check, evidence: () => evidenceOf(listing('x'), rules) };
    };
    const ledger = new WireLedger({ names: ownNames, runId }, { sendOf });
    for (const [check, exchange] of steps) {
      if (exchange.request.call === 'send') sends.set(marked(1), check);
      ledger.add(check, exchange);
    }
    const found = ledger.sightings.find(({ problem }) => problem.clause === clause);
    return { cause: found?.send?.check, metIn: found?.metIn, times: found?.times };
  };
  const foreign = ['some.reader', listing('lathe')] as const;
  const ours = ['some.reader', listing('lathe', marked(1))] as const;
  const own = ['some.sender', listing('lathe', marked(1))] as const;
  const sender = ['some.sender', send(1)] as const;

  it('names the check that sent the message, not only the one that read it', () => {
    expect(sightingOf(sender, ours)).toEqual({ cause: 'some.sender', metIn: 'some.reader', times: 1 });
  });

  it('counts answers, of which each may show it in many places', () => {
    const source_session = { provider: 'lathe', surface: 'cli', session_id: 'session-1' };
    const json = listingOf(...[1, 2].map((number) => messageOf(number, {}, { source_session })));
    const plain = listing('lathe');
    const many = { ...plain, response: { ...plain.response!, json } };
    expect(sightingOf(['some.reader', many], ['some.reader', plain]).times).toBe(2);
  });

  it('is rather of a message of ours than of somebody else, and best what its sender read back', () => {
    expect(sightingOf(foreign)).toEqual({ cause: undefined, metIn: 'some.reader', times: 1 });
    expect(sightingOf(sender, foreign, ours, own)).toEqual({
      cause: 'some.sender',
      metIn: 'some.sender',
      times: 3,
    });
    expect(sightingOf(sender, own, ours, foreign)).toEqual({
      cause: 'some.sender',
      metIn: 'some.sender',
      times: 3,
    });
  });
});

describe('a bound', () => {
  const host = 'author.agent-host.length';
  const showing = (length: number): Exchange =>
    listing('provider_b', 'a text', { agent_host: 'h'.repeat(length) });
  const reached = (...lengths: readonly number[]) => {
    const ledger = new WireLedger({ names: ownNames, runId });
    for (const length of lengths) ledger.add('some.check', showing(length));
    const { times, unreached } = ledger.exercisedBy(['some.check'], [host]);
    return times.get(host) ?? unreached.get(host);
  };

  it('is put to the test by no value between the least and the longest', () => {
    expect(reached(2, 79)).toEqual(['`agent_host` of 1 character', '`agent_host` of 80 characters']);
  });

  it('that is one of two leaves its clause untested until the other was reached too', () => {
    expect(reached(80)).toEqual(['`agent_host` of 1 character']);
    expect(reached(80, 1, 80)).toBe(1);
  });

  it('is listed with the answers that reached it, and with none where none did', () => {
    const ledger = new WireLedger({ names: ownNames, runId });
    for (const length of [80, 80, 2]) ledger.add('some.check', showing(length));
    expect(ledger.bounds.filter((each) => each.clause === host)).toEqual([
      { clause: host, words: '`agent_host` of 1 character', times: 0 },
      { clause: host, words: '`agent_host` of 80 characters', times: 2 },
    ]);
  });

  it('that was reached in a check that did not pass is not kept', () => {
    const ledger = new WireLedger({ names: ownNames, runId });
    for (const length of [1, 80]) ledger.add('some.check', showing(length));
    expect(ledger.exercisedBy(['another.check'], [host]).times.size).toBe(0);
    expect(ledger.exercisedTimes(host)).toBe(1);
  });
});
