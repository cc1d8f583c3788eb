import type { Traffic } from '../../harness/client/client.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import type { Target } from '../../harness/config/target.ts';
import type { Baseline, RootSeen } from '../../harness/gate/baseline.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { Preflight } from '../../harness/preflight/preflight.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type {
  CampaignTotals,
  FindingEvent,
  FooterEvent,
  ResultEvent,
  SeenByTheEnd,
} from '../../harness/results/generated/events.ts';
import { streamHeader } from '../../harness/run/stream-header.ts';
import { writtenBy } from '../../harness/totals/footprint.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import { clauseOf, contractPlace, type ClauseId } from '../../spec/index.ts';
import { rootOf, standFor } from '../judge/failure.ts';
import { campaignFooter } from './campaign-footer.ts';
import type { CampaignResult, Progress } from './campaign.ts';
import { CaseTally } from './case-tally.ts';
import type { Shard } from './draw-cases.ts';
import { fileNameOf } from './failure-file.ts';
import type { Finding, KnownFailure } from './finding.ts';

/** What the stream of a campaign says beside what happens in it. */
export interface StreamOptions {
  readonly seed: number;
  readonly shard: Shard;
  readonly only: readonly string[];
  /** The command that began it, for the header. */
  readonly command?: readonly string[] | undefined;
  /** `new`: what the corpus knows already is known, and does not fail the campaign. */
  readonly failOn?: 'new' | 'any' | undefined;
  readonly corpus?: readonly KnownFailure[];
  /** What is only inferred fails the campaign too. */
  readonly isStrict?: boolean | undefined;
  /** What the implementer knows of: it decides nothing. */
  readonly baseline?: Baseline | undefined;
  readonly onEvent?: (event: ResultEvent) => void;
  /** Judges all that was asked and answered as a whole, once nothing more comes: notices and findings of it are the campaign's. */
  readonly judgeWhole?: (known: KnownOfWhole) => readonly ResultEvent[] | Promise<readonly ResultEvent[]>;
  /** What is in no event. */
  readonly secrets?: KnownSecrets;
}

/** Why a clause may be broken in the history of a campaign. */
export type KnownOfWhole = Pick<Baseline, 'reasonFor' | 'staleIn'>;

/** What became of a campaign. */
export interface CampaignOutcome extends Pick<CampaignTotals, 'leftOut' | 'readBack'> {
  /** `undefined` when preflight failed, no family could be run, or all was over before the first case. */
  readonly result: CampaignResult | undefined;
  /** What ended it before its first case. */
  readonly whyNot?: 'interrupted' | 'out-of-time';
  /** Why it proves nothing though it came to its end. */
  readonly whyUnproved?: string | undefined;
}

/** Between two events of progress, in ms. */
const progressMs = 250;

/** Says in events what happens in a campaign; after the footer nothing more. */
export class CampaignStream {
  readonly #target: Target;
  readonly #options: StreamOptions;
  /** By root; those of the whole history by id. */
  readonly #findings = new Map<string, FindingEvent>();
  readonly #emit: (event: ResultEvent) => void;
  /** Roots that are no news. */
  readonly #inCorpus: ReadonlySet<string>;
  #timer: NodeJS.Timeout | undefined;
  #preflightRequests = 0;

  constructor(target: Target, options: StreamOptions) {
    this.#target = target;
    this.#options = options;
    const { onEvent, failOn, corpus = [], secrets = new KnownSecrets(secretsOf(target)) } = options;
    this.#inCorpus = new Set(failOn === 'new' ? corpus.map(({ failure }) => rootOf(failure)) : []);
    this.#emit = (event) => onEvent?.(secrets.cleaned(event));
  }

  begin(): void {
    const { seed, shard, only, command, isStrict = false } = this.#options;
    const profile = { strict: isStrict, readOnly: this.#target.limits.isReadOnly, selection: only };
    const shards = [`${shard.index + 1}/${shard.count}`];
    this.#emit(streamHeader(this.#target, profile, { checks: 0, campaign: { seed, shards }, command }));
  }

  preflight({ isOk, lines, roundTripMs, requests }: Preflight, settleMs: number): void {
    this.#preflightRequests = requests;
    const measured = roundTripMs === undefined ? {} : { roundTripMs, settleMs };
    this.#emit({ type: 'preflight', isOk, lines, ...measured });
  }

  /** Says now and then how far a campaign is. */
  follow(look: () => Progress): void {
    this.#timer = setInterval(() => this.progress(look()), progressMs).unref();
  }

  progress({ leftMs, leftCases, answers, ...progress }: Progress): void {
    const left = {
      ...(leftMs === undefined ? {} : { leftMs }),
      ...(leftCases === undefined ? {} : { leftCases }),
    };
    this.#emit({ type: 'progress', ...progress, ...left, answers: Object.fromEntries(answers) });
  }

  finding(finding: Finding): void {
    const { root, failure, family, phase, label, calls, isKnown, repeats, exchanges, companions } = finding;
    const firstMs = Math.round(finding.firstMs);
    const { decidedBy } = failure;
    const [lead, ...others] = finding.clauses.map((clause) => {
      const { level } = clauseOf(clause);
      const known = this.#reasonOf(clause, finding);
      const marker = known === undefined ? {} : { known };
      return { clause, level, verdict: verdictWhenBroken(level), check: family, ...marker };
    });
    if (lead === undefined) return;
    const { clause, level, verdict, check } = lead;
    const event: FindingEvent = {
      type: 'finding',
      id: `F${this.#findings.size + 1}`,
      clause,
      level,
      verdict,
      check,
      text: clauseOf(failure.clause).text,
      source: contractPlace(clauseOf(failure.clause).source),
      case: {
        root,
        ...(companions.length === 0 ? {} : { companions }),
        label,
        phase,
        calls,
        isInCorpus: isKnown,
        firstMs,
        file: fileNameOf(finding),
      },
      ...(others.length === 0 ? {} : { clauses: [lead, ...others] }),
      expected: failure.expected,
      actual: failure.actual,
      seen: repeats,
      exchanges,
      ...(decidedBy !== undefined && exchanges.some(({ id: each }) => each === decidedBy) && { decidedBy }),
      ...this.#knownMarker(finding),
    };
    this.#findings.set(root, event);
    this.#emit(event);
  }

  async end(
    { result, whyNot, whyUnproved, leftOut, readBack }: CampaignOutcome,
    clients: readonly (Traffic | undefined)[],
  ): Promise<FooterEvent> {
    clearInterval(this.#timer);
    const { baseline, isStrict = false } = this.#options;
    const {
      findings,
      roots: ofCases,
      shutOutFromMs,
      failing = '',
      durationMs,
      untried,
      ...counted
    } = result ?? {
      ...new CaseTally().counts,
      ...nothingFound,
      end: whyNot ?? 'not-run',
    };
    const written = writtenBy(...clients);
    const footprint = { ...written, requests: written.requests + this.#preflightRequests };
    const seen = Object.fromEntries(findings.flatMap((each) => this.#seenOf(each)));
    const roots = [...ofCases, ...(await this.#findInWhole(seen))];
    for (const entry of baseline?.unseenRoots(roots) ?? []) {
      const text = `${entry} was not found and is not in the corpus, so whether it still fails is unknown`;
      this.#emit({ type: 'notice', severity: 'warning', text });
    }
    const footer = campaignFooter(
      {
        totals: { ...counted, ...(untried > 0 && { untried }), readBack, leftOut, seen },
        findings: [...this.#findings.values()],
        staleBaseline: counted.end === 'complete' ? (baseline?.staleByRoots(roots) ?? []) : [],
        footprint,
        durationMs: Math.round(durationMs),
        reason:
          reasonOf(counted.end, shutOutFromMs, failing) ?? whyNotRun(counted.end, leftOut) ?? whyUnproved,
      },
      { isStrict },
    );
    this.#emit(footer);
    return footer;
  }

  /** Adds what the whole history shows; comes back with the clauses that it shows broken. */
  async #findInWhole(seen: CampaignTotals['seen']): Promise<RootSeen[]> {
    const events = (await this.#options.judgeWhole?.(this.#knownOfWhole(seen))) ?? [];
    return events.flatMap((event) => {
      if (event.type === 'notice') this.#emit(event);
      if (event.type !== 'finding') return [];
      const finding = { ...event, id: `F${this.#findings.size + 1}` };
      this.#findings.set(finding.id, finding);
      this.#emit(finding);
      return brokenClauses(finding).map(({ clause }) => ({
        root: clause,
        clauses: [clause],
        state: 'fails',
      }));
    });
  }

  /** Clauses that the baseline names, and those of findings that it knows. Whether an entry still holds the cases say. */
  #knownOfWhole(seen: CampaignTotals['seen']): KnownOfWhole {
    const reasons = Object.values(seen).flatMap(({ clauses, known }) =>
      known === undefined ? [] : clauses.map((clause): [string, string] => [clause, known]),
    );
    const ofFindings = new Map(reasons);
    return {
      reasonFor: (_check, clause) =>
        this.#options.baseline?.reasonForRoot({ root: clause, clauses: [clause] }) ?? ofFindings.get(clause),
      staleIn: () => [],
    };
  }

  #seenOf(finding: Finding): [string, SeenByTheEnd][] {
    const { root, sightings, clauses, calls, again } = finding;
    const event = this.#findings.get(root);
    if (event === undefined) return [];
    const tried = again === undefined ? {} : { again };
    return [[event.id, { sightings, clauses, calls, ...this.#knownMarker(finding), ...tried }]];
  }

  /** A finding is known where everything that it breaks is: something else may hide behind what is. */
  #knownMarker(finding: Finding): { readonly known?: string } {
    const reasons = finding.clauses.map((clause) => this.#reasonOf(clause, finding));
    const [known] = reasons;
    return known === undefined || reasons.includes(undefined) ? {} : { known };
  }

  /** Why a clause is known to be broken: as the rule of a finding, or as what came with it. */
  #reasonOf(clause: ClauseId, { root, companions }: Finding): string | undefined {
    const own = [root, ...companions].filter((each) => standFor(each, [clause]).length > 0);
    const reasons = (own.length === 0 ? [root] : own).map((each) =>
      this.#inCorpus.has(each)
        ? inCorpus
        : this.#options.baseline?.reasonForRoot({ root: each, clauses: [clause] }),
    );
    return reasons.includes(undefined) ? undefined : reasons[0];
  }
}

/** Why a failure of the corpus is known where only new ones count. */
const inCorpus = 'the corpus holds a case of it (--fail-on new)';

const nothingFound = {
  findings: [],
  fixed: [],
  roots: [],
  untried: 0,
  shutOutFromMs: undefined,
  failing: undefined,
  durationMs: 0,
};

/** A preflight that failed has said why by itself. */
function whyNotRun(end: CampaignTotals['end'], leftOut: CampaignTotals['leftOut']): string | undefined {
  return end === 'not-run' && Object.keys(leftOut).length > 0
    ? 'no kind of case can be run at this target'
    : undefined;
}

function reasonOf(end: CampaignTotals['end'], shutOutFromMs = 0, failing = ''): string | undefined {
  switch (end) {
    case 'interrupted':
      return 'interrupted: this is what ran';
    case 'out-of-time':
      return 'time ran out before the first case (--time)';
    case 'server-gone':
      return 'the server is gone: it no longer accepts connections';
    case 'server-silent':
      return 'the server stopped answering: no request got an answer for a long time';
    case 'server-limits':
      return `the server limits every request: after ${(shutOutFromMs / 1000).toFixed(1)} s every request got a 429, however long it waited`;
    case 'access-lost':
      return `a credential was lost: after ${(shutOutFromMs / 1000).toFixed(1)} s every request with it was refused (401 or 403), those that it opened before as well`;
    case 'out-of-bytes':
      return 'all that it may write was written in less than half of its time: it proves little of what writes';
    case 'server-fails':
      return `the server fails a baseline request, so that nothing can be said of others: ${failing}`;
    default:
      return undefined;
  }
}
