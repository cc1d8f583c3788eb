import { describe, expect, it } from 'vitest';
import { fileAmong, fileIn, judgeFileConstant } from '../../../../spec/oracles/messages/files.ts';

const file = {
  id: '0F8FAD5B-d9cb-469f-a165-70867728950e',
  workspace_id: 'aa',
  filename: 'a.txt',
  size_bytes: 2,
  sha256: 'aa',
  status: 'ready',
  created_at: '2024-01-01T00:00:00Z',
  uploaded_at: null,
  created_by_agent_id: null,
};

describe('a file shown again', () => {
  it.each([
    ['the same', file],
    ['in another state', { ...file, status: 'deleted', uploaded_at: '2024-01-01T00:00:00Z' }],
    [
      'with another spelling of its id and time',
      { ...file, id: file.id.toLowerCase(), created_at: '2024-01-01T01:00:00.000+01:00' },
    ],
    ['with its time at another precision', { ...file, created_at: '2024-01-01T00:00:00.999999999Z' }],
    ['with an exact integer', { ...file, size_bytes: 2n }],
    ['with what was not shown at first', { ...file, content_type: 'text/plain' }],
    ['without a field, which is for the schema', { ...file, filename: undefined }],
    ['with its workspace in the other letter case', { ...file, workspace_id: 'AA' }],
  ])('is constant: %s', (_what, later) => {
    expect(judgeFileConstant(file, later).problems).toEqual([]);
  });

  it('is constant while it waits for its bytes again', () => {
    const uploaded = { ...file, uploaded_at: '2024-01-01T00:00:00Z' };
    expect(judgeFileConstant(uploaded, { ...file, status: 'pending' }).problems).toEqual([]);
  });

  it.each([
    ['filename', { filename: 'A.txt' }],
    ['size_bytes', { size_bytes: 3 }],
    ['sha256', { sha256: null }],
    ['created_at', { created_at: '2024-01-01T00:00:01Z' }],
    ['id', { id: '1f8fad5b-d9cb-469f-a165-70867728950e' }],
    ['created_by_agent_id', { created_by_agent_id: '1f8fad5b-d9cb-469f-a165-70867728950e' }],
  ])('is not when its %s is another', (field, change) => {
    const { problems, judged } = judgeFileConstant(file, { ...file, ...change });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.expected).toContain(field);
    expect(judged).toBe(7);
  });

  it.each([
    ['names that look like times', { filename: '2024-01-01' }, { filename: '2024-01-01T00:00:00Z' }],
    [
      'the time of its upload once there was one, also when it is deleted',
      { uploaded_at: '2024-01-01T00:00:00Z', status: 'ready' },
      { uploaded_at: null, status: 'deleted' },
    ],
    ['objects where none belong', { sha256: { a: 1 } }, { sha256: { a: 2 } }],
  ])('is told apart by %s', (_what, first, later) => {
    expect(judgeFileConstant(first, later).problems).toHaveLength(1);
  });

  it('is judged by nothing when nothing can be compared', () => {
    expect(judgeFileConstant({}, file)).toEqual({ judged: 0, problems: [] });
  });
});

it('is shown with its id in lower case', () => {
  expect(judgeFileConstant({ id: 'A' }, { id: 'B' }).problems).toEqual([{ expected: 'id a', actual: 'b' }]);
});

it('is found among the attachments of a message, by its id in any letter case', () => {
  expect(fileAmong([null, 7, { id: 3 }, file], file.id.toLowerCase())).toBe(file);
  expect(fileAmong([file], 'another')).toBeUndefined();
  expect(fileAmong(undefined, file.id)).toBeUndefined();
});

it('is found in an answer at the top or one level down', () => {
  expect(fileIn(file)).toBe(file);
  expect(fileIn({ page: {}, file })).toBe(file);
  expect(fileIn({ files: [file] })).toBeUndefined();
  expect(fileIn('text')).toBeUndefined();
  expect(fileIn(null)).toBeUndefined();
  expect(fileIn({ page: 'one', count: 1, none: null, file })).toBe(file);
  expect(fileIn({ filename: 'a' })).toEqual({ filename: 'a' });
  expect(fileIn({ sha256: 'a' })).toEqual({ sha256: 'a' });
  expect(fileIn({ page: {} })).toBeUndefined();
});
