import type { Operation } from '../../history/operation.ts';
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';

/** A longer body is left out: findings show what a page held by its sequences. */
const longestKept = 16_000;
const noBytes = new Uint8Array();

/** The exchanges behind the operations of a run, so that a finding can show them. */
export class KeptExchanges {
  readonly #exchanges = new Map<number, Exchange>();

  add({ index }: Operation, exchange: Exchange): void {
    const { response } = exchange;
    const isKept = response === undefined || response.bytes.byteLength <= longestKept;
    this.#exchanges.set(index, isKept ? exchange : { ...exchange, response: withoutBody(response) });
  }

  /** Those of the given operations, in their order; calls of hooks have none. */
  of(operations: readonly Operation[]): readonly Exchange[] {
    return operations.flatMap(({ index }) => this.#exchanges.get(index) ?? []);
  }
}

function withoutBody(response: ReceivedResponse): ReceivedResponse {
  return { ...response, bytes: noBytes, json: undefined };
}
