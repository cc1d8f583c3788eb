import type { Verdict } from '../harness/results/events.ts';
import { conclude } from './conclusion.ts';
import type { Conclusion } from './conclusion.ts';
import { countedIn } from './counted.ts';
import type { RunSoFar } from './run-so-far.ts';

const titles: Readonly<Record<Verdict, string>> = {
  passed: 'Conforms',
  failed: 'Does not conform',
  warned: 'Conforms, with warnings',
  inconclusive: 'Nothing could be concluded',
};

/** A campaign tries what it draws: that nothing broke says less than a run of the checks does. */
const campaignTitles: Readonly<Record<Verdict, string>> = {
  passed: 'Nothing failed',
  failed: 'Broken clauses found',
  warned: 'Nothing failed, with warnings',
  inconclusive: 'Nothing could be concluded',
};

/** What a run came to, in a heading and in a sentence; `look` is how it is shown. */
export function verdictOf(run: RunSoFar): Conclusion & { readonly title: string; readonly look: Verdict } {
  const conclusion = conclude(run, run.header?.profile.strict === true);
  const { verdict, partial } = conclusion;
  const isWarned = verdict === 'passed' && countedIn(run).some((each) => each.verdict === 'warned');
  const look = isWarned ? 'warned' : verdict;
  const words = run.header?.campaign === undefined ? titles : campaignTitles;
  if (partial === undefined) return { ...conclusion, title: words[look], look };
  return { ...conclusion, title: 'Incomplete run', look: verdict === 'failed' ? 'failed' : 'inconclusive' };
}
