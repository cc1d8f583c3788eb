import { fieldOfNeed, isEnabled, type NeedName } from '../../harness/config/capabilities.ts';
import { partsMeant, partsNeeded } from '../../harness/config/optional-parts.ts';
import type { Target } from '../../harness/config/target.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { allChecks } from '../../suites/index.ts';
import { openTarget } from '../shared/open-target.ts';
import { out, secrets } from '../shared/output.ts';
import type { TargetOptions } from '../shared/target-options.ts';
import { withinTime } from '../shared/time/time-limit.ts';
import { type Examination, examine } from './examine.ts';
import { checksAllowedBy, coverageGained, gainsOf } from './gains.ts';
import { pageOf, type Row } from './page.ts';

/** Tries everything that a target has and prints the page about it; returns the exit code. */
export async function doctor(options: TargetOptions): Promise<number> {
  const { target, close } = await openTarget(options);
  const sofar = new FoundSoFar();
  try {
    const limited = await withinTime('doctor', target.budgetMs, (signal) =>
      examine(target, { env: process.env, signal, secrets, onFound: (found) => sofar.add(found) }),
    );
    const examination = limited.end === 'done' ? limited.value : sofar.examination;
    if (examination !== undefined) out.say(pageFor(target, examination));
    if (limited.end === 'interrupted') return exitCodes.interrupted;
    if (limited.end === 'out-of-time') {
      const seconds = limited.limitMs / 1000;
      out.say(
        `error: ${seconds} s were not enough to try everything (--budget-ms); the rest was not tried\n`,
      );
      return exitCodes.inconclusive;
    }
    const { rows, preflight, lost } = limited.value;
    if (lost !== undefined) out.say(`error: it worked at the beginning and does not any more: ${lost}\n`);
    const isFine = preflight.isOk && lost === undefined && !rows.some(({ state }) => state === 'broken');
    return isFine ? exitCodes.conforms : exitCodes.inconclusive;
  } finally {
    await close();
  }
}

/** What an examination had found out when it was cut short. */
class FoundSoFar {
  readonly #rows: Row[] = [];
  #start: Pick<Examination, 'preflight' | 'settleMs'> | undefined;

  add(found: Pick<Examination, 'preflight' | 'settleMs'> | Row): void {
    if ('field' in found) this.#rows.push(found);
    else this.#start = found;
  }

  /** `undefined` before preflight came to its end. */
  get examination(): Examination | undefined {
    return this.#start === undefined ? undefined : { ...this.#start, rows: this.#rows };
  }
}

function pageFor(target: Target, examination: Examination): string {
  const has = (need: NeedName): boolean => isUsable(need, target, examination.rows);
  const missing = (target.without ?? []).flatMap(partsMeant);
  const isMissing = (need: NeedName): boolean => partsNeeded([need]).some((part) => missing.includes(part));
  const checks = checksAllowedBy(allChecks, target);
  const coverage = coverageGained(checks, has);
  const gains = gainsOf(checks, has).filter(({ need }) => !isMissing(need));
  return pageOf({ ...examination, target, coverage, gains });
}

/** Whether a need is there and not known to be of no use. */
function isUsable(need: NeedName, target: Target, rows: readonly Row[]): boolean {
  const row = rows.find(({ field }) => field === fieldOfNeed(need));
  return isEnabled(target, need) && row?.state !== 'broken' && row?.state !== 'odd';
}
