import { describe, expect, it } from 'vitest';
import { FormsShown } from '../../../fuzz/chapter/forms-shown.ts';
import type { ReceivedResponse } from '../../../harness/client/exchange.ts';
import { defaultNames } from '../../../harness/config/target.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { listingOf, messageOf } from '../../fixtures/message.ts';

const runId = 'cf-0123456789abcdef';

/** A page of messages of a run, the first numbered `from`, each with these fields. */
function page(from: number, count: number, changed: object) {
  const messages = Array.from({ length: count }, (_, index) =>
    messageOf(from + index, { content: `${runId}-${from + index}. text`, ...changed }),
  );
  const json = listingOf(...messages);
  const bytes = Buffer.from(JSON.stringify(json));
  const headers = {
    'content-type': ['application/json'],
    [defaultNames.agentIdHeader]: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  };
  return exchangeOf({ call: 'mentions', path: '/v0/mentions' }, { headers, bytes, json });
}

describe('messages whose form is wrong', () => {
  it('are kept until there are enough that break one rule, and never hide another that is broken', () => {
    const forms = new FormsShown({ names: defaultNames, runId }, () => undefined);
    for (let count = 0; count < 4; count += 1) forms.look(page(count * 100 + 1, 100, { size_bytes: 0 }));
    expect(forms.shown).toHaveLength(200);
    forms.look(page(401, 1, { created_at: 'yesterday' }));
    const clauses = forms.shown.map(({ failures }) => failures.map(({ clause }) => clause).join(' '));
    expect(new Set(clauses)).toEqual(new Set(['message.size-bytes.min', 'message.created-at.type']));
  });

  it('hide nothing that another view of them shows', () => {
    const forms = new FormsShown({ names: defaultNames, runId }, () => undefined);
    forms.look(page(1, 1, { size_bytes: 0 }));
    forms.look(page(1, 1, { size_bytes: 0, created_at: 'yesterday' }));
    forms.look(page(1, 1, { created_at: 'yesterday' }));
    const clauses = forms.shown.map(({ failures }) => failures.map(({ clause }) => clause));
    expect(clauses).toEqual([['message.size-bytes.min'], ['message.created-at.type']]);
  });

  it('are told by what a feed has around them, too', () => {
    const forms = new FormsShown({ names: defaultNames, runId }, () => undefined);
    const { response, ...asked } = page(1, 1, {});
    const [entry] = listingOf(messageOf(1, { content: `${runId}-1. text` })).mentions;
    const json = { ...listingOf(), mentions: [{ ...entry, sequence: '1' }] };
    forms.look({ ...asked, response: { ...(response as ReceivedResponse), json } });
    const shown = forms.shown.map(({ marker, failures }) => [marker, failures.map(({ clause }) => clause)]);
    expect(shown).toEqual([[`${runId}-1.`, ['mention.sequence.type']]]);
  });
});
