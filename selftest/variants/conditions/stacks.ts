import type { Answer } from '../../../reference/model/answer.ts';
import type { Variant } from '../base/variant.ts';

/** What the software around a service makes of its answers: proxies, serialisers, middleware. */
export const stackVariants: readonly Variant[] = [
  {
    id: 'integers-are-written-with-an-exponent',
    freedom: 42,
    words: 'an integer of JSON Schema may be written 12e2',
    excludes: [
      'integers-are-written-with-a-fraction',
      'texts-are-escaped',
      'json-is-laid-out',
      'channels-start-at-2-to-the-60',
      'events-start-at-2-to-the-60',
    ],
    options: () => ({
      rules: {
        presentText: (text) =>
          text.replace(
            /(?<="(?:sequence|next_after|high_watermark|size_bytes)":)([0-9]*[1-9])(0*)(?=[,}])/g,
            (_all, digits: string, zeros: string) => `${digits}E${zeros.length}`,
          ),
      },
    }),
  },
  {
    id: 'answers-come-after-early-hints',
    freedom: 42,
    words: 'HTTP lets interim answers come before the one that counts',
    options: () => ({ rules: { sendsEarlyHints: () => true } }),
  },
  {
    id: 'the-agent-id-header-is-on-every-answer',
    freedom: 42,
    words: 'the header is described for a listing; that other answers lack it is said nowhere',
    options: () => ({
      answer: (answer, { actor, route }): Answer | undefined =>
        actor?.agentId == null || route === 'mentions'
          ? undefined
          : { ...answer, headers: { 'x-service-agent-id': actor.agentId, ...answer.headers } },
    }),
  },
];
