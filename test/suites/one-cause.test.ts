import { describe, expect, it } from 'vitest';
import { areaOf, type Check } from '../../harness/check/check.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { AnswerHook, Rules } from '../../reference/index.ts';
import { spoilRefusals } from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { errorOf, startAilingServer } from './ailing-server.ts';
import { findingsOf, runAgainst, runOn, type SuiteRun, withoutPopulation } from './run-suite.ts';

function smallOf(...areas: readonly string[]): readonly Check[] {
  return withoutPopulation(allChecks).filter(
    (check) => areas.includes(areaOf(check)) && check.bodyBytes === 0 && !check.isExclusive,
  );
}

/** Checks about who may call what, whose clauses have these words in their ids. */
function withClauses(words: RegExp): readonly Check[] {
  return smallOf('auth', 'errors').filter(({ clauses }) => clauses.some((clause) => words.test(clause)));
}

/** The clauses of each finding, and those that verdicts say are broken. */
function foundIn({ findings, checks }: SuiteRun) {
  const verdicts = checks.flatMap(({ clauses }) =>
    clauses.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned'),
  );
  return {
    findings: findings.map((each) => brokenClauses(each).map(({ clause }) => clause)),
    broken: [...new Set(verdicts.map(({ clause }) => clause))].toSorted(),
  };
}

/** One fault that many checks meet, in other calls or by other ways, and all that is said of it. */
const faults: readonly (readonly [
  what: string,
  meeting: RegExp,
  rules: Partial<Rules>,
  findings: readonly string[],
])[] = [
  ...(['missing', 'malformed', 'expired', 'revoked'] as const).map(
    (problem) =>
      [
        `every call takes a credential that is ${problem}`,
        new RegExp(`${problem}-credential`),
        { admits: (met: string) => met === problem },
        [`auth.${problem}-credential failed`],
      ] as const,
  ),
  [
    'every call takes a credential that is unknown',
    // A token of other bytes is no known one either.
    /(?:unknown|malformed)-credential/,
    { admits: (met) => met === 'unknown' },
    ['auth.malformed-credential failed', 'auth.unknown-credential failed'],
  ],
  [
    'an agent without access gets in everywhere',
    /no-access/,
    { hasWorkspaceAccess: () => true },
    ['auth.no-access-is-403 failed'],
  ],
  [
    'a revoked credential is forbidden everywhere',
    /revoked/,
    { kindOfCredentialProblem: (problem) => (problem === 'revoked' ? 'forbidden' : 'unauthenticated') },
    ['auth.revoked-is-401 warned', 'errors.mentions-revoked-credential-is-401 warned'],
  ],
];

describe('what comes from one cause is one finding', () => {
  it.concurrent.each(faults)('where %s', async (_, meeting, rules, findings) => {
    const run = await runAgainst(withClauses(meeting), { rules });
    expect(findingsOf(run)).toEqual(findings);
  });

  it('with every place, where times have no zone in all that is shown', async () => {
    const run = await runAgainst(smallOf('overview', 'file', 'message'), { answer: withoutZones });
    const clause = 'service.timestamps-are-rfc-3339';
    expect(foundIn(run)).toEqual({ findings: [[clause]], broken: [clause] });
    const places = run.findings[0]?.places?.map(({ path }) => path.replace(/\[\d+\]/g, '[]')) ?? [];
    expect(places).toEqual(
      expect.arrayContaining([
        'messages[].created_at',
        // Of a channel or of a feed, whichever is read first.
        expect.stringMatching(/attachments\[\]\.uploaded_at$/),
        'workspace.updated_at',
        'members[].joined_at',
      ]),
    );
    expect(places).toHaveLength(12);
  });

  it('with every clause, where times are numbers', async () => {
    const run = await runAgainst(smallOf('overview', 'file', 'message'), { answer: withTimes(() => 7) });
    const { findings, broken } = foundIn(run);
    expect(broken.length).toBeGreaterThan(5);
    // Times that are compared are no times: what checks say of them by themselves stands apart.
    const [most = []] = findings.toSorted((one, other) => other.length - one.length);
    const ofForm = broken.filter((clause) => /[._-](?:at|created|updated|joined|uploaded)/.test(clause));
    expect(most).toEqual(expect.arrayContaining(ofForm));
    expect(run.findings.map(({ verdict }) => verdict)).toContain('failed');
  });

  it('where refusals are pages of a web server: neither JSON nor called so', async () => {
    const { answer } = spoilRefusals((each) => ({
      ...each,
      headers: { ...each.headers, 'content-type': 'text/html' },
      body: Buffer.from('<h1>no</h1>'),
    }));
    const { findings, broken } = foundIn(await runAgainst(smallOf('mentions'), { answer }));
    expect(findings).toEqual([['service.bodies-are-json', 'service.content-type-is-json']]);
    expect(broken).toEqual(findings.flat());
  });

  it('where a header names another agent at first, and who it names is looked for elsewhere', async () => {
    const answers = new Map<string, number>();
    const agentIdHeader: Rules['agentIdHeader'] = (agent) => {
      const times = (answers.get(agent.id) ?? 0) + 1;
      answers.set(agent.id, times);
      const other = [...answers.keys()].find((id) => id !== agent.id);
      return times <= 4 ? (other ?? agent.id) : agent.id;
    };
    const run = await runAgainst(smallOf('receipts', 'mentions'), {
      rules: { agentIdHeader },
    });
    expect(findingsOf(run)).toEqual([
      'mentions.agent-id-header.api-key-speaks-for warned',
      'mentions.agent-id-header.is-the-caller failed',
    ]);
  });

  it('where one plain read draws a 500 each time, whatever checks call it', async () => {
    await using server = await startAilingServer((_, { method, url = '' }) =>
      method === 'GET' && /\/channels\/.*after=0(?:&|$)/.test(url)
        ? errorOf(500, 'cannot decode row')
        : 'pass',
    );
    const run = await runOn(smallOf('channel-read'), server.target);
    const { findings, broken } = foundIn(run);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toEqual(
      expect.arrayContaining(['service.valid-requests-are-served', 'channel-read.success-is-2xx']),
    );
    expect(findings.flat().toSorted()).toEqual(broken);
    expect(run.findings[0]?.actual).toContain('status 500');
  });
});

/** Changes every time that is shown, wherever it is. */
function withTimes(change: (time: string) => unknown): AnswerHook {
  const changed = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return key.endsWith('_at') ? change(value) : value;
    if (Array.isArray(value)) return value.map((each) => changed(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner, name)]));
  };
  return (answer, { route }) =>
    route === 'read' || route === 'mentions' || route === 'overview'
      ? { ...answer, body: changed(answer.body) }
      : undefined;
}

function withoutZones(...given: Parameters<AnswerHook>): ReturnType<AnswerHook> {
  return withTimes((time) => time.replace(/Z$/, ''))(...given);
}
