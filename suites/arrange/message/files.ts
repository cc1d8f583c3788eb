import { isRecord } from '../../../spec/calls/index.ts';
import { isUuid } from '../../../spec/index.ts';
import { type Exchange, isRedirection, statusOf } from '../../../harness/client/exchange.ts';
import { describeAnswer } from '../../../harness/verdict/outcome.ts';
import type { PageItem } from '../../../harness/stream/page.ts';

/** Why a file that is there does not come whole. */
export function noDownload(answer: Exchange): string {
  const status = statusOf(answer);
  return isRedirection(status)
    ? `a download got status ${status}: redirects are not followed`
    : `a download got ${describeAnswer(answer)}, and not what was uploaded: see bindings.file_content`;
}

/** Ids of the files that a message shows. */
export function attachedIds({ message }: PageItem): readonly string[] {
  const shown = message['attachments'];
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((file: unknown) => {
    const id = isRecord(file) ? file['id'] : undefined;
    return typeof id === 'string' && isUuid(id) ? [id.toLowerCase()] : [];
  });
}
