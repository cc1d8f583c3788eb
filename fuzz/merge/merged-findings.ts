import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type {
  BrokenClause,
  CampaignTotals,
  FindingCase,
  FindingEvent,
  SeenByTheEnd,
} from '../../harness/results/generated/events.ts';
import type { Part } from './campaign-part.ts';
import { fileNameOf, type FailureFile } from '../campaign/failure-file.ts';

/** The file that is kept of a root, and the folder of the part that it comes from. */
export interface KeptFailure {
  readonly file: FailureFile;
  readonly folder: string;
}

/** A finding as its campaign knew it in the end; of what only a whole history shows nothing more was seen. */
interface Found {
  readonly finding: FindingEvent;
  readonly seen: SeenByTheEnd | undefined;
}

/**
 * One finding a root, with what all of them saw: told as by the part whose file is kept, else as by the first. It is known where it is known
 * to every part that has it. What a whole history shows is one a clause, and apart for what is known.
 */
export function mergedFindings(
  parts: readonly Part[],
  failures: ReadonlyMap<string, KeptFailure>,
): { readonly findings: readonly FindingEvent[]; readonly seen: CampaignTotals['seen'] } {
  const byRoot = new Map<string, Found>();
  for (const { folder, events, footer } of parts) {
    for (const event of events) {
      if (event.type !== 'finding') continue;
      const found = foundBy(event, footer?.campaign.seen[event.id]);
      const root = event.case?.root ?? JSON.stringify([event.clause, found.finding.known]);
      const earlier = byRoot.get(root);
      const isToldByThis = failures.get(root)?.folder === folder;
      if (earlier === undefined) byRoot.set(root, found);
      else byRoot.set(root, isToldByThis ? together(found, earlier) : together(earlier, found));
    }
  }
  const all = [...byRoot].map(([root, found], index) => ({
    ...found,
    finding: named(found.finding, `F${index + 1}`, failures.get(root)?.file),
  }));
  return {
    findings: all.map(({ finding }) => finding),
    seen: Object.fromEntries(
      all.flatMap(({ finding, seen }) => (seen === undefined ? [] : [[finding.id, seen]])),
    ),
  };
}

function foundBy(event: FindingEvent, seen: SeenByTheEnd | undefined): Found {
  const { known: _early, ...rest } = event;
  const finding = { ...rest, ...knownAs((seen ?? event).known) };
  if (seen !== undefined || event.case === undefined) return { finding, seen };
  // Of a campaign that was cut off nobody knows more than that it came up.
  const clauses = brokenClauses(event).map(({ clause }) => clause);
  return {
    finding,
    seen: { sightings: 1, clauses, calls: event.case.calls, ...knownAs(event.known) },
  };
}

/** One finding of two of a root, told as the first of them. */
function together({ finding, seen }: Found, other: Found): Found {
  const { known, clauses: _own, ...told } = finding;
  const clauses = clausesOfBoth(clausesOf(finding), clausesOf(other.finding));
  return {
    finding: {
      ...told,
      ...(clauses.length > 1 && { clauses }),
      ...(other.finding.known !== undefined && knownAs(known)),
      ...(told.case !== undefined && { case: caseOfBoth(told.case, other.finding.case) }),
    },
    seen: seen === undefined || other.seen === undefined ? seen : seenByBoth(seen, other.seen),
  };
}

/** The clauses of a finding, each with why it is known by itself or with the whole. */
function clausesOf(finding: FindingEvent): readonly BrokenClause[] {
  return brokenClauses(finding).map((each) => ({ ...each, ...knownAs(each.known ?? finding.known) }));
}

function clausesOfBoth(some: readonly BrokenClause[], others: readonly BrokenClause[]): BrokenClause[] {
  const all = new Map(some.map((each) => [each.clause, each]));
  for (const each of others) {
    const { known, ...unknown } = all.get(each.clause) ?? each;
    all.set(each.clause, { ...unknown, ...(each.known !== undefined && knownAs(known)) });
  }
  return [...all.values()];
}

function caseOfBoth(told: FindingCase, other: FindingCase | undefined): FindingCase {
  const companions = [...new Set([...(told.companions ?? []), ...(other?.companions ?? [])])];
  // Campaigns that are merged count as begun together.
  const times = [told.firstMs, other?.firstMs].filter((ms) => ms !== undefined);
  return {
    ...told,
    ...(companions.length > 0 && { companions }),
    isInCorpus: told.isInCorpus && other?.isInCorpus !== false,
    ...(times.length > 0 && { firstMs: Math.min(...times) }),
  };
}

/** What was looked at once more at the end is the request of the one that is told. */
function seenByBoth({ known, ...told }: SeenByTheEnd, other: SeenByTheEnd): SeenByTheEnd {
  return {
    ...told,
    sightings: told.sightings + other.sightings,
    clauses: [...new Set([...told.clauses, ...other.clauses])],
    calls: [...new Set([...told.calls, ...other.calls])],
    ...(other.known !== undefined && knownAs(known)),
  };
}

function knownAs(known: string | undefined): { readonly known?: string } {
  return known === undefined ? {} : { known };
}

function named(finding: FindingEvent, id: string, file: FailureFile | undefined): FindingEvent {
  const { case: shown } = finding;
  if (shown === undefined || file === undefined) return { ...finding, id };
  return { ...finding, id, case: { ...shown, file: fileNameOf(file) } };
}
