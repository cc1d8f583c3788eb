import { parameterSpace } from './parameter-space.ts';
import { after, channelAfter, channelLimit, limit, wait } from './query-parameters.ts';

/** `after` of the mentions. */
export const afterSpace = parameterSpace(after);
/** `limit` of the mentions. */
export const limitSpace = parameterSpace(limit);
/** `after` of a channel read. */
export const channelAfterSpace = parameterSpace(channelAfter);
/** `limit` of a channel read. */
export const channelLimitSpace = parameterSpace(channelLimit);
/** `wait` of a channel read. */
export const waitSpace = parameterSpace(wait);
