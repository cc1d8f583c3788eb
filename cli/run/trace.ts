import { namesMeant } from '../../harness/gate/names-meant.ts';
import type { EvidenceExchange } from '../../harness/results/events.ts';
import { traceReport } from '../../reporters/run/trace-report.ts';
import { allChecks } from '../../suites/index.ts';
import { out } from '../shared/output.ts';

/** Exchanges of a check that are kept; the history of a run (`--history`) has all. */
const mostKept = 200;

/** Keeps every exchange of some checks, whatever these come to, and prints them at the end. */
export class Trace {
  readonly #exchanges: ReadonlyMap<string, EvidenceExchange[]>;

  /** @throws InvalidTarget when a name is unknown, or a pattern matches nothing */
  constructor(names: readonly string[]) {
    const known = allChecks.map(({ id }) => id);
    this.#exchanges = new Map(
      (names.length === 0 ? [] : namesMeant('check', names, known)).map((id) => [id, []]),
    );
  }

  add(check: string, evidence: () => EvidenceExchange): void {
    const kept = this.#exchanges.get(check);
    if (kept !== undefined && kept.length < mostKept) kept.push(evidence());
  }

  print(): void {
    for (const [check, exchanges] of this.#exchanges)
      out.write(traceReport(check, exchanges, { columns: out.columns, hasColor: out.hasColor, mostKept }));
  }
}
