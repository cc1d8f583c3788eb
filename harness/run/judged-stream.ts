import type { JudgedClauseId } from '../../spec/index.ts';
import type { Target } from '../config/target.ts';
import type { EvidenceRules } from '../client/evidence.ts';
import { withSame } from '../gate/asked.ts';
import type { Scoring } from '../gate/scoring.ts';
import { historyChecks } from '../judging/run-wide-checks.ts';
import type { JudgedChapters } from '../judging/judged-chapters.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import type {
  CheckEvent,
  FindingEvent,
  FooterEvent,
  HeaderEvent,
  ResultEvent,
} from '../results/generated/events.ts';
import { exitCodes } from '../verdict/exit-code.ts';
import { Findings, type Sighted } from '../verdict/findings.ts';
import { tallyChecks, tallyClauses } from '../verdict/tally.ts';
import { streamHeader } from './stream-header.ts';

/** What was judged by its history alone. */
const judgedCommands = ['stress', 'judge', 'proxy', 'client'] as const;

/** What a stream says that was selected of its checks: such a command stands first in its profile, and selects nothing itself. */
export function selectionOf({ profile: { selection } }: HeaderEvent): readonly string[] {
  const [first] = selection;
  return judgedCommands.some((name) => name === first) ? selection.slice(1) : selection;
}

/** How a stream begins that has no checks but those of the history. */
export function judgedHeader(
  name: (typeof judgedCommands)[number],
  tested: Target | string,
  {
    isStrict,
    command,
    checks = historyChecks.length,
    selection = [],
  }: {
    readonly isStrict: boolean;
    readonly command: readonly string[];
    readonly checks?: number;
    /** What was selected of them. */
    readonly selection?: readonly string[];
  },
): HeaderEvent {
  const profile = { strict: isStrict, readOnly: false, selection: [name, ...selection] };
  return streamHeader(tested, profile, { checks, command });
}

/** What was judged: the checks that tell of it, and all that was seen broken. */
export interface JudgedSource extends Pick<JudgedChapters, 'checks' | 'sighted'> {
  /** The clauses that count; those of the history if absent. */
  readonly clauses?: readonly JudgedClauseId[];
  /** What else was seen broken, by its causes. */
  readonly causes?: readonly (readonly Sighted[])[];
}

interface JudgedParts {
  readonly chapters: JudgedSource;
  readonly scoring: Scoring;
  readonly secrets: KnownSecrets;
  /** Whose exchanges findings show: by default they show none. */
  readonly recorded?: Omit<EvidenceRules, 'secrets'>;
  /** What was tested, where that is known. */
  readonly target?: Target;
  /** Why nothing can be concluded. */
  readonly trouble?: string | undefined;
  /** Why it ended before its end, and what it ends with where nothing is broken. */
  readonly cut?: { readonly reason: string; readonly exitCode: number };
}

/** How such a stream goes on and ends: as that of a run whose checks with a body are none. */
export function judgedEvents(
  { chapters, target, trouble, cut, ...parts }: JudgedParts,
  about: About,
): readonly ResultEvent[] {
  const checks = chapters.checks(target === undefined ? {} : { target });
  const found: FindingEvent[] = [];
  const stream = new JudgedStream(parts, (finding) => found.push(finding));
  for (const cause of chapters.causes ?? []) stream.found(...cause);
  for (const each of chapters.sighted) stream.found(each);
  stream.tell();
  const [events, footer] = stream.end(checks, { trouble, cut, about, clauses: chapters.clauses });
  return [...events, ...found, footer];
}

type About = Pick<FooterEvent, 'footprint' | 'durationMs'>;

interface Ending {
  readonly trouble?: string | undefined;
  readonly cut?: JudgedParts['cut'] | undefined;
  readonly about: About;
  /** The clauses that count; those of the history if absent. */
  readonly clauses?: readonly JudgedClauseId[] | undefined;
}

/** A stream without checks that have a body, whose findings are told while it goes on. */
export class JudgedStream {
  readonly #scoring: Scoring;
  readonly #findings: Findings;

  constructor(
    {
      scoring,
      secrets,
      recorded = { runId: '', baseUrl: '' },
      told = 0,
    }: Pick<JudgedParts, 'scoring' | 'secrets' | 'recorded'> & {
      /** Findings of the stream so far. */
      readonly told?: number;
    },
    onFinding: (finding: FindingEvent) => void,
  ) {
    this.#scoring = scoring;
    this.#findings = new Findings({ secrets, ...recorded }, onFinding, undefined, told);
  }

  /** Notes what one cause shows. */
  found(...sighted: readonly Sighted[]): void {
    this.#findings.add(
      ...sighted.map((each) => ({ ...each, ...this.#scoring.labelsOf(each.check, each.clause) })),
    );
  }

  /** Tells of what was noted since the last time. */
  tell(): void {
    this.#findings.close();
  }

  /** The checks as they count, and the footer over them. */
  end(
    given: readonly CheckEvent[],
    { trouble, cut, about, clauses }: Ending,
  ): readonly [checks: readonly CheckEvent[], footer: FooterEvent] {
    const checks = given.map((each) => this.#scoring.labelled(each));
    // What was drawn, or recorded, is not all that a run would look at.
    const score = this.#scoring.scoreOf(checks, { isNarrowed: true, hasBodies: false });
    const reason = cut?.reason ?? trouble;
    const open = cut?.exitCode ?? (trouble === undefined ? undefined : exitCodes.inconclusive);
    const isBroken = score.exitCode === exitCodes.broken && open !== exitCodes.interrupted;
    const footer: FooterEvent = {
      type: 'footer',
      end: cut === undefined ? 'complete' : 'interrupted',
      ...(reason === undefined ? {} : { reason }),
      ...score,
      ...(open === undefined || isBroken ? {} : { exitCode: open }),
      checks: tallyChecks(checks),
      clauses: tallyClauses(checks, withSame(clauses ?? historyChecks.flatMap((each) => each.clauses))),
      alsoSeenBy: this.#findings.alsoSeenBy,
      ...about,
    };
    return [checks, footer];
  }
}
