import type { SourceSession } from '../../spec/generated/types.ts';
import type { Refusal } from '../model/refusal.ts';
import type { Rules } from '../rules/rules.ts';
import type { Service } from '../service/service.ts';
import { invalid, type SentFields } from './draft.ts';

/** Who sends, and the workspace of the channel that it sends to. */
interface Sending {
  readonly agentId: string;
  readonly workspaceId: string;
}

/** The first reason to refuse a draft, or undefined when there is none. */
export function refusalOf(service: Service, sending: Sending, draft: SentFields): Refusal | undefined {
  const { rules } = service;
  return (
    judgeContent(rules, draft) ??
    judgeAgentHost(rules, draft.agentHost) ??
    judgeDraftSession(rules, draft.sourceSession) ??
    judgeTargets(service, sending, draft) ??
    judgeAttachments(service, sending, draft)
  );
}

function judgeContent(rules: Rules, { content, contentType }: SentFields): Refusal | undefined {
  const bytes = rules.contentBytes(content, contentType);
  if (bytes < rules.minContentBytes()) return invalid('content', 'is empty');
  if (bytes > rules.maxContentBytes())
    return invalid('content', `is longer than ${rules.maxContentBytes()} bytes`);
  if (!rules.acceptsSurrogates(content)) return invalid('content', 'holds an unpaired surrogate');
  if (!rules.acceptsNul(content)) return invalid('content', 'holds U+0000');
  if (!rules.acceptsContentType(contentType)) return invalid('content_type', 'is not a content type');
  return undefined;
}

function judgeAgentHost(rules: Rules, agentHost: string | null): Refusal | undefined {
  if (agentHost === null) return undefined;
  const length = rules.agentHostLength(agentHost);
  const isBounded = length >= rules.minAgentHostLength() && length <= rules.maxAgentHostLength();
  if (!isBounded) return invalid('agent_host', 'is too short or too long');
  return isPlainText(agentHost) ? undefined : invalid('agent_host', 'holds an unpaired surrogate or U+0000');
}

function judgeDraftSession(rules: Rules, session: SourceSession | null): Refusal | undefined {
  if (session === null) return undefined;
  const { surface, session_id: sessionId } = session;
  if (!rules.acceptsProvider(session.provider)) return invalid('source_session.provider', 'is unknown');
  const provider = rules.neutralProvider(session.provider);
  if (!rules.acceptsSurface(provider, surface))
    return invalid('source_session.surface', 'is not one of the provider');
  const isSession =
    Array.from(sessionId).length <= rules.maxSessionIdLength() &&
    acceptsSessionId(rules, provider, surface, sessionId);
  return isSession ? undefined : invalid('source_session.session_id', 'is not a session of the provider');
}

function acceptsSessionId(rules: Rules, provider: string, surface: string, sessionId: string): boolean {
  switch (provider) {
    case 'provider_a':
      return rules.acceptsProviderASession(sessionId);
    case 'provider_b':
      return (
        rules.acceptsProviderBSession(sessionId) &&
        (surface !== 'cloud' || rules.acceptsProviderBCloudSession(sessionId))
      );
    case 'provider_c':
      return rules.acceptsProviderCSession(sessionId);
    case 'provider_d':
      return rules.acceptsProviderDSession(sessionId) && isOnCalendar(rules, sessionId);
    default:
      return true;
  }
}

function isOnCalendar(rules: Rules, sessionId: string): boolean {
  const [year, month, day, hour, minute, second] = (
    /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(sessionId) ?? []
  )
    .slice(1)
    .map(Number);
  if (year === undefined || month === undefined || day === undefined) return true;
  if (hour === undefined || minute === undefined || second === undefined) return true;
  return rules.acceptsProviderDDate(year, month, day) && rules.acceptsProviderDTime(hour, minute, second);
}

function judgeTargets(
  { rules, store }: Service,
  { workspaceId }: Sending,
  { mentions }: SentFields,
): Refusal | undefined {
  if (rules.countedTargets(mentions) > rules.maxMentions())
    return invalid('mentions', `holds more than ${rules.maxMentions()} targets`);
  const isUnknown = mentions.some(
    ({ kind, id }) =>
      !rules.acceptsTarget({
        kind,
        id,
        existsInWorkspace: store.directory.isInWorkspace(kind, id, workspaceId),
        agents: () => store.directory.agentsOf(workspaceId),
      }),
  );
  return isUnknown ? invalid('mentions', 'holds a target that is not in the workspace') : undefined;
}

function judgeAttachments(
  { rules, store }: Service,
  { agentId, workspaceId }: Sending,
  { attachments }: SentFields,
): Refusal | undefined {
  if (rules.countedAttachments(attachments) > rules.maxAttachments()) {
    return invalid('attachments', `holds more than ${rules.maxAttachments()} files`);
  }
  const isMissing = attachments.some((id) => {
    const file = store.files.file(id);
    return (
      !file ||
      !rules.isAttachable({
        status: file.status,
        isOfWorkspace: file.workspace_id === workspaceId,
        isOfSender: file.created_by_agent_id === agentId,
      })
    );
  });
  return isMissing ? invalid('attachments', 'holds a file that cannot be attached') : undefined;
}

function isPlainText(value: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(value);
}
