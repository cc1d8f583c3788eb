import type { Invocation, ReportingDescriptor, Result, Run, WebRequest } from 'sarif';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { BrokenClause, EvidenceExchange, FindingEvent } from '../../harness/results/generated/events.ts';
import { suiteVersion } from '../../harness/results/suite-version.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { clauses } from '../../spec/index.ts';
import { conclude, staleInWords, whyTroubled } from '../conclusion.ts';
import { brokenGates, slowInWords } from '../latency-gates.ts';
import { printable } from '../../harness/output/printable.ts';
import { isStrictRun, type RunSoFar } from '../run-so-far.ts';
import { findingLines, findingTitle } from '../story/story-text.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { ReportFormat, ReportSettings } from './format.ts';

/** SARIF 2.1.0: a rule a clause, a result a finding. */
export const sarif: ReportFormat = {
  name: 'sarif',
  reader: 'code scanning (SARIF 2.1.0)',
  *write(runs, settings) {
    yield '{"version":"2.1.0","$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[';
    for (const [index, run] of runs.entries()) {
      yield index === 0 ? '' : ',';
      yield* runObject(run, index, settings);
    }
    yield ']}\n';
  },
};

function* runObject(run: RunSoFar, index: number, settings: ReportSettings): Iterable<string> {
  const broken = run.findings.flatMap(brokenClauses);
  const rules = [...new Map(broken.map((each) => [each.clause, each])).values()];
  const about = {
    tool: {
      driver: {
        name: 'conform',
        semanticVersion: suiteVersion(),
        rules: rules.map((each) => ruleOfClause(each, run)),
      },
    },
    // A platform takes one run of a name.
    automationDetails: { id: `conform/${kindOf(run)}${index === 0 ? '' : `-${index + 1}`}/` },
    invocations: [invocationOf(run)],
    columnKind: 'utf16CodeUnits',
  } satisfies Run;
  // The results come one by one: there may be thousands, each with its evidence.
  yield `${JSON.stringify(about).slice(0, -1)},"results":[`;
  for (const [index, finding] of run.findings.entries())
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(sarifResult(finding, run, settings))}`;
  yield ']}';
}

/** What made the results. */
function kindOf({ header }: RunSoFar): string {
  if (header?.campaign !== undefined) return 'campaign';
  return ['stress', 'judge', 'client'].find((name) => header?.profile.selection.includes(name)) ?? 'run';
}

function ruleOfClause({ clause, level }: BrokenClause, { findings }: RunSoFar): ReportingDescriptor {
  const own = findings.find((finding) => finding.clause === clause);
  const known = own === undefined ? clauses.find(({ id }) => id === clause) : undefined;
  const text = own?.text ?? known?.text ?? clause;
  const where = own === undefined ? '' : ` Contract: ${own.source}.`;
  return {
    id: clause,
    shortDescription: { text },
    fullDescription: { text: `${text}${where}` },
    help: { text: `${text}${where}` },
    defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
    properties: {
      level,
      tags: ['contract', level],
      precision: level === 'must' ? 'very-high' : 'medium',
      'problem.severity': level === 'must' ? 'error' : 'warning',
    },
  };
}

function invocationOf(run: RunSoFar): Invocation {
  const { header, footer } = run;
  const { text, partial } = conclude(run, isStrictRun(run));
  const slow = footer === undefined ? [] : brokenGates(footer).slow;
  // What counts and is no finding.
  const beside = [
    ...(slow.length === 0 ? [] : [slowInWords(slow)]),
    ...(footer?.staleBaseline ?? []).map((entry) => `${staleInWords(entry)} (${entry.place})`),
  ];
  const hasResult = footer?.exitCode === exitCodes.conforms || footer?.exitCode === exitCodes.broken;
  return {
    executionSuccessful: partial === undefined && hasResult && whyTroubled(footer) === undefined,
    ...(footer === undefined ? {} : { exitCode: footer.exitCode }),
    exitCodeDescription: printable(text),
    ...(header === undefined ? {} : { startTimeUtc: header.startedAt }),
    ...(beside.length === 0
      ? {}
      : {
          toolExecutionNotifications: beside.map((each) => ({
            level: 'error',
            message: { text: printable(each) },
          })),
        }),
  };
}

function sarifResult(finding: FindingEvent, run: RunSoFar, settings: ReportSettings): Result {
  const { id, clause, verdict, check, known, isScored, exchanges, metIn = check } = finding;
  const broken = brokenClauses(finding).map((each) => each.clause);
  const last = exchanges.at(-1);
  const uncounted = known ?? (isScored === false ? 'not scored' : undefined);
  const place = settings.targetPlace?.(run.header);
  const fingerprint = fingerprintOf(finding);
  return {
    ruleId: clause,
    level: verdict === 'failed' || isStrictRun(run) ? 'error' : 'warning',
    kind: 'fail',
    message: { text: [findingTitle(finding), '', ...findingLines(finding, run, settings)].join('\n') },
    locations: [
      {
        // Platforms ask for a place in a file: the one that names the server. The check is what a reader can run.
        ...(place === undefined
          ? {}
          : {
              physicalLocation: {
                artifactLocation: { uri: place.uri, uriBaseId: '%SRCROOT%' },
                region: { startLine: place.line },
              },
            }),
        logicalLocations: [{ name: metIn, fullyQualifiedName: `${metIn}/${clause}`, kind: 'function' }],
      },
    ],
    // All findings of a server stand in one line, which tells none of them from another.
    partialFingerprints: { 'clauses/v1': fingerprint, primaryLocationLineHash: `${fingerprint}:1` },
    ...(uncounted === undefined ? {} : { suppressions: [{ kind: 'external', justification: uncounted }] }),
    ...(last === undefined ? {} : { webRequest: requestOf(last), ...responseOf(last) }),
    properties: { finding: id, clauses: broken, ...(isScored === false ? { isScored } : {}) },
  };
}

function requestOf({ request }: EvidenceExchange): WebRequest {
  return {
    protocol: 'http',
    method: request.method,
    target: request.path,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: { text: request.body.text } }),
  };
}

function responseOf({ response }: EvidenceExchange): Pick<Result, 'webResponse'> {
  if (response === undefined) return { webResponse: { noResponseReceived: true } };
  const headers = Object.entries(response.headers).map(([name, values]) => [name, values.join(', ')]);
  return {
    webResponse: {
      protocol: 'http',
      statusCode: response.status,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(response.body === undefined ? {} : { body: { text: response.body.text } }),
    },
  };
}
