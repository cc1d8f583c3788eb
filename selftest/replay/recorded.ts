import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { largeBodies } from '../../harness/client/large-bodies.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import { runChecks } from '../../harness/run/run-checks.ts';
import type { HistoryFacts, Operation } from '../../history/operation.ts';
import { type OutgoingRead, type ReadFacts, type Rules, startReference } from '../../reference/index.ts';
import { populationNeeds } from '../../suites/population/people.ts';
import { longestPopulationOf, type Population, populationOf } from '../../suites/population/population.ts';

/** A page that the reference gave out, and what a rule about pages is asked with. */
export interface GivenPage {
  readonly read: OutgoingRead;
  readonly facts: ReadFacts;
}

/** A population that was sent to the reference and read, with the page behind each answer. */
export interface Recorded {
  readonly population: Population;
  /** All of the run, in the order in which they ended, and what each is in its history. */
  readonly exchanges: readonly {
    readonly client: string;
    readonly exchange: Exchange;
    readonly operation: Operation;
  }[];
  /** The operation that an exchange would have been with another answer. */
  readonly operationOf: (client: string, exchange: Exchange) => Operation | undefined;
  readonly facts: HistoryFacts;
  /** `undefined` for an exchange that is no read. */
  readonly pageOf: (exchange: Exchange) => GivenPage | undefined;
}

const numberHeader = 'x-recorded-page';
/** As for the servers of the self-test. */
const recordedSettleMs = 120;

/**
 * Sends a population to the reference, once, with some of its rules replaced. Its closures stay usable until `close`, for a rule may ask for more than the page.
 */
export async function recordPopulation(
  rules: Partial<Rules> = {},
): Promise<Recorded & { readonly close: () => Promise<void> }> {
  const pages: GivenPage[] = [];
  const numbers = new WeakMap<object, number>();
  const reference = await startReference({
    rules: {
      ...rules,
      presentRead: (read, facts) => {
        numbers.set(read.page, pages.push({ read, facts }) - 1);
        return read;
      },
    },
    answer: (answer) => {
      const { page } = (answer.body ?? {}) as { readonly page?: unknown };
      const number = typeof page === 'object' && page !== null ? numbers.get(page) : undefined;
      if (number === undefined) return undefined;
      return { ...answer, headers: { ...answer.headers, [numberHeader]: String(number) } };
    },
  });
  const target = { ...targetOfReference(reference), settleMs: recordedSettleMs };
  const populations: Population[] = [];
  const met: [string, Exchange][] = [];
  await runChecks([keeping(populations)], target, {
    onEvent: () => undefined,
    onExchange: (client, exchange) => {
      met.push([client, exchange]);
      letStay(exchange);
    },
  });
  const [population] = populations;
  if (population === undefined) throw new Error('no population could be recorded');
  const pageOf = ({ response }: Exchange): GivenPage | undefined =>
    pages[Number(response?.headers[numberHeader]?.[0] ?? -1)];
  const facts = { runId: runIdOf(population), settleMs: recordedSettleMs, isDurable: false };
  const recorder = new HistoryRecorder(facts, target, { isKept: false });
  const operationOf = (client: string, exchange: Exchange): Operation | undefined =>
    recorder.add(client, exchange);
  const exchanges = met.flatMap(([client, exchange]) => {
    const operation = operationOf(client, exchange);
    return operation === undefined ? [] : [{ client, exchange, operation }];
  });
  return { population, exchanges, operationOf, facts, pageOf, close: () => reference.close() };
}

/** All that was recorded is kept until the end: it is not what a bound on answers is about. */
function letStay({ response }: Exchange): void {
  if (response === undefined) return;
  largeBodies.letStay(response.bytes);
  if (typeof response.json === 'object' && response.json !== null) largeBodies.letStay(response.json);
}

function keeping(populations: Population[]): Check {
  const facts = { title: 'a population is sent and read', clauses: [], needs: populationNeeds };
  return check('population.recorded', facts, async (context) => {
    // Retention has no part in it, however busy the machine is.
    populations.push({ ...(await populationOf(context)), keptMs: Infinity });
    await longestPopulationOf(context);
  });
}

function runIdOf({ sent }: Population): string {
  return sent[0]?.marker.replace(/-[0-9]+\.$/, '') ?? '';
}
