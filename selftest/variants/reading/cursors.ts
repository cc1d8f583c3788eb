import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';

/** Which cursors and limits are taken, and what stands in for a missing one. */
export const cursorVariants: readonly Variant[] = [
  ...alternatives({
    'a-cursor-beyond-the-watermark-conflicts: errors.cursor-beyond-the-watermark': {
      conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd,
    },
    'a-cursor-below-what-is-kept-conflicts: a conflict with a cursor watermark is listed; which cursors conflict is not shown':
      {
        settings: { keepPerChannel: 60 },
        rules: { conflictsWithWatermark: ({ after, oldest }) => after > 0n && after < oldest() - 1n },
      },
  }),
  ...alternatives({
    ...openBy('channel-read.after-omitted', {
      'a-channel-is-read-from-its-oldest': { readsNewestWhenOmitted: (stream) => stream !== 'channel' },
      'a-channel-read-needs-a-cursor': { requiresAfter: (route) => route === 'read' },
      'a-channel-without-a-cursor-ends-before-the-last': {
        presentRead: ({ items, page }, { page: { after, stream } }) => {
          const shown = items.slice(0, -1);
          const last = shown.at(-1);
          return stream === 'channel' && after === undefined && last !== undefined
            ? { items: shown, page: { ...page, next_after: last.sequence, has_more: false } }
            : { items, page };
        },
      },
      'a-channel-without-a-cursor-is-a-choice': {
        presentRead: ({ items, page }, { page: { after, stream } }) => ({
          items: stream === 'channel' && after === undefined ? items.toSpliced(-2, 1) : items,
          page,
        }),
      },
    }),
  }),
  ...alternatives({
    ...openBy('channel-read.limit-bounds', {
      'channel-limits-are-clamped': ({ rules }) => ({
        readLimit: (text, min, max, route) =>
          route === 'read' && /^-?[0-9]+$/.test(text)
            ? Math.max(min, Math.min(max, Number(text)))
            : rules.readLimit(text, min, max, route),
      }),
      'channel-limits-are-ten-at-least': ({ rules }) => ({
        readLimit: (text, min, max, route) => {
          const limit = rules.readLimit(text, min, max, route);
          return route === 'read' && limit !== undefined ? Math.max(limit, 10) : limit;
        },
      }),
      'channel-limits-go-up-to-1000': {
        maxLimit: (route) => (route === 'read' ? 1000 : 100),
        defaultLimit: (route) => (route === 'read' ? 20 : 50),
      },
    }),
    'integers-are-read-leniently: mentions.after.unusual-spellings; mentions.limit.unusual-spellings': ({
      rules,
    }) => ({
      readAfter: (text, route) => rules.readAfter(plainSpelling(text), route),
      readLimit: (text, min, max, route) =>
        text === '' ? rules.defaultLimit(route) : rules.readLimit(plainSpelling(text), min, max, route),
    }),
  }),
  ...alternatives({
    ...openBy('mentions.after.maximum', {
      'a-cursor-may-have-any-size': {
        readAfter: (text) => (/^(?:0|[1-9][0-9]{0,400})$/.test(text) ? BigInt(text) : undefined),
      },
      'cursors-beyond-2-to-the-53-are-refused': ({ rules }) => ({
        readAfter: (text, route) => {
          const after = rules.readAfter(text, route);
          return after === undefined || after > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : after;
        },
      }),
    }),
  }),
  ...leavingOpen({
    'a-huge-cursor-conflicts: mentions.after.maximum; errors.cursor-beyond-the-watermark': {
      readAfter: (text) => (/^(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined),
      conflictsWithWatermark: ({ after }) => after >= 2n ** 62n,
    },
    'unknown-parameters-are-ignored: no parameter overrides anything; that one is refused is only inferred': {
      acceptsParameter: () => true,
      acceptsRepeatedParameter: () => true,
    },
  }),
];

/** `007`, `+7`, `7.0` and an empty text as plain decimals; what else there is stays as it is. */
function plainSpelling(text: string): string {
  if (text.trim() === '') return '0';
  const digits = /^\s*\+?0*([0-9]+)(?:\.0*)?\s*$/.exec(text)?.[1];
  return digits ?? text;
}
