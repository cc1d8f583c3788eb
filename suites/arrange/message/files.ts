import { isRecord } from '../../../spec/calls/index.ts';
import { isUuid } from '../../../spec/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { type Exchange, isRedirection, statusOf } from '../../../harness/client/exchange.ts';
import { describeAnswer } from '../../../harness/verdict/outcome.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import { tokenOf } from '../auth/credential-faults.ts';

/** Why a file that is there does not come whole. */
export function noDownload(answer: Exchange): string {
  const status = statusOf(answer);
  return isRedirection(status)
    ? `a download got status ${status}: redirects are not followed`
    : `a download got ${describeAnswer(answer)}, and not what was uploaded: see bindings.file_content`;
}

/** So many files that the operator puts into the workspace of an agent, where its hook can put any there. */
export function uploadFor(
  agent: Actor,
  { files, marker }: Pick<Context<'file-hook'>, 'files' | 'marker'>,
  count: number,
): Promise<readonly string[]> {
  const [token, contentType] = [tokenOf(agent), 'text/plain'];
  const upload = (): Promise<string> =>
    files.upload({ token, filename: `${marker()}txt`, contentType, content: marker(), isUnusual: true });
  return Promise.all(Array.from({ length: count }, upload));
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
