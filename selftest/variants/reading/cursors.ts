import { alternatives, type Variant } from '../base/variant.ts';

/** Freedoms 22 and 38: which cursors and limits are taken, and what stands in for a missing one. */
export const cursorVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'a-cursor-beyond-the-watermark-conflicts',
      freedom: 22,
      words: 'errors.cursor-beyond-the-watermark',
      excludes: ['reads-come-from-replicas', 'replicas-clamp-the-cursor', 'replicas-trim-late'],
      options: () => ({ rules: { conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd } }),
    },
    {
      id: 'a-cursor-below-what-is-kept-conflicts',
      freedom: 22,
      words: 'a conflict with a cursor watermark is listed; which cursors conflict is not shown',
      excludes: ['reads-come-from-replicas', 'replicas-clamp-the-cursor', 'replicas-trim-late'],
      options: () => ({
        settings: { keepPerChannel: 60 },
        rules: { conflictsWithWatermark: ({ after, oldest }) => after > 0n && after < oldest() - 1n },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'a-channel-is-read-from-its-oldest',
      freedom: 38,
      words: 'channel-read.after-omitted',
      options: () => ({ rules: { readsNewestWhenOmitted: (stream) => stream !== 'channel' } }),
    },
    {
      id: 'a-channel-read-needs-a-cursor',
      freedom: 38,
      words: 'channel-read.after-omitted',
      options: () => ({ rules: { requiresAfter: (route) => route === 'read' } }),
    },
  ),
  ...alternatives(
    {
      id: 'channel-limits-are-clamped',
      freedom: 38,
      words: 'channel-read.limit-bounds',
      options: ({ rules }) => ({
        rules: {
          readLimit: (text, min, max, route) =>
            route === 'read' && /^-?[0-9]+$/.test(text)
              ? Math.max(min, Math.min(max, Number(text)))
              : rules.readLimit(text, min, max, route),
        },
      }),
    },
    {
      id: 'channel-limits-go-up-to-1000',
      freedom: 38,
      words: 'channel-read.limit-bounds',
      options: () => ({
        rules: {
          maxLimit: (route) => (route === 'read' ? 1000 : 100),
          defaultLimit: (route) => (route === 'read' ? 20 : 50),
        },
      }),
    },
    {
      id: 'integers-are-read-leniently',
      words: 'mentions.after.unusual-spellings; mentions.limit.unusual-spellings',
      options: ({ rules }) => ({
        rules: {
          readAfter: (text, route) => rules.readAfter(plainSpelling(text), route),
          readLimit: (text, min, max, route) =>
            text === '' ? rules.defaultLimit(route) : rules.readLimit(plainSpelling(text), min, max, route),
        },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'a-cursor-may-have-any-size',
      words: 'mentions.after.maximum',
      excludes: ['integers-are-read-leniently'],
      options: () => ({
        rules: { readAfter: (text) => (/^(?:0|[1-9][0-9]{0,400})$/.test(text) ? BigInt(text) : undefined) },
      }),
    },
    {
      id: 'cursors-beyond-2-to-the-53-are-refused',
      words: 'mentions.after.maximum',
      excludes: ['integers-are-read-leniently'],
      options: ({ rules }) => ({
        rules: {
          readAfter: (text, route) => {
            const after = rules.readAfter(text, route);
            return after === undefined || after > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : after;
          },
        },
      }),
    },
  ),
  {
    id: 'a-huge-cursor-conflicts',
    words: 'mentions.after.maximum; errors.cursor-beyond-the-watermark',
    excludes: [
      'integers-are-read-leniently',
      'a-cursor-may-have-any-size',
      'cursors-beyond-2-to-the-53-are-refused',
      'a-cursor-beyond-the-watermark-conflicts',
      'a-cursor-below-what-is-kept-conflicts',
    ],
    options: () => ({
      rules: {
        readAfter: (text) => (/^(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined),
        conflictsWithWatermark: ({ after }) => after >= 2n ** 62n,
      },
    }),
  },
  {
    id: 'unknown-parameters-are-ignored',
    words: 'no parameter overrides anything; that one is refused is only inferred',
    mayWarn: ['mentions.override-is-400', 'errors.unsupported-parameter-is-400'],
    options: () => ({
      rules: { acceptsParameter: () => true, acceptsRepeatedParameter: () => true },
    }),
  },
];

/** `007`, `+7`, `7.0` and an empty text as plain decimals; what else there is stays as it is. */
function plainSpelling(text: string): string {
  if (text.trim() === '') return '0';
  const digits = /^\s*\+?0*([0-9]+)(?:\.0*)?\s*$/.exec(text)?.[1];
  return digits ?? text;
}
