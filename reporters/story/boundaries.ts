import type { CampaignTotals } from '../../harness/results/generated/events.ts';
import { countOf, formatCount } from '../quantities.ts';

const mostNamed = 5;

/** Boundary values of all inputs: those that a campaign has, and those of which a case came to a judgement. */
export function boundarySums({ boundaries = {} }: Pick<CampaignTotals, 'boundaries'>): {
  readonly declared: number;
  readonly judged: number;
} {
  const all = Object.values(boundaries);
  return {
    declared: all.reduce((sum, { declared }) => sum + declared, 0),
    judged: all.reduce((sum, { judged }) => sum + judged, 0),
  };
}

/** The boundary values that a campaign did not come to judge, and the inputs that most of them are of; nothing where it judged all. */
export function boundariesLeftText(campaign: Pick<CampaignTotals, 'boundaries'>): readonly string[] {
  const { declared, judged } = boundarySums(campaign);
  const left = declared - judged;
  if (left === 0) return [];
  const inputs = Object.entries(campaign.boundaries ?? {})
    .map(([input, tried]) => ({ input, own: tried.declared - tried.judged }))
    .filter(({ own }) => own > 0)
    .toSorted((one, other) => other.own - one.own)
    .slice(0, mostNamed)
    .map(({ input, own }) => `${input} ${formatCount(own)}`);
  return [
    `${formatCount(left)} of ${countOf(declared, 'boundary value')} had not come to a judgement when it ended, most of ${inputs.join(', ')}; a longer campaign, or another shard, has them`,
  ];
}
