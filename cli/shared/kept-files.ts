import { existsSync } from 'node:fs';
import { baselineText, findingsText } from '../../harness/gate/baseline-text.ts';
import { requireText } from '../../harness/gate/required-clauses.ts';
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
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import { InvalidTarget } from '../../harness/errors.ts';
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

/** Files that a run or a campaign leaves behind: a baseline to fill in, a list of what was decided, and the snapshot of what was observed. */
export class KeptFiles {
  /** What an earlier run kept; `undefined` when this one is to keep it, or nobody asked. */
  readonly snapshot: { readonly file: string; readonly kept: KeptObservations } | undefined;
  readonly #flags: KeptFileFlags;
  readonly #checks: CheckEvent[] = [];
  readonly #findings: FindingEvent[] = [];
  readonly #observations: ObservationEvent[] = [];

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
    if (event.type === 'check') this.#checks.push(event);
    if (event.type === 'finding') this.#findings.push(event);
    if (event.type === 'observation') this.#observations.push(event);
  }

  /** Writes what was asked for, and says so in lines for people. `isWhole` is false for a part of the suite. */
  write(footer: FooterEvent, { isWhole }: { isWhole: boolean }): readonly string[] {
    return [
      ...this.#writeBaseline(footer),
      ...this.#writeRequire(footer.end),
      ...this.#writeSnapshot(footer.end, isWhole),
    ];
  }

  #writeBaseline({ end, campaign }: FooterEvent): readonly string[] {
    const { writeBaseline: file, strict } = this.#flags;
    if (file === undefined) return [];
    const what = campaign === undefined ? 'run' : 'campaign';
    if (end !== 'complete') return [`${file} was not written: the ${what} was not complete`];
    const text =
      campaign === undefined
        ? baselineText(this.#checks, { isStrict: strict === true })
        : findingsText(this.#failing(campaign));
    if (!writeCleanFile(file, secrets.clean(text))) return [];
    return [
      text.endsWith('\n[]\n')
        ? `${file} has no entry, since nothing failed; run with --baseline ${asPath(file)}`
        : `${file} lists the failures; give each a reason, then run with --baseline ${asPath(file)}`,
    ];
  }

  #writeRequire(end: FooterEvent['end']): readonly string[] {
    const { writeRequire: file } = this.#flags;
    if (file === undefined) return [];
    if (end !== 'complete') return [`${file} was not written: the run was not complete`];
    if (!writeCleanFile(file, secrets.clean(requireText(this.#checks)))) return [];
    return [`${file} lists what this run decided; demand it with --require ${asPath(`@${file}`)}`];
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

  #writeSnapshot(end: FooterEvent['end'], isWhole: boolean): readonly string[] {
    const { snapshot: file } = this.#flags;
    if (file === undefined || this.snapshot !== undefined) return [];
    if (end !== 'complete' || !isWhole)
      return [`${file} was not written: only a complete run writes a snapshot`];
    if (!writeCleanFile(file, secrets.clean(snapshotText(this.#observations)))) return [];
    return [`wrote a snapshot to ${file}; later runs with --snapshot ${asPath(file)} report what changed`];
  }
}
