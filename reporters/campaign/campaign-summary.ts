import type { CampaignFile } from '../../fuzz/campaign/campaign-file.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { whatNow } from '../stale-entry.ts';

/** What a campaign ends with, by the numbers of every command. */
export function exitCodeOf(
  campaign: CampaignFile,
  { failOn, isStrict }: { readonly failOn: 'new' | 'any'; readonly isStrict: boolean },
): number {
  const { end, findings, judged, kept } = campaign;
  if (end === 'interrupted') return exitCodes.interrupted;
  const counting = findings.filter(
    ({ isKnown, known }) => known === undefined && (failOn === 'any' || !isKnown),
  );
  const weights = new Set(counting.map(({ weight }) => weight));
  if (weights.has('failed') || (isStrict && weights.has('warned'))) return exitCodes.broken;
  if ((campaign.staleBaseline ?? []).length > 0) return exitCodes.broken;
  // Nothing that was taken: then a refusal proves nothing either.
  const hasProved = end === 'complete' && judged > 0 && kept.accepted > 0 && !isMuchUnanswered(campaign);
  return hasProved ? exitCodes.conforms : exitCodes.inconclusive;
}

/** Of the cases of a campaign that proves something, so many may stay without an answer. */
const unansweredShare = 0.1;

function isMuchUnanswered({ cases, unanswered }: CampaignFile): boolean {
  return unanswered > cases * unansweredShare;
}

/** The outcome in lines for people. */
export function summaryOf(campaign: CampaignFile, files: readonly string[], out: string): string {
  const { cases, requests, durationMs, answers, readBack, findings, troubled, fixed, leftOut, end } =
    campaign;
  const { staleBaseline = [] } = campaign;
  const kinds = Object.entries(answers)
    .slice(0, 8)
    .map(([kind, count]) => `${kind} ${count}`);
  const [failed, warned] = ['failed', 'warned'].map(
    (weight) => findings.filter((each) => each.known === undefined && each.weight === weight).length,
  );
  const known = findings.flatMap(({ root, known: reason }) =>
    reason === undefined ? [] : [`known: ${root}: ${reason}`],
  );
  return [
    '',
    ...(end === 'server-gone' ? ['the server is gone: it no longer takes connections'] : []),
    ...(end === 'server-silent'
      ? ['the server stopped answering: for a long while nothing came back, whatever was asked']
      : []),
    ...(end === 'server-limits'
      ? [
          `the server lets nothing in: after ${((campaign.limitedFromMs ?? 0) / 1000).toFixed(1)} s every request was answered with 429, however long it waited`,
        ]
      : []),
    ...(end === 'complete' && isMuchUnanswered(campaign)
      ? [`${campaign.unanswered} of ${cases} cases were not answered: too many to conclude anything`]
      : []),
    ...(end === 'out-of-time' ? ['the time was over before the first case (--time)'] : []),
    ...(end === 'interrupted' ? ['interrupted: this is what ran'] : []),
    ...Object.entries(leftOut).map(([family, reason]) => `left out: ${family}: ${reason}`),
    `${cases} cases, ${requests} requests in ${(durationMs / 1000).toFixed(1)} s; ${troubled} undecided`,
    `answers: ${kinds.join(', ')}`,
    `${readBack.compared} messages read back, ${readBack.absent} refused ones proved absent, ${readBack.undecided} undecided`,
    ...fixed.map((name) => `fixed: ${name}`),
    ...known,
    ...staleBaseline.map(
      (entry) => `error: ${entry.place}  ${entry.clause ?? entry.check ?? ''} ${whatNow(entry)}`,
    ),
    `${failed} failed, ${warned} warned${known.length === 0 ? '' : `, ${known.length} known`}; results in ${out}`,
    ...files.map((file) => `  conform replay ${file}`),
    '',
  ].join('\n');
}
