import { describe, expect, it } from 'vitest';
import { absentParts, ReceiptsWatch } from '../../../harness/judging/absent-parts.ts';
import { defaultBindings } from '../../../harness/config/target.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import type { ClauseVerdict } from '../../../harness/results/generated/events.ts';

const channelId = '0d3a52f2-9a52-4a0c-9b43-1f2cbb0d92a1';
const path = `/v0/channels/${channelId}/receipts`;

/** `list 405` or `report 201`, as the author or another. */
function answer(what: string, actor = 'author'): Exchange {
  const [call, status] = what.split(' ');
  const isList = call === 'list';
  return exchangeOf(
    { call: isList ? 'receipts-list' : 'other', method: isList ? 'GET' : 'POST', path },
    { status: Number(status) },
    { actor },
  );
}

function receiptsOf(...answers: readonly Exchange[]): ReceiptsWatch {
  const watch = new ReceiptsWatch({ channelId, bindings: defaultBindings });
  for (const each of answers) watch.note(each);
  return watch;
}

const gone = [answer('list 405'), answer('report 405'), answer('list 405')];

const details = ['api-error.details.type'];

/** A run that saw many messages and errors, and in them these clauses: details, unless they are named. */
function absent(
  receipts: ReceiptsWatch,
  { shown = details, decided = [], without = [], answers = 100, isNarrowed = false }: Partial<Given> = {},
) {
  const { absent: parts, contradicted } = absentParts({
    isNarrowed,
    target: { without },
    receipts,
    wire: {
      exercisedTimes: (clause) =>
        ['message.id.present', 'api-error.error.present'].includes(clause)
          ? answers
          : shown.includes(clause)
            ? 1
            : 0,
    },
    events: [
      {
        clauses: decided.map((clause): ClauseVerdict => ({
          clause,
          level: 'must',
          verdict: 'failed',
          judged: 1,
        })),
      },
    ],
  });
  return { parts: Object.fromEntries(parts), contradicted };
}

interface Given {
  readonly shown: readonly string[];
  readonly decided: readonly string[];
  readonly without: readonly ('receipts' | 'files' | 'limits')[];
  readonly answers: number;
  readonly isNarrowed: boolean;
}

describe('what a server is without', () => {
  it('is learned of receipts where no message shows any and the list is refused as not there', () => {
    const text = 'this server has no receipts (405)';
    expect(absent(receiptsOf(...gone)).parts).toEqual({
      receipts: text,
      receipts_list: text,
    });
  });

  it.each([
    ['one message shows receipts', receiptsOf(...gone), { shown: ['message.receipts.type', ...details] }],
    ['a check failed over them', receiptsOf(...gone), { decided: ['receipts.retrieved.present'] }],
    ['the list was there once', receiptsOf(...gone, answer('list 200', 'reader')), {}],
    ['the list was refused otherwise once', receiptsOf(...gone, answer('list 403')), {}],
    ['the list met a server error', receiptsOf(...gone, answer('list 500')), {}],
    ['the list was asked once', receiptsOf(answer('list 405'), answer('report 405')), {}],
    ['nobody reported', receiptsOf(answer('list 405'), answer('list 405')), {}],
    ['a report met a limit', receiptsOf(answer('list 405'), answer('list 405'), answer('report 429')), {}],
    ['only some checks ran', receiptsOf(...gone), { shown: [], isNarrowed: true }],
    ['few messages were read', receiptsOf(...gone), { answers: 19 }],
  ] as const)('is not learned where %s', (_what, receipts, given) => {
    expect(absent(receipts, given).parts).toEqual({});
  });

  it('is learned of the preview alone where reports are taken and listed, and no message shows them', () => {
    const receipts = receiptsOf(answer('report 201'), answer('list 200'));
    expect(absent(receipts).parts).toEqual({
      receipts: 'the messages of this server show no receipts',
    });
    const unreported = receiptsOf(answer('report 404'), answer('list 200'));
    expect(absent(unreported).parts).toEqual({});
  });

  it('is learned of details where many errors have none', () => {
    expect(absent(receiptsOf(), { shown: [] }).parts).toEqual({
      details: 'this server has no details in its errors',
    });
    expect(absent(receiptsOf(), { shown: [], answers: 19 }).parts).toEqual({});
  });

  it('is taken from the target where the run shows nothing else, and is said to be wrong where it does', () => {
    const given = { without: ['receipts', 'limits'] as const };
    expect(absent(receiptsOf(), given)).toEqual({
      parts: {
        receipts: 'the target says that this server has no receipts',
        receipts_list: 'the target says that this server has no receipts',
        limits: 'the target says that this server has no limits on requests',
      },
      contradicted: [],
    });
    const limited = absent(receiptsOf(answer('list 200')), {
      ...given,
      decided: ['errors.retry-after-present'],
    });
    expect(limited.parts).toEqual({});
    expect(limited.contradicted).toHaveLength(2);
  });
});
