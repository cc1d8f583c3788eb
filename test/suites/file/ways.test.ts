import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import type { Hook, Target } from '../../../harness/config/target.ts';
import { startReference } from '../../../reference/index.ts';
import type { AnswerHook } from '../../../reference/model/answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { shown } from '../../../selftest/mutants/base/changed-rules.ts';
import { objectOf, refusal, spoilSuccess } from '../../../selftest/mutants/base/spoil-answer.ts';
import { withAround, withHooks } from '../../fixtures/hooks.ts';
import { findingsOf, notPassed, runAgainst, runOn, type Which, withoutPopulation } from '../run-suite.ts';

/** Every check that attaches files; those that are to delete none, without the population. */
const attaching = allChecks.filter(({ needs }) => needs.includes('files') || needs.includes('file-hook'));
const undeleted = withoutPopulation(attaching).filter(({ needs }) => !needs.includes('file-hook'));
const deciding = undeleted.map(({ id }) => id);

/** Attaches a single file. */
const oneFile = 'file.metadata-is-open-to-another-agent';
const manyFiles = 'send.more-than-20-files-are-refused';

/** Refuses every upload as a client: only its operator puts files there. */
const noUploads = { rules: { minFileBytes: () => Number.POSITIVE_INFINITY } };

async function runWith(checks: Which, change: (target: Target, fileIds: readonly string[]) => Target) {
  await using reference = await startReference(noUploads);
  const { operator, world } = reference;
  const ids = Array.from({ length: 51 }, () => operator.uploadFile({ workspaceId: world.workspaceId }).id);
  const target = { ...targetOfReference(reference), settleMs: 100 };
  return await runOn(checks, change(target, ids));
}

function withoutFileHook(target: Target, more: Partial<Target> = {}): Target {
  const { file: _, ...hooks } = target.hooks;
  return { ...target, hooks, ...more };
}

describe('a server that takes no upload in the form that the suite tries', () => {
  it('is decided by all checks about files through hooks.file', async () => {
    const run = await runWith(attaching, (target) => target);
    expect(notPassed(run)).toEqual([]);
    const passed = run.checks.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check);
    expect(passed).toEqual(expect.arrayContaining(attaching.map(({ id }) => id)));
    expect(run.footer.reason).toBeUndefined();
  });

  it('is decided by all that need no upload and no deletion through the files that the target names', async () => {
    const run = await runWith(undeleted, (target, files) => withoutFileHook(target, { files }));
    const open = run.checks.filter(({ verdict }) => verdict !== 'passed');
    const ids = open.map(({ check }) => check).filter((id) => deciding.includes(id));
    expect(ids.toSorted()).toEqual([
      'file.downloads-are-what-was-uploaded',
      'file.sha256-is-the-digest-of-its-bytes',
      'file.shortest-and-longest-names-are-shown',
      'file.types-are-shown-as-uploaded',
    ]);
    const { clauses = [] } = open.find(({ check }) => check.startsWith('file.sha256')) ?? {};
    expect(clauses[0]?.reason).toBe(
      'there is no file to attach: the target has no hooks.file; POST /v0/files got status 400; add `files` or `hooks.file` to the target file',
    );
  });

  it('is told how many files are of use when fewer are named than a check attaches', async () => {
    const run = await runWith([oneFile, manyFiles], (target, files) =>
      withoutFileHook(target, { files: files.slice(0, 4) }),
    );
    const full = run.checks.find(({ check }) => check === manyFiles);
    expect(full?.clauses[0]?.reason).toMatch(/^the target names 4 of the 21 files needed; there is no file/);
    const few = run.checks.find(({ check }) => check === oneFile);
    expect(few?.verdict).toBe('passed');
  });

  it('is not held to the bytes of a file that it took the base64 of for its text', async () => {
    const id = 'file.sha256-is-the-digest-of-its-bytes';
    const rules = shown('presentFile', ({ size_bytes: size }) => ({
      size_bytes: 4 * Math.ceil(size / 3),
      sha256: 'b'.repeat(64),
    }));
    const verdictOf = async (target: (target: Target) => Target) => {
      const run = await runAgainst(id, { rules }, { target });
      return run.checks.find(({ check }) => check === id)?.verdict;
    };
    expect(await verdictOf((target) => withoutFileHook(target))).toBe('inconclusive');
    // Whoever uploads for the operator is told which bytes.
    expect(await verdictOf((target) => target)).toBe('warned');
  });

  it('falls to the next way where the hook says that it does not upload', async () => {
    const unsupported: Hook = { call: () => Promise.resolve({ unsupported: 'no uploads here' }) };
    const run = await runWith(oneFile, withHooks({ file: unsupported }));
    const open = run.checks.find(({ check }) => check === oneFile);
    expect(open?.clauses[0]?.reason).toMatch(/no uploads here; POST \/v0\/files got status 400/);
  });

  it('goes on, and names no broken hook, where only files with unusual names cannot be put there', async () => {
    const run = await runWith(
      undeleted,
      withAround(['file'], async (input, file) => {
        if (String(input['filename']).length > 200) throw new Error('File name too long');
        return file();
      }),
    );
    expect(run.footer.reason).toBeUndefined();
    const [open, ...others] = run.checks.filter(
      ({ check, verdict }) => verdict !== 'passed' && deciding.includes(check),
    );
    expect(others).toEqual([]);
    expect(open?.clauses[0]?.reason).toMatch(
      /^no file with a name of 25[45] characters could be made: hooks\.file: it threw .*File name too long/,
    );
  });
});

it('holds no file to an answer to its upload that is another object than messages show', async () => {
  const id = 'file.metadata-stays-what-it-was';
  const answer = (size: object) =>
    spoilSuccess('upload', ({ body, ...rest }) => ({
      ...rest,
      body: { file: { ...objectOf(objectOf(body)['file']), size_bytes: 7, ...size } },
    }));
  const verdictOf = async (size: object) => {
    const run = await runAgainst(id, answer(size));
    return run.checks.find(({ check }) => check === id)?.verdict;
  };
  expect(await verdictOf({ size: '7 bytes' })).toBe('passed');
  expect(await verdictOf({})).toBe('failed');
});

it('waits for a file that others come to know later than whoever put it there', async () => {
  const run = await runAgainst(oneFile, {
    answer: (answer, { route, actor }) => {
      if (route !== 'file' || answer.status !== 200) return undefined;
      const file = answer.body as { readonly created_by_agent_id: string; readonly created_at: string };
      const isNew = Date.now() - Date.parse(file.created_at) < 400;
      return isNew && file.created_by_agent_id !== actor?.agentId ? refusal(404) : undefined;
    },
  });
  expect(findingsOf(run)).toEqual([]);
  expect(run.checks.find(({ check }) => check === oneFile)?.verdict).toBe('passed');
});

/** Puts files there by their bytes: what comes again is `again`, given what came of the first. */
const byBytes = (again: (first: Promise<unknown>) => Promise<unknown>) => {
  const made = new Map<unknown, Promise<unknown>>();
  return withAround(['file'], ({ action, content_base64: content }, file) => {
    if (action !== 'upload') return file();
    const first = made.get(content);
    if (first !== undefined) return again(first);
    const own = file();
    made.set(content, own);
    return own;
  });
};

it.each([
  ['makes one file of the same bytes', (first: Promise<unknown>) => first],
  ['takes the same bytes only once', () => Promise.reject(new Error('these bytes are there'))],
] as const)('decides what deletions do at a server that %s', async (_, again) => {
  const deleting = [
    'file.deleted-file-is-not-downloadable',
    'file.deleted-file-stays-on-its-messages',
    'mentions.changes-take-nothing-away',
  ];
  // Of a deleted file its messages tell alone.
  const answer: AnswerHook = ({ body }, { route }) =>
    route === 'file' && objectOf(body)['status'] === 'deleted' ? refusal(404) : undefined;
  const run = await runAgainst(deleting, { answer }, { target: byBytes(again) });
  expect(findingsOf(run)).toEqual([]);
  expect(run.footer.reason).toBeUndefined();
  expect(notPassed(run)).toEqual([]);
});
