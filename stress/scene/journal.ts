import type { Exchange } from '../../harness/client/exchange.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import type { RecordedTarget } from '../../harness/record/history-recorder.ts';
import type { Change, History, HistoryFacts, Operation } from '../../history/operation.ts';

/** Writes down what the clients of a chapter asked and were answered, until the chapter is closed. */
export class Journal {
  readonly #recorder: HistoryRecorder;
  #isClosed = false;

  constructor(facts: HistoryFacts, target: RecordedTarget) {
    this.#recorder = new HistoryRecorder(facts, target);
  }

  /** Adds what a client was answered; `undefined` for what no history keeps. */
  add(client: string, exchange: Exchange): Operation | undefined {
    return this.#isClosed ? undefined : this.#recorder.add(client, exchange);
  }

  /** Adds a restart: from the call of the hook until that returned. */
  restarted({ startedMs, endedMs }: Pick<Change, 'startedMs' | 'endedMs'>): void {
    if (this.#isClosed) return;
    this.#recorder.change({ client: 'operator', change: 'restart', startedMs, endedMs, isDone: true });
  }

  /** What ends later was cut short by the end of the run, and says nothing. */
  close(): void {
    this.#isClosed = true;
  }

  get history(): History {
    return this.#recorder.history;
  }
}
