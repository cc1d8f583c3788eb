import { describe, expect, it } from 'vitest';
import type { AnsweredRequest, RouteName } from '../../../reference/index.ts';
import { discoveryChecks as everyDiscoveryCheck } from '../../../suites/discovery/index.ts';
import { answering, findingsOfBroken, fromTime, refusal, withRules } from '../auth/broken-server.ts';
import type { BrokenServer } from '../auth/broken-server.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { receiptsChecks } from '../../../suites/receipts/index.ts';

const listAnswers = receiptsChecks.filter(({ id }) => id === 'receipts.list-answers-an-agent');
const discoveryChecks = [...everyDiscoveryCheck, ...listAnswers];

const isOf =
  (route: RouteName) =>
  (request: AnsweredRequest): boolean =>
    request.route === route;

const gone = (route: RouteName) => () =>
  answering((request) => isOf(route)(request) && request.actor !== null, refusal(404));

const closed = (route: RouteName) => () =>
  answering(
    (request) => isOf(route)(request) && request.headers['authorization'] === undefined,
    refusal(401),
  );

const broken: readonly BrokenServer[] = [
  {
    check: 'discovery.calls-are-found-under-the-base-address',
    findings: ['service.paths-start-at-the-base failed'],
    // Preflight reads the channel once.
    options: () =>
      answering(
        fromTime(2, ({ route, query }) => route === 'read' && query['limit'] === '1'),
        refusal(404),
      ),
  },
  {
    check: 'discovery.health-needs-no-credential',
    findings: ['discovery.needs-no-credential failed'],
    options: closed('health'),
  },
  {
    check: 'discovery.capabilities-needs-no-credential',
    findings: ['discovery.needs-no-credential failed'],
    options: closed('capabilities'),
  },
  {
    check: 'discovery.channels-list-answers-an-agent',
    findings: ['channels-list.answers failed'],
    options: gone('channels'),
  },
  {
    check: 'discovery.channels-list-shows-a-known-channel',
    findings: ['channels-list.lists-a-known-one warned'],
    options: () => withRules({ isChannelListed: () => false }),
  },
  {
    check: 'receipts.list-answers-an-agent',
    findings: ['receipts-list.answers failed'],
    options: gone('receipts'),
  },
];

describe('the calls of which little is shown', () => {
  it('are there on the reference, by every check', async () => {
    const run = await runAgainst(discoveryChecks);
    expect(run.footer.end).toBe('complete');
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it('are looked at by no check that has not been seen to fail', () => {
    expect(broken.map(({ check }) => check)).toEqual(discoveryChecks.map(({ id }) => id));
  });

  it.each(broken)('are found missing by $check', async (row) => {
    expect(await findingsOfBroken(discoveryChecks, row)).toEqual(row.findings);
  });

  it('may want parameters that the contract does not show', async () => {
    const run = await runAgainst(
      discoveryChecks,
      answering(
        ({ route, actor }) => (route === 'channels' || route === 'receipts') && actor !== null,
        refusal(400),
      ),
    );
    expect(findingsOf(run)).toEqual([]);
  });

  it.each(['health', 'capabilities'] as const)(
    'may want a credential at a path where only the suite looks for %s',
    async (route) => {
      const run = await runAgainst(discoveryChecks, closed(route)(), {
        target: (target) => ({
          ...target,
          bindings: { ...target.bindings, health: undefined, capabilities: undefined },
        }),
      });
      expect(findingsOf(run)).toEqual([]);
      expect(notPassed(run)).toEqual([expect.stringMatching(`bindings.${route} is not given`)]);
    },
  );

  it('may tell health and capabilities at paths that nobody guesses', async () => {
    const isOpen = ({ route }: AnsweredRequest): boolean => route === 'health' || route === 'capabilities';
    const run = await runAgainst(discoveryChecks, answering(isOpen, refusal(404)));
    expect(findingsOf(run)).toEqual([]);
  });
});
