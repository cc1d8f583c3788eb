import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createExpect } from '../../../../harness/check/expect.ts';
import { Actor } from '../../../../harness/client/actor.ts';
import { defaultNames } from '../../../../harness/config/target.ts';
import { Ledger } from '../../../../harness/verdict/ledger.ts';
import { CheckStopped } from '../../../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../../../spec/index.ts';
import {
  expectOfAll,
  isAsExpected,
  type Asked,
  type Expected,
} from '../../../../suites/arrange/auth/asked-forms.ts';
import { credentialFaults, ofRole } from '../../../../suites/arrange/auth/credential-faults.ts';
import { channelReadCall } from '../../../../suites/arrange/auth/guarded-calls.ts';
import type { Place } from '../../../../suites/arrange/auth/places.ts';
import { exchangeOf } from '../../../fixtures/exchange.ts';

const channelId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const place = { name: 'own', channel: { id: channelId } } as Place;
const refusal = { error: { code: 'refused', message: 'no' } };

/** How often a clause was judged when a form of a channel read drew a status; `broken` when it was found so. */
function judgedOf(
  clause: ClauseId,
  expected: Expected,
  {
    slug = 'issued-cursor',
    status,
    after = [],
    mayDoNothing = false,
  }: { slug?: string; status: number; after?: readonly number[]; mayDoNothing?: boolean },
): number | 'broken' {
  const ledger = new Ledger();
  const context = {
    expect: createExpect(ledger, 'auth.some-check', [clause]),
    noteSituation: () => undefined,
  };
  const form = channelReadCall.forms.find((each) => each.slug === slug) ?? channelReadCall.forms[0];
  const kind = { ...ofRole('outsider', 'as somebody'), mayDoNothing };
  const asked = [...after, status].map((each): Asked => {
    const exchange = exchangeOf({}, { status: each, json: refusal });
    return { call: 'channel-read', form, kind, place, draft: undefined, exchange, control: undefined };
  });
  try {
    expectOfAll(context, [clause, expected], asked);
  } catch (error) {
    return error instanceof CheckStopped && error.stop.kind === 'failed' ? 'broken' : 0;
  }
  return ledger.failures.length > 0 ? 'broken' : ledger.judgedOf(clause);
}

describe('the answer to a form of a call', () => {
  it('is no matter of access where its cursor conflicts', () => {
    const lost = 'auth.no-access-is-403';
    expect(judgedOf(lost, [403, 404], { status: 409, mayDoNothing: true })).toBe(0);
    expect(judgedOf(lost, [403, 404], { status: 400, mayDoNothing: true })).toBe('broken');
    expect(judgedOf(lost, [403, 404], { slug: 'after-0', status: 409, mayDoNothing: true })).toBe('broken');
    const regained = 'mentions.membership-rechecked';
    expect(judgedOf(regained, 'accepted', { status: 409 })).toBe(0);
    expect(judgedOf(regained, 'accepted', { status: 403 })).toBe('broken');
    expect(judgedOf(regained, 'accepted', { slug: 'after-0', status: 409 })).toBe('broken');
  });

  it('is found where it is wrong, whatever limit another one met', () => {
    const unknown = 'auth.unknown-credential';
    expect(judgedOf(unknown, [401], { status: 403, after: [429] })).toBe('broken');
    expect(judgedOf(unknown, [401], { status: 401, after: [429] })).toBe(0);
  });

  it('proves nothing of a list where it is an error of the server, or a limit', () => {
    expect(judgedOf('auth.no-access-lists-no-channel', 'unlisted', { status: 503 })).toBe(0);
    expect(judgedOf('auth.no-access-lists-no-channel', 'unlisted', { status: 429 })).toBe(0);
    expect(judgedOf('auth.no-access-lists-no-channel', 'unlisted', { status: 403 })).toBe(1);
  });

  it('lists no channel of a workspace: neither the second one nor any that its author is shown in it', () => {
    const [second, third, foreign] = [randomUUID(), randomUUID(), randomUUID()];
    const [home, elsewhere] = [randomUUID(), randomUUID()];
    const list = (...ids: readonly string[]) =>
      exchangeOf(
        {},
        {
          status: 200,
          json: { channels: ids.map((id) => ({ id, workspace_id: id === foreign ? elsewhere : home })) },
        },
      );
    const isUnlisted = (id: string): boolean =>
      isAsExpected(
        {
          exchange: list(id),
          place: { ...place, secondChannelId: second },
          control: list(channelId, third, foreign),
        },
        'unlisted',
      );
    expect([channelId, second, third, foreign, randomUUID()].map(isUnlisted)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('a token that is nearly valid', () => {
  const session = { client: {} as never, record: () => undefined, signal: new AbortController().signal };
  const holder = new Actor('author', 'agent-10', session);
  const anonymous = new Actor('anonymous', undefined, session);
  const kinds = credentialFaults.flatMap((fault) => fault.kinds);
  const isTried = (slug: string, issued: readonly string[]): boolean =>
    kinds
      .find((kind) => kind.slug === slug)
      ?.speaker({
        anonymous,
        place,
        holder,
        isIssued: (token) => issued.includes(token),
        names: defaultNames,
        control: undefined,
      }) !== undefined;

  it('is left out where it is that of somebody else', () => {
    expect(isTried('cut-short', ['agent-10'])).toBe(true);
    expect(isTried('cut-short', ['agent-10', 'agent-1'])).toBe(false);
    expect(isTried('edited-in-the-middle', ['agent-10', 'agenu-10'])).toBe(false);
  });
});
