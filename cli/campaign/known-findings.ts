import { existsSync, writeFileSync } from 'node:fs';
import type { FoundRoot } from '../../fuzz/campaign/campaign-file.ts';
import type { CampaignResult } from '../../fuzz/campaign/campaign.ts';
import { findingsText } from '../../harness/gate/baseline-text.ts';
import type { Baseline } from '../../harness/gate/baseline.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type { StaleEntry } from '../../harness/results/events.ts';
import { baselineIn } from '../shared/scoring-options.ts';

/** Options that name the known failures of a campaign. */
export interface KnownFindingFlags {
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly strict?: boolean;
}

/** What somebody expects a campaign to find, by the same file as that of a run. */
export class KnownFindings {
  readonly #baseline: Baseline | undefined;
  readonly #flags: KnownFindingFlags;

  /** @throws InvalidTarget when a file is wrong, or is there that should not be */
  constructor(flags: KnownFindingFlags, cwd: string) {
    const { baseline, writeBaseline } = flags;
    if (writeBaseline !== undefined && existsSync(writeBaseline))
      throw new InvalidTarget(
        `${writeBaseline} is there already, with its reasons; remove it, or name another file`,
      );
    this.#baseline = baseline === undefined ? undefined : baselineIn(baseline, cwd);
    this.#flags = flags;
  }

  /** Why a root may be found; `undefined` when nobody expects that. */
  readonly reasonFor = (root: string, clauses: readonly string[]): string | undefined =>
    this.#baseline?.reasonForRoot({ root, clauses });

  /** Entries that no longer hold, by a campaign that came to its end. */
  staleBy(result: CampaignResult | undefined): readonly StaleEntry[] {
    return result?.end === 'complete' ? (this.#baseline?.staleByRoots(result.roots) ?? []) : [];
  }

  /** Says which entries nothing was seen of. */
  unseenIn(result: CampaignResult | undefined): readonly string[] {
    return (this.#baseline?.unseenRoots(result?.roots ?? []) ?? []).map(
      (entry) => `${entry} was neither found nor is it in the corpus: whether it still holds is not known`,
    );
  }

  /** Writes what was asked for, and says so in a line for people. */
  write(findings: readonly FoundRoot[], end: CampaignResult['end'] | undefined): readonly string[] {
    const { writeBaseline: file, strict } = this.#flags;
    if (file === undefined) return [];
    if (end !== 'complete') return [`${file} was not written: the campaign did not go to its end`];
    const failing = findings.filter(
      ({ weight }) => weight === 'failed' || (strict === true && weight === 'warned'),
    );
    const text = findingsText(failing);
    if (text === undefined) return [`${file} was not written: nothing failed`];
    writeFileSync(file, text);
    return [`${file} holds what failed; give each entry its reason, then run with --baseline ${file}`];
  }
}
