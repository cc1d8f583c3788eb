import { expect, it } from 'vitest';
import { failedChecks } from '../../../cli/run/selection.ts';
import { allChecks } from '../../../suites/index.ts';
import { check, clause, collected, finding, footer, header, tally } from '../../reporters/events.ts';
import { campaign } from '../../reporters/page/other-runs.ts';

const broken = 'mentions.across-channels';
const about = allChecks
  .filter(({ clauses, arranges }) => [...clauses, ...arranges].some((each) => each === broken))
  .map(({ id }) => id);

it('the checks that failed are those that bring about what judges of a history found, or a campaign', () => {
  const judged = collected([
    header({ profile: { ...header().profile, selection: ['judge'] } }),
    check('history.mentions', 'all that was read', [clause(broken, { verdict: 'failed' })]),
    finding({ check: 'history.mentions', clause: broken }),
    footer({ exitCode: 1, checks: tally(0, 1) }),
  ]);
  const [first, ...others] = campaign;
  const drawn = collected([
    ...(first === undefined ? [] : [first]),
    finding({ check: 'fuzz.read', clause: broken }),
    ...others,
  ]);
  expect(about).not.toEqual([]);
  for (const run of [judged, drawn]) expect(failedChecks(run)).toEqual(about);
});
