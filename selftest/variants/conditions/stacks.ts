import type { Answer } from '../../../reference/model/answer.ts';
import { but, leavingOpen, type Variant } from '../base/variant.ts';

/** What the software around a service makes of its answers: proxies, serialisers, middleware. */
export const stackVariants: readonly Variant[] = leavingOpen({
  'an integer of JSON Schema may be written 12e2': {
    'integers-are-written-with-an-exponent': but(
      {
        excludes: [
          'integers-are-written-with-a-fraction',
          'texts-are-escaped',
          'json-is-laid-out',
          'channels-start-at-2-to-the-60',
          'events-start-at-2-to-the-60',
        ],
      },
      {
        presentText: (text) =>
          text.replace(
            /(?<="(?:sequence|next_after|high_watermark|size_bytes)":)([0-9]*[1-9])(0*)(?=[,}])/g,
            (_all, digits: string, zeros: string) => `${digits}E${zeros.length}`,
          ),
      },
    ),
  },
  'HTTP lets interim answers come before the one that counts': {
    'answers-come-after-early-hints': { sendsEarlyHints: () => true },
  },
  'the header is described for a listing; that other answers lack it is said nowhere': {
    'the-agent-id-header-is-on-every-answer': {
      answer: (answer, { actor, route }): Answer | undefined =>
        actor?.agentId == null || route === 'mentions'
          ? undefined
          : { ...answer, headers: { 'x-service-agent-id': actor.agentId, ...answer.headers } },
    },
  },
});
