import { isRecord } from '../../calls/index.ts';
import type { Names } from '../../harness/config/target.ts';
import { cut } from '../../harness/output/cut.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { withNeutralNames } from '../../harness/wire/neutral-names.ts';
import { isSameId } from '../../oracles/answers/overview.ts';
import { judgeUnaltered } from '../../oracles/messages/content.ts';
import { judgeTargets } from '../../oracles/messages/targets.ts';
import type { Problem } from '../../oracles/values/judgement.ts';
import { clauseOfPointer, validate } from '../../spec/index.ts';
import type { Storing } from '../../oracles/requests/expect-send.ts';
import type { CaseFailure } from './failure.ts';

/** Where a message was sent to, as far as that is known, and what the target calls its parts. */
export interface StoredFacts {
  readonly names: Names;
  readonly workspaceId?: string | undefined;
  readonly channelId?: string | undefined;
}

/** What is wrong with a stored message, held against what its send stores. */
export function judgeStored(
  { message, content }: PageItem,
  storing: Storing | undefined,
  { names, workspaceId, channelId }: StoredFacts,
): readonly CaseFailure[] {
  // A message that should have been refused, or that nobody can read, is judged only by its form.
  if (storing === undefined) return formFailures(withNeutralNames(message, names));
  return [
    ...judgeUnaltered(storing.content, content).problems.map((problem) => readBack(unaltered, problem)),
    ...shownFailures(storing, withNeutralNames(message, names)),
    ...misplaced('message.workspace-id.is-its-workspace', message['workspace_id'], workspaceId),
    ...misplaced('message.channel-id.is-its-channel', message['channel_id'], channelId),
  ];
}

const unaltered = { clause: 'message.content.unaltered', part: 'content' } as const;

function readBack({ clause, part }: Pick<CaseFailure, 'clause' | 'part'>, problem: Problem): CaseFailure {
  return { clause, part, call: 'send', seenIn: 'readBack', ...problem };
}

/** A message names the place that it was sent to; in which letter case is not said. */
function misplaced(
  clause: CaseFailure['clause'],
  shown: unknown,
  own: string | undefined,
): readonly CaseFailure[] {
  if (own === undefined || typeof shown !== 'string' || isSameId(shown, own)) return [];
  return [readBack({ clause, part: 'one answer' }, { expected: own, actual: shown })];
}

function formFailures(message: unknown): readonly CaseFailure[] {
  if (!isRecord(message)) return [];
  return validate('message', message).flatMap(({ pointer, instancePath, message: words }) => {
    const clause = clauseOfPointer(pointer);
    const problem = { expected: clause?.text ?? '', actual: `${words} (at ${instancePath})` };
    return clause === undefined ? [] : [readBack({ clause: clause.id, part: pointer }, problem)];
  });
}

function shownFailures(
  { contentType, isDefaultType, sourceSession, agentHost, mentions, content }: Storing,
  message: unknown,
): readonly CaseFailure[] {
  if (!isRecord(message)) return [];
  const failures = [...formFailures(message)];
  const shown = (clause: CaseFailure['clause'], part: string, wanted: unknown, found: unknown): void => {
    const [expected, actual] = [JSON.stringify(wanted), JSON.stringify(found) ?? 'nothing'];
    failures.push(readBack({ clause, part }, { expected, actual: cut(actual, 200) }));
  };
  if (contentType !== undefined && message['content_type'] !== contentType) {
    const clause = isDefaultType ? 'message.content-type.default' : 'message.content-type.kept';
    shown(clause, 'content_type', contentType, message['content_type']);
  }
  const size = Buffer.byteLength(content);
  if (typeof message['size_bytes'] === 'number' && message['size_bytes'] !== size)
    shown('message.size-bytes.is-utf8-length', 'size_bytes', size, message['size_bytes']);
  const author = isRecord(message['author']) ? message['author'] : {};
  const session = author['source_session'];
  if (agentHost !== undefined && author['agent_host'] !== agentHost)
    shown('author.agent-host.captured-at-write', 'agent_host', agentHost, author['agent_host']);
  const [wrongTarget] = mentions === undefined ? [] : judgeTargets(mentions, message['mentions']).problems;
  if (wrongTarget !== undefined)
    failures.push(readBack({ clause: 'message.mentions.captured', part: 'mentions' }, wrongTarget));
  if (sourceSession !== undefined && !isSame(sourceSession, session))
    shown('source-session.valid-is-accepted', 'shown otherwise', sourceSession, session);
  return failures;
}

function isSame(sent: Readonly<Record<string, unknown>>, shown: unknown): boolean {
  return isRecord(shown) && Object.keys(sent).every((key) => sent[key] === shown[key]);
}
