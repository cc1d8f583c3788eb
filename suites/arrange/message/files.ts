import { isRecord } from '../../../spec/calls/index.ts';
import { isUuid } from '../../../spec/index.ts';
import type { PageItem } from '../../../harness/stream/page.ts';

/** Ids of the files that a message shows. */
export function attachedIds({ message }: PageItem): readonly string[] {
  const shown = message['attachments'];
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((file: unknown) => {
    const id = isRecord(file) ? file['id'] : undefined;
    return typeof id === 'string' && isUuid(id) ? [id.toLowerCase()] : [];
  });
}
