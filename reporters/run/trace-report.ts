import type { Shown } from '../../harness/output/printable.ts';
import type { EvidenceExchange } from '../../harness/results/generated/events.ts';
import { countOf } from '../quantities.ts';
import { exchangeLines } from './exchange-lines.ts';
import { layOut, paint, reportColumns, row, span } from './rows.ts';

interface TraceSettings {
  readonly columns: number | undefined;
  readonly hasColor: boolean;
  /** No more exchanges than these were kept. */
  readonly mostKept: number;
}

/** Every exchange of a check as HTTP text, in the order in which they ended. */
export function traceReport(
  check: string,
  exchanges: readonly EvidenceExchange[],
  { hasColor, mostKept, ...output }: TraceSettings,
): Shown {
  const columns = reportColumns(output.columns);
  const isFull = exchanges.length >= mostKept;
  const count = exchanges.length === 0 ? 'it sent nothing' : countOf(exchanges.length, 'exchange');
  const title = row(span('strong', 'TRACE'), `  ${check}: ${isFull ? 'the first ' : ''}${count}`);
  const shown = exchanges.flatMap((exchange) => [[], ...exchangeLines(exchange, columns)]);
  return paint([[], ...layOut([title], columns), ...shown], hasColor);
}
