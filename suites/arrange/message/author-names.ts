import { isRecord } from '../../../harness/stream/page.ts';
import type { PageItem } from '../../../harness/stream/page.ts';

/** Ids and names of the agent, the human and the machine that an author names. */
export function namesOf({ message }: PageItem): readonly unknown[] {
  const author = isRecord(message['author']) ? message['author'] : {};
  return [author, author['human_user'], author['machine']].map((each) =>
    isRecord(each) ? [each['id'], each['display_name']] : null,
  );
}
