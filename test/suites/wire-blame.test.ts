import { beforeAll, describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import type { AnswerHook } from '../../reference/index.ts';
import { checksToRepeat } from '../../reporters/story/again.ts';
import { inTurn, spoilMessages, spoilRefusals, without } from '../../selftest/mutants/base/spoil-answer.ts';
import type { JsonObject } from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { runAgainst, type SuiteRun, withoutPopulation } from './run-suite.ts';

interface Broken {
  readonly name: string;
  readonly clause: string;
  /** The object at fault, and where the body has it. */
  readonly place: RegExp;
  readonly object: RegExp;
  /** What the request that caused it says; absent where any read draws it. */
  readonly cause: RegExp;
  readonly answer: AnswerHook;
}

/** Many that read what others send, and the few that send what is shown wrongly. */
const checks = withoutPopulation(allChecks).filter(
  (check) =>
    ['message', 'file', 'source-session', 'channel-read', 'mentions', 'send'].includes(areaOf(check)) &&
    check.bodyBytes === 0 &&
    !check.isExclusive,
);

const broken: readonly Broken[] = [
  {
    name: 'writes times without their zone where a message has attachments',
    clause: 'service.timestamps-are-rfc-3339',
    place: /^(?:messages\[\d+\]|mentions\[\d+\]\.message)$/,
    object: /"created_at":"[^"]+[0-9]"/,
    cause: /"attachments":\["/,
    ...spoilMessages((message) =>
      attachmentsOf(message).length === 0
        ? message
        : { ...message, created_at: String(message['created_at']).replace(/Z$/, '') },
    ),
  },
  {
    name: 'shows a bad digest of files',
    clause: 'file.sha256.pattern',
    place: /attachments\[\d+\]$/,
    object: /"sha256":"none"/,
    cause: /"attachments":\["/,
    ...spoilMessages((message) =>
      attachmentsOf(message).length === 0
        ? message
        : { ...message, attachments: attachmentsOf(message).map((file) => ({ ...file, sha256: 'none' })) },
    ),
  },
  {
    name: 'shows one field too many in the sessions of provider_d',
    clause: 'source-session.no-extra-fields',
    place: /author\.source_session$/,
    object: /^\{"provider":"provider_d".*"tab":3\}$/,
    cause: /"provider":"provider_d"/,
    ...spoilMessages((message) => {
      const author = message['author'] as JsonObject;
      const session = author['source_session'] as JsonObject | undefined;
      return session?.['provider'] === 'provider_d'
        ? { ...message, author: { ...author, source_session: { ...session, tab: 3 } } }
        : message;
    }),
  },
  {
    name: 'leaves the message out of one kind of refusal',
    clause: 'api-error.message.present',
    place: /^error$/,
    object: /^\{"code":"conflict"\}$/,
    cause: /"content"/,
    ...spoilRefusals((answer) =>
      answer.status === 409
        ? { ...answer, body: { error: without((answer.body as { error: JsonObject }).error, 'message') } }
        : answer,
    ),
  },
];

describe('a server that breaks several rules', () => {
  let run: SuiteRun;
  beforeAll(async () => {
    run = await runAgainst(checks, inTurn(...broken));
  });

  it.each(broken)(
    'and $name is found with the request behind it and the object at fault, and again by the checks to repeat',
    async ({ clause, place, object, cause, answer }) => {
      const finding = findingOf(clause, run.findings);
      const causing = finding.exchanges.find(({ id }) => id === finding.cause?.exchange);
      expect(causing?.request.method).toBe('POST');
      expect(causing?.request.body?.text).toMatch(cause);
      const shown = finding.exchanges.at(-1)?.response?.body;
      expect(shown?.path).toMatch(place);
      expect(shown?.text).toMatch(object);
      expect(finding.actual).toContain(`(at ${shown?.path}`);

      const again = await runAgainst(selected(checksToRepeat(finding)), { answer });
      expect(findingOf(clause, again.findings).cause?.check).toBe(finding.cause?.check);
    },
  );
});

function selected(ids: readonly string[]): typeof allChecks {
  return selectChecks(allChecks, { checks: ids, clauses: [], areas: [] });
}

function findingOf(clause: string, findings: readonly FindingEvent[]): FindingEvent {
  const found = findings.find((each) => each.clause === clause);
  if (found === undefined) throw new Error(`only found: ${findings.map((each) => each.clause).join(', ')}`);
  return found;
}

function attachmentsOf({ attachments }: JsonObject): readonly JsonObject[] {
  return (attachments as readonly JsonObject[] | undefined) ?? [];
}
