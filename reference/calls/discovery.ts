import type { AgentCall, Call } from '../http/call.ts';
import { type Answer, jsonAnswer } from '../model/answer.ts';
import { routes } from '../model/routes.ts';

/** Says which calls the service has and where its limits are. */
export function capabilities({ service: { rules, settings } }: Call): Answer {
  return jsonAnswer(200, {
    api_version: '0.1.0-preview',
    calls: routes.map(({ method, segments }) => `${method} /${segments.map(asTemplate).join('/')}`),
    limits: {
      content_bytes: rules.maxContentBytes(),
      attachments: rules.maxAttachments(),
      mentions: rules.maxMentions(),
      page: rules.maxLimit('mentions'),
      body_bytes: settings.bodyBytes,
      history_bytes: settings.historyBytes,
      wait_seconds: settings.maxWaitSeconds,
    },
  });
}

function asTemplate(segment: string): string {
  return segment.startsWith(':') ? `{${segment.slice(1)}}` : segment;
}

/** Says that the service is there; nobody needs a credential to ask. */
export function health(): Answer {
  return jsonAnswer(200, { status: 'ok' });
}

/** `GET /v0/channels`: the channels of the agent's workspace. */
export function channelsCall({ service: { rules, store }, agent }: AgentCall): Answer {
  const channels = store.workspaces
    .channels()
    .filter((channel) => rules.isChannelListed(channel, agent.workspaceId))
    .map((channel) => rules.presentChannel(channel));
  return jsonAnswer(200, { channels });
}
