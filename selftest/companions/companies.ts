import type { Companion, Company, ReadMessage } from './companion.ts';

type Making = (text: string) => string | undefined;

/** Who makes something of each text. */
function making(make: Making, rest: Omit<Companion, 'makes'> = {}): Companion {
  return { ...rest, makes: ({ content }) => make(content) };
}

const echo: Making = (text) => text;
const quoteAbove: Making = (text) => `> ${text}\n\nI agree.`;
const quoteBelow: Making = (text) => `As was said above:\n\n> ${text}`;
const inBraces: Making = (text) => `{${text}}`;
const inJson: Making = (text) => JSON.stringify({ said: text });
const everything = ['mentions', 'attachments', 'content_type'] as const;

/** The last five messages in one. */
function digestOfMessage({ id }: ReadMessage, before: readonly ReadMessage[]): string | undefined {
  if (before.length % 5 !== 0) return undefined;
  return [`up to ${id}:`, ...before.slice(-5).map(({ content }) => content.slice(0, 200))].join('\n');
}

/** Each row is one company; what it does is its name. */
const rows: Readonly<Record<string, Companion | readonly Companion[]>> = {
  'quotes-above': making(quoteAbove),
  'quotes-below': making(quoteBelow),
  'quotes-in-braces': making(inBraces),
  'quotes-in-json': making(inJson),
  'quotes-60-characters': making((text) => `> ${text.slice(0, 60)}…`),
  'quotes-the-first-20-characters': making((text) => text.slice(0, 20)),
  'quotes-the-first-24-characters': making((text) => text.slice(0, 24)),
  'quotes-after-a-long-preface': making((text) => `${'As we all know, '.repeat(2_000)}${text}`),
  'quotes-several-in-one': { makes: digestOfMessage },
  echoes: making(echo),
  'echoes-in-upper-case': making((text) => text.toUpperCase()),
  'echoes-without-white-space': making((text) => text.replaceAll(/\s+/g, ' ').trim() || undefined),
  'echoes-with-the-same-mentions': making(echo, { keeps: ['mentions'] }),
  'echoes-with-the-same-attachments': making(echo, { keeps: ['attachments'] }),
  'echoes-with-everything': making(echo, { keeps: everything }),
  'echoes-one-byte-texts': making((text) => (text.length === 1 ? text : undefined)),
  'echoes-the-largest-texts': making((text) => (text.length > 400_000 ? text : undefined)),
  'echoes-300-ms-later': making(echo, { afterMs: 300, keeps: ['mentions'] }),
  'quotes-with-the-same-mentions': making(quoteAbove, { keeps: ['mentions'] }),
  'quotes-with-everything': making(quoteBelow, { keeps: everything }),
  'edits-and-reposts': making((text) => text.replace(/\S+$/, 'something else'), { keeps: everything }),
  'renumbers-and-reposts': making((text) =>
    text.replace(/-(\d+)\./, (_, number: string) => `-9000000${number}.`),
  ),
  'forwards-to-the-other-channel': making(echo, { posts: 'elsewhere' }),
  'forwards-with-everything': making(echo, { posts: 'elsewhere', keeps: everything }),
  'forwards-with-a-preface': making((text) => `Forwarded: ${text}`, { posts: 'elsewhere' }),
  'repeats-what-was-said-before': {
    makes: (_message, before) => before.at(-7)?.content,
    keeps: ['mentions'],
  },
  'greets-everybody-now-and-then': {
    makes: ({ id }) => (/[05a]$/.test(id) ? `Hello everybody, since ${id}` : undefined),
    namesEverybody: true,
  },
  'the-reader-quotes': making(quoteAbove, { as: 'reader' }),
  'the-reader-echoes': making(echo, { as: 'reader' }),
  'the-peer-quotes-with-everything': making(quoteBelow, { as: 'peer', keeps: everything }),
  'the-peer-forwards': making(echo, { as: 'peer', posts: 'elsewhere' }),
  'an-api-key-echoes': making(echo, { as: 'apiKey' }),
  'three-at-once': [
    making(echo, { keeps: ['mentions'] }),
    making(quoteAbove, { keeps: ['attachments'] }),
    making(echo, { posts: 'elsewhere' }),
  ],
  'six-at-once': [
    making(inBraces),
    making(inJson, { keeps: ['mentions'] }),
    making(echo, { afterMs: 100 }),
    making((text) => text.slice(0, 60)),
    making((text) => text.toUpperCase(), { posts: 'elsewhere' }),
    making(quoteBelow, { as: 'peer' }),
  ],
  'two-quote-each-other': [
    making(quoteAbove, { answersCompanionsUpTo: 300 }),
    making(inBraces, { answersCompanionsUpTo: 300, keeps: ['mentions'] }),
  ],
};

/** Everybody who quotes, forwards, echoes or edits what the suite writes. */
export const companies: readonly Company[] = Object.entries(rows).map(([id, row]) => ({
  id,
  companions: 'makes' in row ? [row] : row,
}));
