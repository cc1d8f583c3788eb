import { createHash } from 'node:crypto';
import type { WorkspaceFile } from '../../spec/generated/types.ts';
import type { AgentCall } from '../http/call.ts';
import { type Answer, jsonAnswer } from '../model/answer.ts';
import { Refusal } from '../model/refusal.ts';
import { invalid } from '../sending/draft.ts';
import { readUuid } from './parameters.ts';

/** `POST /v0/files`: stores `{filename, content_type, content}`, the content in base64. */
export async function uploadFile(call: AgentCall): Promise<Answer> {
  const { agent, service } = call;
  const body = await call.request.body();
  const bytes = readContent(body['content']);
  if (bytes.length < service.rules.minFileBytes()) throw invalid('content', 'is empty');
  const now = new Date(service.sources.now()).toISOString();
  const file: WorkspaceFile = {
    id: service.sources.id(),
    workspace_id: agent.workspaceId,
    filename: readFilename(call, body['filename']),
    content_type: readContentType(body['content_type']),
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    status: 'ready',
    created_at: now,
    uploaded_at: now,
    created_by_agent_id: agent.id,
    created_by_human_user_id: agent.humanUserId,
  };
  service.store.files.add(file, bytes);
  return jsonAnswer(201, { file: service.rules.presentFile(file) });
}

/** `GET /v0/files/{file_id}`: what is known of a file, deleted ones included. */
export function showFile(call: AgentCall): Answer {
  return jsonAnswer(200, { file: call.service.rules.presentFile(fileOfCall(call)) });
}

/** `GET /v0/files/{file_id}/content`: the bytes of a file, always as a download. */
export function downloadFile(call: AgentCall): Answer {
  const { rules, store } = call.service;
  const file = fileOfCall(call);
  if (!rules.isDownloadable(file)) throw new Refusal('gone', `the file is ${file.status}`);
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  };
  return {
    status: 200,
    headers,
    body: rules.downloadedBytes(store.files.content(file.id) ?? Buffer.alloc(0)),
  };
}

function fileOfCall({ agent, credential, parameters, service: { rules, store } }: AgentCall): WorkspaceFile {
  const file = store.files.file(readUuid(parameters['file_id'], 'file_id'));
  if (!file) throw new Refusal('not-found', 'there is no such file');
  if (!rules.isFileVisible({ isOfWorkspace: file.workspace_id === agent.workspaceId }, agent, credential)) {
    throw new Refusal('forbidden', 'the agent has no access to this file');
  }
  return file;
}

function readFilename({ service: { rules } }: AgentCall, value: unknown): string {
  if (typeof value !== 'string' || /[\p{Surrogate}\0]/u.test(value))
    throw invalid('filename', 'has to be a string');
  const length = rules.filenameLength(value);
  if (length < rules.minFilenameLength() || length > rules.maxFilenameLength()) {
    throw invalid('filename', 'is too short or too long');
  }
  return value;
}

function readContentType(value: unknown): string {
  if (value === undefined) return 'application/octet-stream';
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value))
    throw invalid('content_type', 'is not one');
  return value;
}

function readContent(value: unknown): Buffer {
  const isBase64 =
    typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
  if (!isBase64) throw invalid('content', 'has to be base64');
  return Buffer.from(value, 'base64');
}
