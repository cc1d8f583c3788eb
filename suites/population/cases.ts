import { coveringRows } from './covering.ts';
import {
  isPossible,
  messageDimensions,
  plainest,
  readDimensions,
} from '../../history/situations/dimensions.ts';
import type { MessageCase, ReadCase } from '../../history/situations/dimensions.ts';

/** Values that a target has no means for. */
export interface Means {
  readonly hasReader: boolean;
  readonly hasSecondChannel: boolean;
  readonly hasApiKey: boolean;
  readonly hasPeer: boolean;
  readonly hasFiles: boolean;
}

/**
 * Messages so that every pair of values stands in one of them that somebody is listed, and every value in one that nobody is. The
 * longest texts have a population of their own.
 */
export function messageCases(means: Means): readonly MessageCase[] {
  const { hasReader, hasSecondChannel, hasApiKey, hasFiles } = means;
  const space = {
    ...messageDimensions,
    length: messageDimensions.length.filter((each) => each !== '500 kB'),
    sender: messageDimensions.sender.filter(
      (each) => (hasApiKey || each !== 'api-key') && (hasReader || each !== 'reader'),
    ),
    channel: channelsOf(hasSecondChannel),
    files: messageDimensions.files.filter((each) => hasFiles || each === 'none'),
  };
  const isListed = (target: MessageCase['target']): boolean => target !== 'none' && target !== 'self';
  const unlisted = messageDimensions.target.filter((target) => !isListed(target));
  if (!hasReader) return coveringRows({ ...space, target: unlisted }, { isAllowed: isPossible });
  const listed = coveringRows(
    { ...space, target: messageDimensions.target.filter(isListed) },
    { isAllowed: isPossible },
  );
  const others = coveringRows(
    { ...space, target: unlisted },
    { isAllowed: isPossible, isWanted: (one, other) => one === 'target' || other === 'target' },
  );
  // The feeds of those to whom little is sent hold every value too.
  const isOfTarget = (one: string, other: string): boolean => one === 'target' || other === 'target';
  const toTheAuthor = coveringRows(
    { ...space, sender: ['reader'] as const, target: ['agent'] as const },
    { isAllowed: isPossible, isWanted: isOfTarget },
  );
  const toOthers = coveringRows(
    { ...space, sender: ['author'] as const, target: ['other-agent'] as const },
    { isAllowed: isPossible, isWanted: isOfTarget },
  );
  return [...listed, ...others, ...toTheAuthor, ...toOthers];
}

/** The channel that holds the most: the second, where there is one. Few others read there past what a population leaves. */
export function mainOf({ hasSecondChannel }: Pick<Means, 'hasSecondChannel'>): MessageCase['channel'] {
  return hasSecondChannel ? 'second' : 'first';
}

/** The channels of messages, the one that holds the most first. */
function channelsOf(hasSecondChannel: boolean): readonly MessageCase['channel'][] {
  return hasSecondChannel ? ['second', 'first'] : ['first'];
}

/** So many of the longest texts in one channel are more than most servers put on one page. */
const moreThanAByteCap = 4;

/**
 * Messages with the longest texts: of each kind that a server may store in another way, to each kind of target, in each channel; in one
 * of them as many as a byte cap is likely to cut.
 */
export function longestCases(means: Means): readonly MessageCase[] {
  const { hasReader, hasSecondChannel } = means;
  const targets = hasReader ? (['agent', 'user', 'machine'] as const) : (['none'] as const);
  const rows = coveringRows(
    {
      channel: channelsOf(hasSecondChannel),
      target: targets,
      text: ['ascii', 'astral'] as const,
    },
    { isAllowed: (row) => isPossible({ ...row, length: '500 kB' }) },
  );
  const inMain = rows.filter(({ channel }) => channel === mainOf(means));
  const more = inMain.slice(0, Math.max(0, moreThanAByteCap - inMain.length));
  return [...rows, ...more].map((row) => ({ ...plainest, ...row, length: '500 kB' }));
}

/** Pages of a stream that is long enough to fill them, and to go on: from every cursor that a limit may depend on. */
function fullPages<Of extends ReadCase['of']>(of: Of, reader: ReadCase['reader']) {
  const pages = {
    none: ['none', '100'],
    '0': ['none', '100'],
    middle: ['none', 'middle', '99', '100'],
  } as const;
  return (['none', '0', 'middle'] as const).flatMap((cursor) =>
    pages[cursor].map((limit) => ({ reader, of, cursor, limit, wait: 'none' as const })),
  );
}

/** Pages so that of the channels, and of the feeds, every pair of values stands in one. */
export function readCases(means: Means): readonly ReadCase[] {
  const { hasReader, hasSecondChannel, hasApiKey, hasPeer } = means;
  const { call: _call, ...own } = readDimensions;
  const reader = own.reader.filter(
    (each) =>
      (hasApiKey || each !== 'api-key') && (hasPeer || each !== 'peer') && (hasReader || each !== 'reader'),
  );
  const channels = own.of.filter((of) => of === 'first' || (of === 'second' && hasSecondChannel));
  const ofChannels = coveringRows({ ...own, reader, of: channels }, { isAllowed: isPossible });
  const ofFeeds = coveringRows(
    { ...own, reader, of: ['feed'] as const, wait: ['none'] as const },
    { isAllowed: isPossible },
  );
  return [
    ...[...ofChannels, ...fullPages(mainOf(means), 'author')].map((row) => ({
      ...row,
      call: 'channel-read' as const,
    })),
    ...[...ofFeeds, ...(hasReader ? fullPages('feed', 'reader') : [])].map((row) => ({
      ...row,
      call: 'mentions' as const,
    })),
  ];
}
