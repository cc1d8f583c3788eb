import { textForms } from '../text-form.ts';

/**
 * Along what a rule about reading could be broken, and the values that are put to the test. The first value of each is the plainest:
 * where nothing else is asked for, it is taken.
 */

/** What a message is. */
export const messageDimensions = {
  /** Who sends it. */
  sender: ['author', 'reader', 'api-key'],
  channel: ['first', 'second'],
  /** Whom it names: of the agent it is for, or somebody else. */
  target: ['agent', 'none', 'user', 'machine', 'several', 'other-agent', 'self'],
  /** What its text is made of. */
  text: textForms,
  /** Length of the text in UTF-8. */
  length: ['short', '1 byte', '1 kB', '16 kB', '500 kB'],
  type: ['default', 'text/plain', 'text/markdown', 'application/json'],
  files: ['none', 'one', '2 to 19', '20'],
  session: [
    'none',
    'provider_a desktop',
    'provider_a cli',
    'provider_b desktop',
    'provider_b cli',
    'provider_b cloud',
    'provider_c cli',
    'provider_d cli',
  ],
  host: ['none', '1 character', '80 characters'],
} as const;

/** How a page is asked for. */
export const readDimensions = {
  call: ['channel-read', 'mentions'],
  /** Whose credential: `peer` has the human and the machine of `reader`. */
  reader: ['author', 'reader', 'peer', 'api-key'],
  /** Of a channel read; a listing of mentions has none. */
  of: ['first', 'second', 'feed'],
  cursor: ['none', '0', 'first', 'middle', 'issued', 'end'],
  limit: ['none', '1', 'middle', '99', '100'],
  /** Seconds of a read that has something to show at once. */
  wait: ['none', '0', '1'],
} as const;

/** What happened before. */
const stateDimensions = {
  after: ['nothing', 'rename', 'deletion', 'restart'],
  clients: ['alone', 'concurrent'],
} as const;

export const dimensions = { ...messageDimensions, ...readDimensions, ...stateDimensions } as const;

type Valued<Of extends Readonly<Record<string, readonly string[]>>> = {
  readonly [Name in keyof Of]: Of[Name][number];
};

/** One message to be sent, by its value in each dimension. */
export type MessageCase = Valued<typeof messageDimensions>;

/** A message with nothing out of the ordinary. */
export const plainest = Object.fromEntries(
  Object.entries(messageDimensions).map(([name, [first]]) => [name, first]),
) as unknown as MessageCase;

/** One page to be read, by its value in each dimension. */
export type ReadCase = Valued<typeof readDimensions>;

export type DimensionName = keyof typeof dimensions;

/** A value of some of the dimensions. */
export type Values = { readonly [Name in DimensionName]?: (typeof dimensions)[Name][number] };

/**
 * Whether values stand together. A text of one byte is of ASCII, a long line is not short, a listing of mentions does not wait; at
 * the end of a stream, where nothing is shown, limits make no difference and a read that waits would. Long texts carry nothing else,
 * and the longest are few: whoever reads on reads them all.
 */
export function isPossible(values: Values): boolean {
  return isPossibleText(values) && isPossibleRead(values) && isListed(values);
}

/** Whose feed a message comes to: targets of a kind are those of the reader, or of the author where the reader sends. */
function isListed({ call, reader, sender, target, length }: Values): boolean {
  // The longest texts are read by as few as can be: the author reads the channels, the others their feeds.
  if (length === '500 kB' && reader !== undefined) {
    if (reader === 'api-key' || (call !== undefined && (call === 'mentions') === (reader === 'author')))
      return false;
  }
  if (call !== 'mentions' || reader === undefined) return true;
  const senders = {
    author: ['reader'],
    reader: ['author', 'api-key'],
    peer: ['author', 'api-key'],
    'api-key': ['author', 'reader'],
  };
  if (sender !== undefined && !senders[reader].includes(sender)) return false;
  if (target === undefined) return true;
  if (reader === 'api-key') return target === 'other-agent';
  return target === 'other-agent' ? reader === 'peer' : target !== 'agent' || reader !== 'peer';
}

function isPossibleText({ text, length, type, files, session, host, sender, target }: Values): boolean {
  if (length === '1 byte' && text !== undefined && text !== 'ascii') return false;
  if (length === 'short' && text === 'long-line') return false;
  if (length !== '16 kB' && length !== '500 kB') return true;
  const isPlain =
    (type ?? 'default') === 'default' && [files, session, host].every((each) => (each ?? 'none') === 'none');
  if (length === '16 kB' || !isPlain) return isPlain;
  return (
    ['ascii', 'astral', undefined].includes(text) &&
    (sender ?? 'author') === 'author' &&
    ['agent', 'user', 'machine', undefined].includes(target)
  );
}

function isPossibleRead({ call, of, cursor, limit, wait }: Values): boolean {
  const isFeed = call === 'mentions' || of === 'feed';
  if (call !== undefined && of !== undefined && (call === 'mentions') !== (of === 'feed')) return false;
  if (wait !== undefined && wait !== 'none' && (isFeed || cursor === 'end')) return false;
  return cursor !== 'end' || limit === undefined || limit === 'none' || limit === '100';
}
