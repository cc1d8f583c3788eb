import { columnOfClause, columns } from '../harness/results/column.ts';
import type {
  BrokenVerdict,
  FooterEvent,
  StaleEntry,
  Tally,
  Verdict,
} from '../harness/results/generated/events.ts';
import { exitCodes } from '../harness/verdict/exit-code.ts';
import { brokenIds, withRestated } from './broken-ids.ts';
import { brokenGates, slowInWords } from './latency-gates.ts';
import { countOf, formatCount } from './quantities.ts';
import { isCampaign, isNarrowed, isSelected, isStrictRun, countedIn, type RunSoFar } from './run-so-far.ts';

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

const knownTitles: typeof campaignTitles = {
  ...campaignTitles,
  passed: 'Only known failures',
  warned: 'Only known failures, and warnings',
};

/** What a run came to, in a heading and in a sentence; `look` is how it is shown. */
export function verdictOf(run: RunSoFar): Conclusion & { readonly title: string; readonly look: Verdict } {
  const conclusion = conclude(run, isStrictRun(run));
  const { verdict, partial, isOpenInPart = false } = conclusion;
  const isWarned = verdict === 'passed' && countedIn(run).some((each) => each.verdict === 'warned');
  const look = isWarned ? 'warned' : verdict;
  const words = run.header?.campaign === undefined ? titles : hasKnown(run) ? knownTitles : campaignTitles;
  if (partial === undefined && !isOpenInPart) {
    const isGateAlone =
      verdict === 'failed' && run.footer !== undefined && !isBrokenIn(run, isStrictRun(run));
    return { ...conclusion, title: isGateAlone ? 'Does not pass the gate' : words[look], look };
  }
  return { ...conclusion, title: 'Incomplete run', look: verdict === 'failed' ? 'failed' : 'inconclusive' };
}

/** How a sentence begins about a run that showed nothing. */
const nothing = 'nothing could be concluded';

/** Whether a run came to a whole result, so that what it does not show broken is not. */
export function hasResult(run: RunSoFar): boolean {
  const { verdict, partial } = verdictOf(run);
  return partial === undefined && verdict !== 'inconclusive' && whyTroubled(run.footer) === undefined;
}

/** What kept a run from being whole though it went to its end, as a hook that does not work or a credential that it lost. */
export function whyTroubled(footer: Pick<FooterEvent, 'reason' | 'trouble'> | undefined): string | undefined {
  return footer?.reason ?? footer?.trouble?.text;
}

/** What a run came to, in one sentence, and how it is to be taken. */
export interface Conclusion {
  readonly verdict: Verdict;
  /** Ends with the exit code when there is one. */
  readonly text: string;
  /** Why this is not a whole run; `undefined` when it is one. */
  readonly partial: string | undefined;
  /** True of a whole run that is inconclusive though it showed something. */
  readonly isOpenInPart?: boolean;
}

/** Names of failed clauses that still fit into one sentence. */
const maxNames = 3;

/**
 * The result in words. A run that was stopped never concludes that the server conforms. With `isStrict`, warnings count
 * as failures.
 */
export function conclude(run: RunSoFar, isStrict: boolean): Conclusion {
  const { footer } = run;
  const partial = whyPartial(run);
  if (footer === undefined || partial !== undefined) return concludePartial(run, partial ?? '', isStrict);
  const exit = ` (exit ${footer.exitCode})`;
  switch (footer.exitCode) {
    case exitCodes.conforms:
      return { verdict: 'passed', text: conforming(run, footer) + exit, partial };
    case exitCodes.broken:
      return { verdict: 'failed', text: `${whatBroke(run, footer, isStrict)}${exit}`, partial };
    case exitCodes.inconclusive: {
      const open = whatStayedOpen(footer);
      const text =
        open === undefined ? `${nothing}: ${whyNothing(run, footer)}` : `nothing failed, but ${open}`;
      return { verdict: 'inconclusive', text: text + exit, partial, isOpenInPart: open !== undefined };
    }
    default:
      return {
        verdict: 'inconclusive',
        text: `no result: ${footer.reason ?? 'the run did not work'}${exit}`,
        partial,
      };
  }
}

/** `2 of 214 checks ended`; `undefined` where all have, and of a campaign, which has none. */
export function ended(run: RunSoFar): string | undefined {
  const { header, checks } = run;
  if (isCampaign(run)) return undefined;
  if (header === undefined) return `${countOf(checks.length, 'check')} ended`;
  if (checks.length >= header.checks) return undefined;
  return `${formatCount(checks.length)} of ${countOf(header.checks, 'check')} ended`;
}

/** Sum over the columns. */
export function totalOf(tally: Tally): number {
  return columns.reduce((sum, column) => sum + (tally[column] ?? 0), 0);
}

function whyPartial(run: RunSoFar): string | undefined {
  const { footer } = run;
  if (footer === undefined) return 'the results end without a footer';
  if (footer.end === 'complete') return undefined;
  if (footer.end === 'bailed') return `cut short by ${footer.reason ?? '--bail'}`;
  // A campaign says itself whether somebody interrupted it, or what else ended it.
  if (footer.end === 'interrupted' && footer.reason !== undefined && isCampaign(run)) return footer.reason;
  const how = footer.end === 'crashed' ? 'the suite crashed' : 'interrupted';
  return footer.reason === undefined ? how : `${how}: ${footer.reason}`;
}

function concludePartial(run: RunSoFar, partial: string, isStrict: boolean): Conclusion {
  const exit = run.footer === undefined ? '' : ` (exit ${run.footer.exitCode})`;
  if (run.preflight?.isOk === false && run.footer?.reason === undefined)
    return {
      verdict: 'inconclusive',
      text: `${nothing}: ${preflightFailed}${exit}`,
      partial,
    };
  const isBroken = isBrokenIn(run, isStrict);
  if (run.footer?.end === 'bailed') {
    const parts = [`does not conform: ${clausesInWords(run, isStrict)}`, partial, ended(run)];
    const text = `${parts.filter((part) => part !== undefined).join('; ')}${exit}`;
    return { verdict: 'failed', text, partial };
  }
  const soFar = isBroken ? clausesInWords(run, isStrict) : hasKnown(run) ? onlyKnown : 'nothing failed';
  const text = `incomplete run: ${soFar}${howFar(run)}; ${partial}${exit}`;
  return { verdict: isBroken ? 'failed' : 'inconclusive', text, partial };
}

/** How far an incomplete run came, where that is known and not the whole way. */
function howFar(run: RunSoFar): string {
  const { campaign } = run.footer ?? {};
  if (campaign !== undefined) return ` in ${countOf(campaign.judged, 'case')}`;
  const how = ended(run);
  return how === undefined ? '' : `, but only ${how}`;
}

/** What is said where all that failed was known to. */
const onlyKnown = 'only known failures';

function hasKnown({ footer }: RunSoFar): boolean {
  const { must, inferred } = footer?.clauses ?? {};
  return (must?.known ?? 0) + (inferred?.known ?? 0) > 0;
}

function conforming(run: RunSoFar, { clauses, campaign }: FooterEvent): string {
  const isKnown = hasKnown(run);
  if (campaign !== undefined) {
    const cases = countOf(campaign.judged, 'case');
    return isKnown ? `${onlyKnown}: nothing else failed in ${cases}` : `nothing failed in ${cases}`;
  }
  const warned = clauses.must.warned + clauses.inferred.warned;
  const parts = [
    isKnown ? 'nothing else failed' : 'nothing failed',
    ...(warned === 0 ? [] : [`${formatCount(warned)} warned`]),
    shownInWords(clauses),
    ...apart(clauses),
  ];
  const rest = openInWords(clauses).map((open) => `; ${open}`);
  const verdict = isKnown ? onlyKnown : 'conforms';
  const share = isSelected(run) ? ' in what was selected' : isNarrowed(run) ? ' in what was judged' : '';
  return `${verdict}${share}: ${parts.join(', ')}${rest.join('')}`;
}

/** What else a server does is not known where much stayed open: `66 inconclusive`. */
function openInWords({ must: { inconclusive } }: FooterEvent['clauses']): readonly string[] {
  return inconclusive === 0 ? [] : [`${formatCount(inconclusive)} inconclusive`];
}

/** A narrowed run may be about inferred clauses alone. */
function shownInWords({ must, inferred }: FooterEvent['clauses']): string {
  const [tally, noun] = totalOf(must) === 0 ? [inferred, 'inferred clause'] : [must, 'must clause'];
  return `${formatCount(tally.passed)} of ${countOf(totalOf(tally), noun)} shown`;
}

/** What is neither kept nor open, since it decides nothing: `2 known to fail`. */
function apart({ must, inferred }: FooterEvent['clauses']): readonly string[] {
  const known = (must.known ?? 0) + (inferred.known ?? 0);
  const notScored = (must.notScored ?? 0) + (inferred.notScored ?? 0);
  const notApplicable = must.notApplicable ?? 0;
  return [
    ...(known === 0 ? [] : [`${formatCount(known)} known to fail`]),
    ...(notScored === 0 ? [] : [`${formatCount(notScored)} not scored`]),
    ...(notApplicable === 0 ? [] : [`${countOf(notApplicable, 'does', 'do')} not apply`]),
  ];
}

function whatBroke(run: RunSoFar, footer: FooterEvent, isStrict: boolean): string {
  const { staleBaseline = [] } = footer;
  const { slow } = brokenGates(footer);
  const stale = countOf(staleBaseline.length, 'entry', 'entries');
  const tooSlow = slow.length === 0 ? [] : [slowInWords(slow)];
  if (!isBrokenIn(run, isStrict) && staleBaseline.length > 0)
    return [`no new failure, but the baseline is out of date: ${stale} to fix`, ...tooSlow].join('; ');
  if (!isBrokenIn(run, isStrict) && slow.length > 0) return `nothing failed, but ${slowInWords(slow)}`;
  const also = staleBaseline.length === 0 ? [] : [`${stale} of the baseline to fix`];
  const open = isCampaign(run) ? [] : openInWords(footer.clauses);
  return [`does not conform: ${clausesInWords(run, isStrict)}`, ...open, ...also, ...tooSlow].join('; ');
}

function isBrokenIn(run: RunSoFar, isStrict: boolean): boolean {
  return failedIn(run).length > 0 || (isStrict && warnedIn(run).length > 0);
}

/** `2 clauses failed: mentions.limit, send.content-bytes`. */
function clausesInWords(run: RunSoFar, isStrict: boolean): string {
  const failed = failedIn(run);
  const warned = isStrict ? warnedIn(run) : [];
  const counts = [
    ...(failed.length > 0 || warned.length === 0 ? [`${countOf(failed.length, 'clause')} failed`] : []),
    ...(warned.length > 0 ? [`${countOf(warned.length, 'clause')} warned in a strict run`] : []),
  ];
  const names = [...failed, ...warned];
  const isShort = names.length > 0 && names.length <= maxNames;
  return `${counts.join(' and ')}${isShort ? `: ${names.join(', ')}` : ''}`;
}

function failedIn(run: RunSoFar): readonly string[] {
  return brokenIdsIn(run, 'failed');
}

function warnedIn(run: RunSoFar): readonly string[] {
  return brokenIdsIn(run, 'warned');
}

/** By findings, which come at the end: a run that did not reach it has told of its checks alone. */
function brokenIdsIn(run: RunSoFar, verdict: BrokenVerdict): readonly string[] {
  const found = brokenIds(countedIn(run), verdict);
  if (run.footer !== undefined) return found;
  const told = run.checks.flatMap((check) =>
    check.clauses.filter((each) => columnOfClause(each, check) === verdict).map(({ clause }) => clause),
  );
  return [...new Set([...found, ...withRestated([...new Set(told)])])];
}

/** What of a run stayed open that showed something; `undefined` where it showed nothing. */
function whatStayedOpen(footer: FooterEvent): string | undefined {
  const required = footer.requiredInconclusive ?? [];
  const { must, inferred } = footer.clauses;
  const isAnyShown = must.passed + inferred.passed > 0;
  const why = footer.reason === undefined ? footer.trouble?.text : isAnyShown ? footer.reason : undefined;
  if (why !== undefined) return `the run is incomplete: ${why}`;
  const { unmeasured } = brokenGates(footer);
  if (footer.reason === undefined && required.length === 0 && unmeasured.length > 0)
    return `no answer came by which to judge how slow this is: ${unmeasured.map(({ call }) => call).join(', ')}`;
  if (footer.reason !== undefined || required.length === 0) return undefined;
  const names = required.length <= maxNames ? `: ${required.map(({ clause }) => clause).join(', ')}` : '';
  return `${countOf(required.length, 'required clause')} stayed inconclusive${names}`;
}

/** What it found was printed when it was found. */
const preflightFailed = 'preflight failed';

function whyNothing({ preflight }: RunSoFar, footer: FooterEvent): string {
  if (footer.reason !== undefined) return footer.reason;
  if (preflight?.isOk === false) {
    return preflightFailed;
  }
  const { must, inferred } = footer.clauses;
  const { passed, warned, notScored = 0, known = 0 } = footer.checks;
  if (passed > 0 && must.passed + inferred.passed > 0) return 'well-formed answers alone prove nothing';
  const broken = must.warned + inferred.warned;
  if (passed > 0)
    return broken > 0 ? `no clause passed, ${formatCount(broken)} warned` : 'no clause was decided';
  if (warned > 0) return `no check passed, ${warned} warned`;
  if (notScored > 0) return 'no scored check could decide anything';
  if (known > 0) return 'nothing passed; everything else is a known failure';
  return `none of ${countOf(totalOf(footer.checks), 'check')} could decide anything`;
}

/** What is to be done about an entry of a baseline that no longer holds. */
export function whatNow({ problem, expires = '' }: StaleEntry): string {
  return problem === 'expired'
    ? `expired on ${expires}: fix the server or extend \`expires\``
    : 'passed: remove the entry';
}

/** The same with what the entry is about. */
export function staleInWords(entry: StaleEntry): string {
  return `${entry.clause ?? entry.check ?? entry.place} ${whatNow(entry)}`;
}
