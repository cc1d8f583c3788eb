import type { MessageCase } from '../../history/situations/dimensions.ts';

/** Nothing out of the ordinary. */
export const plainest: MessageCase = {
  sender: 'author',
  channel: 'first',
  target: 'agent',
  text: 'ascii',
  length: 'short',
  type: 'default',
  files: 'none',
  session: 'none',
  host: 'none',
};
