import { withoutCurl } from '../harness/client/curl-line.ts';
import type {
  CheckEvent,
  FindingEvent,
  FooterEvent,
  HeaderEvent,
  ObservationEvent,
  PreflightEvent,
  ResultEvent,
} from '../harness/results/generated/events.ts';
import { selectionOf } from '../harness/run/judged-stream.ts';

/** What the events of a run have said up to now; a reporter that prints at the end prints this. */
export interface RunSoFar {
  readonly header: HeaderEvent | undefined;
  readonly preflight: PreflightEvent | undefined;
  readonly checks: readonly CheckEvent[];
  readonly findings: readonly FindingEvent[];
  readonly observations: readonly ObservationEvent[];
  /** `undefined` while the run goes on, and for good when its stream ends without one. */
  readonly footer: FooterEvent | undefined;
  /** Where its stream is kept, and the requests of a campaign's findings beside it; `undefined` where nobody keeps it. */
  readonly folder?: string | undefined;
}

/** Gathers the events of one run. */
export class RunCollector implements RunSoFar {
  header: HeaderEvent | undefined;
  preflight: PreflightEvent | undefined;
  readonly checks: CheckEvent[] = [];
  findings: FindingEvent[] = [];
  readonly observations: ObservationEvent[] = [];
  footer: FooterEvent | undefined;
  readonly folder: string | undefined;

  constructor(folder?: string) {
    this.folder = folder;
  }

  add(event: ResultEvent): void {
    switch (event.type) {
      case 'header':
        this.header = event;
        break;
      case 'preflight':
        this.preflight = event;
        break;
      case 'check':
        this.checks.push(event);
        break;
      case 'finding':
        this.findings.push(event);
        break;
      case 'observation':
        this.observations.push(event);
        break;
      case 'footer':
        this.footer = event;
        this.findings = this.findings.map((finding) => seenByTheEnd(finding, event));
        break;
    }
  }
}

/** A finding of a campaign with what its kept request showed at the very end: a request that shows it no more is printed for nobody to send. */
function seenByTheEnd(finding: FindingEvent, { campaign }: FooterEvent): FindingEvent {
  const again = campaign?.seen[finding.id]?.again;
  const { times, of = times } = finding.seen;
  if (again === undefined) return finding;
  const seen = { times: times + again.times, of: of + again.of };
  if (again.times > 0) return { ...finding, seen };
  const exchanges = finding.exchanges.map((each) =>
    withoutCurl(each, 'it showed this no more at the end of the campaign'),
  );
  return { ...finding, seen, exchanges };
}

/** True for a finding that decides something: not known, and of a check that is scored. */
function isCounted({ known, isScored }: FindingEvent): boolean {
  return known === undefined && isScored !== false;
}

/** The findings of a run that decide something; of a campaign its end says which do not. */
export function countedIn(run: Pick<RunSoFar, 'findings' | 'footer'>): readonly FindingEvent[] {
  return run.findings.filter((each) => isCounted(each) && knownReason(each, run) === undefined);
}

/** Why the baseline expects a finding. */
export function knownReason(
  { known, id }: FindingEvent,
  { footer }: Pick<RunSoFar, 'footer'>,
): string | undefined {
  return known ?? footer?.campaign?.seen[id]?.known;
}

/** Whether it was asked to run some checks alone. */
export function isNarrowed({ header }: Pick<RunSoFar, 'header'>): boolean {
  return (header?.profile.selection.length ?? 0) > 0;
}

/** Whether somebody selected what was judged, where judges of a history alone select nothing by themselves. */
export function isSelected({ header }: Pick<RunSoFar, 'header'>): boolean {
  return header !== undefined && selectionOf(header).length > 0;
}

/** Whether what is only inferred fails a run. */
export function isStrictRun({ header }: Pick<RunSoFar, 'header'>): boolean {
  return header?.profile.strict === true;
}

/** True for a campaign, which tells of no clause but those that it found broken. */
export function isCampaign({ header, footer }: Pick<RunSoFar, 'header' | 'footer'>): boolean {
  return header?.campaign !== undefined || footer?.campaign !== undefined;
}

/** True where scenarios were played with a client, at references that are gone when they end. */
export function isOfClient({ header }: Pick<RunSoFar, 'header'>): boolean {
  return header?.profile.selection.includes('client') === true;
}
