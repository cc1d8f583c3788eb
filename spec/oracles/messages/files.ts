import { isSameInstant } from '../values/instants.ts';
import { asText } from '../values/json-texts.ts';
import { judgeEach, type Judgement } from '../values/judgement.ts';

/** What is shown of a file; nobody has vouched for its shape. */
export type ShownFile = Readonly<Record<string, unknown>>;

/** What is recorded of a file once and for all, but for its state and the time of its upload. */
const fixedFields = [
  'id',
  'workspace_id',
  'filename',
  'content_type',
  'size_bytes',
  'sha256',
  'created_at',
  'created_by_agent_id',
  'created_by_human_user_id',
] as const;

/** A file shown again is the one shown before; a field that either lacks is not compared. Nobody is somebody too: only a time of upload may come later. */
export function judgeFileConstant(first: ShownFile, later: ShownFile): Judgement {
  // An upload whose bytes are not there, as of a file that expired, may have to be made again, at another time.
  const isUploaded = later['status'] === 'ready' || later['status'] === 'deleted';
  const isTimeKept = isUploaded && (first['uploaded_at'] ?? undefined) !== undefined;
  const compared = [...fixedFields, ...(isTimeKept ? (['uploaded_at'] as const) : [])].filter(
    (name) => first[name] !== undefined && later[name] !== undefined,
  );
  return judgeEach(compared, (name) => {
    const [was, is] = [valueOf(name, first), valueOf(name, later)];
    return was === is || (name.endsWith('_at') && isSameInstant(was, is) !== false)
      ? undefined
      : { expected: `${name} ${was}`, actual: is };
  });
}

/** The file with an id among those that a message shows. */
export function fileAmong(attachments: unknown, id: string): ShownFile | undefined {
  if (!Array.isArray(attachments)) return undefined;
  return attachments.filter(isFields).find((file) => isId(file['id'], id));
}

/** The file object in an answer, at the top or one level down. */
export function fileIn(json: unknown): ShownFile | undefined {
  if (!isFields(json)) return undefined;
  return [json, ...Object.values(json)]
    .filter(isFields)
    .find((each) => 'sha256' in each || 'filename' in each);
}

/** Ids in either letter case are equal. */
function valueOf(name: string, file: ShownFile): string {
  const value = file[name];
  if (typeof value !== 'string') return asText(value);
  return name === 'id' || name.endsWith('_id') ? value.toLowerCase() : value;
}

function isId(value: unknown, id: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === id.toLowerCase();
}

function isFields(value: unknown): value is ShownFile {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
