import type { FindingEvent, FooterEvent, HeaderEvent } from '../../harness/results/events.ts';
import { againCommand } from '../again.ts';
import type { AgainCommands } from '../again.ts';
import { whatNow } from '../stale-entry.ts';

/** Where the results of a campaign are kept, and the commands that show them again. */
export interface KeptCampaign extends AgainCommands {
  readonly folder: string;
}

/** What a campaign came to, in lines for people. */
export function summaryLines(
  findings: readonly FindingEvent[],
  { campaign, reason, footprint, durationMs, staleBaseline = [] }: FooterEvent,
  kept: KeptCampaign,
  header?: HeaderEvent,
): readonly string[] {
  if (campaign === undefined) return [];
  const { folder } = kept;
  const { cases, answers, readBack, inconclusive, fixed, leftOut, seen } = campaign;
  const kinds = Object.entries(answers).toSorted(([, one], [, other]) => other - one);
  const counting = findings.filter(({ id }) => seen[id]?.known === undefined);
  const [failed, warned] = ['failed', 'warned'].map(
    (verdict) => counting.filter((each) => each.verdict === verdict).length,
  );
  const known = findings.length - counting.length;
  return [
    ...(reason === undefined ? [] : [reason]),
    ...Object.entries(leftOut).map(([family, why]) => `skipped: ${family}: ${why}`),
    `${cases} cases, ${footprint.requests} requests in ${(durationMs / 1000).toFixed(1)} s; ${inconclusive} inconclusive`,
    `answers: ${kinds
      .slice(0, 8)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
    `${readBack.compared} messages read back, ${readBack.absent} refused ones shown to be absent, ${readBack.inconclusive} inconclusive`,
    ...fixed.map((name) => `fixed: ${name}`),
    ...findings.flatMap(({ id, case: shown }) => {
      const expected = seen[id]?.known;
      return expected === undefined ? [] : [`known: ${shown?.root}: ${expected}`];
    }),
    ...staleBaseline.map(
      (entry) => `error: ${entry.place}  ${entry.clause ?? entry.check ?? ''} ${whatNow(entry)}`,
    ),
    `${failed} failed, ${warned} warned${known === 0 ? '' : `, ${known} known`}; results in ${folder}`,
    ...new Set(findings.map((finding) => `  ${againCommand(finding, { folder, header }, kept)}`)),
  ];
}
