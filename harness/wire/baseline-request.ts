import type { Due } from '../../history/operation.ts';
import { expectationOf, type OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import type { Exchange } from '../client/exchange.ts';

/** A longer body is not looked into. */
const maxBodyLength = 100_000;

/** Calls of which the contract says enough for a request to be plainly valid. */
export type BaselineCall = (typeof baselineCalls)[number];
const baselineCalls = ['mentions', 'overview', 'send', 'channel-read'] as const;

/**
 * The call of a request, and whether the contract says that it is served; `undefined` for a call or a body that is not looked into. Who
 * has asked the oracle already passes what is expected.
 */
export function askedOf(
  { request }: Pick<Exchange, 'request'>,
  facts: OracleFacts,
  expected?: Due,
): { readonly call: BaselineCall; readonly kind: Due } | undefined {
  const call = baselineCalls.find((each) => each === request.call);
  if (call === undefined || (request.body?.length ?? 0) > maxBodyLength) return undefined;
  return { call, kind: expected ?? expectationOf(request, facts).expected.kind };
}

/** The call of a request that the contract plainly allows; `undefined` for every other. */
export function baselineCallOf(exchange: Exchange, facts: OracleFacts): BaselineCall | undefined {
  const asked = askedOf(exchange, facts);
  return asked?.kind === 'accept' ? asked.call : undefined;
}
