import { existsSync } from 'node:fs';
import { baselineText, findingsText } from '../../harness/gate/baseline-text.ts';
import { decidedClauses, requireText } from '../../harness/gate/required-clauses.ts';
import { snapshotText, readSnapshot } from '../../harness/gate/observation-snapshot.ts';
import type { KeptObservations } from '../../harness/gate/observation-snapshot.ts';
import type {
  CampaignTotals,
  CheckEvent,
  FindingEvent,
  FooterEvent,
  ObservationEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import { whyTroubled } from '../../reporters/conclusion.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { secrets } from './output.ts';
import { writeCleanFile } from '../../harness/output/clean-file.ts';
import { asPath } from '../../harness/output/in-shell.ts';

/** Options that name files which a run or a campaign leaves behind for later ones. */
export interface KeptFileFlags {
  readonly writeBaseline?: string;
  readonly writeRequire?: string;
  readonly snapshot?: string;
  readonly strict?: boolean;
}

/**
 * Files that a run or a campaign leaves behind: a baseline to fill in, a list of what was decided, and the snapshot of what was observed.
 * A gate reads them later: a run that came to nothing writes none, and leaves what an earlier one wrote as it is.
 */
export class KeptFiles {
  /** What an earlier run kept; `undefined` when this one is to keep it, or nobody asked. */
  readonly snapshot: { readonly file: string; readonly kept: KeptObservations } | undefined;
  readonly #flags: KeptFileFlags;
  readonly #checks: CheckEvent[] = [];
  readonly #findings: FindingEvent[] = [];
  readonly #observations: ObservationEvent[] = [];
  #hasPassedPreflight = true;

  /** @throws InvalidTarget when a file exists that should not, or is not a file */
  constructor(flags: KeptFileFlags, cwd: string) {
    this.#flags = flags;
    const { writeBaseline, snapshot } = flags;
    if (writeBaseline !== undefined && existsSync(writeBaseline)) {
      throw new InvalidTarget(
        `${writeBaseline} already exists, with its reasons; name another file, and with --baseline ${writeBaseline} it has these reasons too`,
      );
    }
    const kept = snapshot === undefined ? undefined : readSnapshot(snapshot, cwd);
    this.snapshot = snapshot === undefined || kept === undefined ? undefined : { file: snapshot, kept };
  }

  /** What is going to be written, by the options that name it. */
  get outputs(): Readonly<Record<string, string | undefined>> {
    const { writeBaseline, writeRequire, snapshot } = this.#flags;
    return {
      '--write-baseline': writeBaseline,
      '--write-require': writeRequire,
      '--snapshot': this.snapshot === undefined ? snapshot : undefined,
    };
  }

  add(event: ResultEvent): void {
    if (event.type === 'preflight') this.#hasPassedPreflight = event.isOk;
    if (event.type === 'check') this.#checks.push(event);
    if (event.type === 'finding') this.#findings.push(event);
    if (event.type === 'observation') this.#observations.push(event);
  }

  /** Writes what was asked for, and says so in lines for people. `isWhole` is false for a part of the suite. */
  write(footer: FooterEvent, { isWhole }: { isWhole: boolean }): readonly string[] {
    return [
      ...this.#writeBaseline(footer),
      ...this.#writeRequire(footer),
      ...this.#writeSnapshot(footer, isWhole),
    ];
  }

  #writeBaseline(footer: FooterEvent): readonly string[] {
    const { writeBaseline: file, strict } = this.#flags;
    if (file === undefined) return [];
    const { campaign } = footer;
    const text =
      campaign === undefined
        ? baselineText(this.#checks, { isStrict: strict === true })
        : findingsText(this.#failing(campaign));
    const isEmpty = text.endsWith('\n[]\n');
    const why = this.#whyPartial(footer) ?? (isEmpty ? whyNothingFailed(footer) : undefined);
    if (why !== undefined) return [`${file} was not written: ${why}`];
    if (!writeCleanFile(file, secrets.clean(text))) return [];
    return [
      isEmpty
        ? `${file} has no entry, since nothing failed; run with --baseline ${asPath(file)}`
        : `${file} lists the failures; give each a reason, then run with --baseline ${asPath(file)}`,
    ];
  }

  #writeRequire(footer: FooterEvent): readonly string[] {
    const { writeRequire: file } = this.#flags;
    if (file === undefined) return [];
    const decided = decidedClauses(this.#checks);
    const why =
      this.#whyPartial(footer) ??
      whyTroubled(footer) ??
      (decided.length === 0 ? 'the run decided no clause' : undefined);
    if (why !== undefined) return [`${file} was not written: ${why}`];
    if (!writeCleanFile(file, secrets.clean(requireText(decided)))) return [];
    return [`${file} lists what this run decided; demand it with --require ${asPath(`@${file}`)}`];
  }

  /** Why what was decided and what was observed is not all of it; `undefined` where it is. */
  #whyPartial({ end, campaign }: FooterEvent, incomplete?: string): string | undefined {
    if (!this.#hasPassedPreflight) return 'preflight failed';
    if (end === 'complete') return undefined;
    return incomplete ?? `the ${campaign === undefined ? 'run' : 'campaign'} was not complete`;
  }

  /** What a campaign found and its baseline is to name. */
  #failing({ seen }: CampaignTotals): Parameters<typeof findingsText>[0] {
    // What cases show of a clause is known by its root, and then in the whole history too.
    const ofCases = new Set(Object.values(seen).flatMap(({ clauses }) => clauses));
    return this.#findings
      .filter(({ verdict }) => verdict === 'failed' || this.#flags.strict === true)
      .flatMap((finding) => {
        const { id, case: shown } = finding;
        const roots =
          shown === undefined
            ? brokenClauses(finding).flatMap(({ clause }) => (ofCases.has(clause) ? [] : clause))
            : [shown.root, ...(shown.companions ?? [])];
        return roots.map((root) => ({ root, known: (seen[id] ?? finding).known }));
      });
  }

  #writeSnapshot(footer: FooterEvent, isWhole: boolean): readonly string[] {
    const { snapshot: file } = this.#flags;
    if (file === undefined || this.snapshot !== undefined) return [];
    const incomplete = 'only a complete run writes a snapshot';
    const why =
      this.#whyPartial(footer, incomplete) ??
      (isWhole ? undefined : incomplete) ??
      whyTroubled(footer) ??
      (this.#observations.length === 0 ? 'the run observed nothing' : undefined);
    if (why !== undefined) return [`${file} was not written: ${why}`];
    if (!writeCleanFile(file, secrets.clean(snapshotText(this.#observations)))) return [];
    return [`wrote a snapshot to ${file}; later runs with --snapshot ${asPath(file)} report what changed`];
  }
}

/** Why a baseline without entries would say what was not shown. */
function whyNothingFailed(footer: FooterEvent): string | undefined {
  if (footer.exitCode !== exitCodes.inconclusive) return undefined;
  const why = whyTroubled(footer);
  return `nothing failed, but nothing could be concluded${why === undefined ? '' : `: ${why}`}`;
}
