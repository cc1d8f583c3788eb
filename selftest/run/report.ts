import type { MutantResult } from './judge-mutant.ts';
import type { VariantResult } from './judge-variant.ts';
import { isGreen, type SelftestReport } from './run-selftest.ts';

/** The outcome in lines for a terminal: the score, then everything that has to be done. */
export function summaryOf(report: SelftestReport): string {
  const { results, variants, degenerates, faults, durationMs } = report;
  const killed = results.filter(({ killedBy }) => killedBy.length > 0).length;
  const quiet = variants.length - faults.falseAlarms.length;
  const unmasked = degenerates.length - faults.escapes.length;
  return [
    `${killed} of ${results.length} mutants killed`,
    ...(variants.length === 0
      ? []
      : [`${quiet} of ${variants.length} variants and combinations without an alarm`]),
    ...(degenerates.length === 0
      ? []
      : [`${unmasked} of ${degenerates.length} degenerate servers prove nothing`]),
    `${(durationMs / 1000).toFixed(0)} s`,
    ...faults.survivors.map(
      ({ mutant }) => `survived:  ${mutant.clause} (${mutant.level}): ${mutant.id}: ${mutant.what}`,
    ),
    ...faults.crashes.map(({ mutant, crash }) => `crashes:   ${mutant.clause}: ${mutant.id}: ${crash ?? ''}`),
    ...faults.hiding.flatMap(({ mutant, hidden }) =>
      hidden.map((each) => `hides:     ${mutant.clause}: ${mutant.id}: ${each}`),
    ),
    ...faults.falseAlarms.flatMap(alarmLines),
    ...faults.escapes.flatMap(({ server, escapes }) =>
      escapes.map((escape) => `escapes:   ${server.name}: ${escape}`),
    ),
    ...faults.idleChecks.map((check) => `idle:      ${check}`),
    ...faults.unhealthyChecks.map(({ check, trouble }) => `unhealthy: ${check.id}: ${trouble ?? ''}`),
    ...faults.clausesWithoutMutant.map(({ id }) => `no mutant: ${id}`),
    ...faults.missingSituations.map((situation) => `never:     ${situation}`),
    ...results.flatMap(expensiveLine),
    ...results.flatMap(collateralLine),
    isGreen(report) ? 'green' : 'red',
  ].join('\n');
}

function alarmLines({ server, alarms }: VariantResult): string[] {
  const parts = server.variants.length > 1 ? ` (${server.variants.map(({ id }) => id).join(', ')})` : '';
  return alarms.map((alarm) => `alarm:     ${server.id}${parts}: ${alarm}`);
}

function expensiveLine({ mutant, neededAll, killedBy, durationMs }: MutantResult): string[] {
  if (!neededAll || killedBy.length === 0) return [];
  return [
    `expensive: ${mutant.clause}: ${mutant.id}: all checks ran, for ${(durationMs / 1000).toFixed(0)} s`,
  ];
}

function collateralLine({ mutant, alsoNamed = [], killedBy }: MutantResult): string[] {
  return alsoNamed.length === 0 || killedBy.length === 0
    ? []
    : [`also:      ${mutant.clause}: ${mutant.id}: ${alsoNamed.join(', ')}`];
}
