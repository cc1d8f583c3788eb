import { isUuid } from '../../spec/index.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { isRecord } from '../../harness/client/page.ts';
import type { JsonRecord, PageItem } from '../../harness/client/page.ts';
import { describeAnswer, unarranged } from '../../harness/engine/outcome.ts';

/** A file that was put into the workspace, and the answer to that. */
export interface UploadedFile {
  readonly id: string;
  readonly exchange: Exchange;
}

/**
 * Uploads a small file in the one form that the suite tries, JSON with the bytes in base64, and learns its id. How files
 * are uploaded is not shown: a server that wants it otherwise ends the check as not arranged.
 */
export async function upload(actor: Actor, marker: string): Promise<UploadedFile> {
  const exchange = await actor.request({
    method: 'POST',
    path: '/v0/files',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      filename: `${marker}txt`,
      content_type: 'text/plain',
      content: Buffer.from(marker).toString('base64'),
    }),
  });
  if (!isAccepted(exchange)) unarranged(`no file could be uploaded: ${describeAnswer(exchange)}`, exchange);
  const id = fileIdIn(exchange.response?.json);
  return { id: id ?? unarranged('the answer to an upload shows no file id', exchange), exchange };
}

/** The id of a file that was uploaded as {@link upload} does. */
export async function uploadFile(actor: Actor, marker: string): Promise<string> {
  const { id } = await upload(actor, marker);
  return id;
}

/** Ids of the files that a message shows. */
export function attachedIds({ message }: PageItem): readonly string[] {
  const shown = message['attachments'];
  return Array.isArray(shown)
    ? shown.flatMap((file: unknown) => (isRecord(file) ? (idOf(file) ?? []) : []))
    : [];
}

/** The id of the file object in an answer, at the top or one level down. */
function fileIdIn(json: unknown): string | undefined {
  if (!isRecord(json)) return undefined;
  const file = [json, ...Object.values(json)]
    .filter(isRecord)
    .find((record) => 'sha256' in record || 'filename' in record);
  return idOf(file ?? json);
}

function idOf({ id }: JsonRecord): string | undefined {
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
}
