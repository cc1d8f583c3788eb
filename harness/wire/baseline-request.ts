import { expectationOf } from '../../oracles/requests/expectation.ts';
import type { OracleFacts } from '../../oracles/requests/expectation.ts';
import type { Exchange } from '../client/exchange.ts';

/** A longer body is not looked into. */
const maxBodyLength = 100_000;

/** Calls of which the contract says enough for a request to be plainly valid. */
export type BaselineCall = (typeof baselineCalls)[number];
const baselineCalls = ['mentions', 'overview', 'send', 'channel-read'] as const;

/** The call of a request that the contract plainly allows; `undefined` for every other. */
export function baselineCallOf({ request }: Exchange, facts: OracleFacts): BaselineCall | undefined {
  const call = baselineCalls.find((each) => each === request.call);
  if (call === undefined || (request.body?.length ?? 0) > maxBodyLength) return undefined;
  return expectationOf(request, facts).expected.kind === 'accept' ? call : undefined;
}

/** Whether it is a send of which the contract neither says that it is served nor that it is refused. */
export function isOpenSend({ request }: Pick<Exchange, 'request'>, facts: OracleFacts): boolean {
  if (request.call !== 'send' || (request.body?.length ?? 0) > maxBodyLength) return false;
  return expectationOf(request, facts).expected.kind === 'open';
}
