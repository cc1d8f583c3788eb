import { InvalidTarget } from '../../harness/errors.ts';
import {
  appendToFile,
  lostFiles,
  openCleanFile,
  orLost,
  standardOutput,
  standardOutputName,
} from '../../harness/output/clean-file.ts';
import type { Clean, KnownSecrets } from '../../harness/output/known-secrets.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { annotations } from '../../reporters/formats/annotations.ts';
import { formatNames, type ReportFormat, type ReportSettings } from '../../reporters/formats/format.ts';
import { reportFormats } from '../../reporters/formats/index.ts';
import { markdown } from '../../reporters/formats/markdown.ts';
import { RunCollector, type RunSoFar } from '../../reporters/run-so-far.ts';

/** A report that is to be written to a file. */
interface WantedReport {
  readonly format: ReportFormat;
  readonly file: string;
}

/**
 * The format of a name.
 * @throws InvalidTarget when there is none
 */
export function formatOf(name: string): ReportFormat {
  const format = reportFormats.find((each) => each.name === name);
  if (format === undefined)
    throw new InvalidTarget(`${name} is no format of a report; there are ${formatNames.join(', ')}`);
  return format;
}

/** What reports are written with. */
export interface ReportsOptions extends ReportSettings {
  readonly secrets: KnownSecrets;
  /** Standard output, for a platform that reads commands there. */
  readonly say: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  /** Where a campaign keeps what it finds. */
  readonly folder?: string | undefined;
}

/**
 * The reports that `--report FORMAT=FILE` asks for, and those that the platform shows: annotations and a summary where GitHub's variables
 * say that its runner reads them. They are written when the run has ended, however it did.
 */
export class Reports {
  readonly #wanted: readonly WantedReport[];
  readonly #run: RunCollector;
  readonly #options: ReportsOptions;

  /** @throws InvalidTarget on a value that is no format and file */
  constructor(values: readonly string[], options: ReportsOptions) {
    this.#wanted = values.map(wantedOf);
    this.#options = options;
    this.#run = new RunCollector(options.folder);
  }

  /** What is going to be written, by the options that name it. */
  get outputs(): Readonly<Record<string, string>> {
    const files = this.#wanted.filter(({ file }) => file !== standardOutputName);
    return Object.fromEntries(files.map(({ format, file }) => [`--report ${format.name}`, file]));
  }

  add(event: ResultEvent): void {
    this.#run.add(event);
  }

  /** Writes what was asked for; nothing for a run that never began. */
  write(): void {
    if (this.#run.header === undefined) return;
    const mistakes: unknown[] = [];
    for (const { format, file } of this.#wanted) {
      try {
        writeReport(file, this.#pieces(format));
      } catch (error) {
        // A mistake of ours in one format takes no other with it.
        lostFiles.set(file, 'is not complete (a mistake of the suite)');
        mistakes.push(error);
      }
    }
    this.#show();
    if (mistakes.length > 0) throw mistakes[0];
  }

  /** Writes what the platform shows. */
  #show(): void {
    const { say, env } = this.#options;
    if (env['GITHUB_ACTIONS'] !== 'true') return;
    for (const piece of this.#pieces(annotations)) say(piece);
    const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
    if (summary !== '') for (const piece of this.#pieces(markdown)) appendToFile(summary, piece);
  }

  #pieces(format: ReportFormat): Iterable<Clean> {
    return reportOn([this.#run], format, this.#options);
  }
}

/**
 * A report in pieces. Secrets are taken out of the results before the format is made of them, since in it what takes their place would
 * have to be escaped as all else; the second time is for what only the whole of a report shows.
 */
export function* reportOn(
  runs: readonly RunSoFar[],
  format: ReportFormat,
  { secrets, ...settings }: ReportSettings & { readonly secrets: KnownSecrets },
): Iterable<Clean> {
  const clean = runs.map((run) => withoutSecrets(run, secrets));
  for (const piece of format.write(clean, settings)) yield secrets.cleanInFormat(piece);
}

/** A run without any secret that is known by now: some are learned after an event has told them. */
export function withoutSecrets(run: RunSoFar, secrets: KnownSecrets): RunSoFar {
  const { folder, ...told } = run;
  return { ...secrets.cleaned(told), folder };
}

/** The exit code of a command that is there to write a file: that of a wrong usage where the file could not be written to its end. */
export function writtenCode(): number {
  return lostFiles.size === 0 ? exitCodes.conforms : exitCodes.usage;
}

/** Writes a report to a file, or with `-` to standard output; a file that exists is replaced. What cannot be written any more is noted as lost. */
export function writeReport(path: string, pieces: Iterable<Clean>): void {
  orLost(path, () => {
    const file = path === standardOutputName ? standardOutput : openCleanFile(path);
    try {
      for (const piece of pieces) file.write(piece);
    } finally {
      file.end();
    }
  });
}

function wantedOf(value: string): WantedReport {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
  if (file === '')
    throw new InvalidTarget(
      `--report ${value}: it takes FORMAT=FILE, as junit=results.xml; formats: ${formatNames.join(', ')}`,
    );
  return { format: formatOf(name), file };
}
