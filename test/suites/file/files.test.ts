import { describe, expect, it } from 'vitest';
import type { WorkspaceFile } from '../../../spec/index.ts';
import { fileChecks } from '../../../suites/file/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { caughtBy, runBroken } from '../send/broken.ts';
import type { Broken } from '../send/broken.ts';

type Listing = { messages?: Shown[]; mentions?: { message: Shown }[] };
type Shown = { author: { id: string }; channel_id: string; attachments?: WorkspaceFile[] };

const whenDeleted = (what: string, change: Partial<WorkspaceFile>): Broken => ({
  name: `a deleted file loses ${what}`,
  rules: () => ({ presentFile: (file) => (file.status === 'deleted' ? { ...file, ...change } : file) }),
  findings: ['message.attachments.deleted-keep-metadata failed'],
});

const whenShownAgain = (what: string, change: Partial<WorkspaceFile>): Broken => ({
  name: `a file changes ${what} when it is shown again`,
  rules: () => {
    const known = new Set<string>();
    return {
      presentFile: (file) => {
        if (known.has(file.id)) return { ...file, ...change };
        known.add(file.id);
        return file;
      },
    };
  },
  findings: ['file.immutable failed'],
});

const broken: readonly Broken[] = [
  whenDeleted('its name', { filename: 'deleted' }),
  whenDeleted('its digest', { sha256: '0'.repeat(64) }),
  whenDeleted('its uploader', { created_by_agent_id: null }),
  whenDeleted('its time', { created_at: '2000-01-01T00:00:00Z' }),
  whenShownAgain('its name', { filename: 'another' }),
  whenShownAgain('its size', { size_bytes: 1 }),
  whenShownAgain('its digest', { sha256: '0'.repeat(64) }),
  {
    name: 'a deleted file disappears from its messages',
    rules: () => ({ presentAttachments: (files) => files.filter(({ status }) => status !== 'deleted') }),
    findings: ['message.attachments.stable failed'],
  },
  {
    name: 'a deletion takes the other files of a message with it',
    rules: () => ({
      presentAttachments: (files) =>
        files.some(({ status }) => status === 'deleted')
          ? files.filter(({ status }) => status === 'deleted')
          : [...files],
    }),
    findings: ['message.attachments.stable failed'],
  },
  {
    name: 'a deleted file is called ready',
    rules: () => ({
      presentFile: (file) => (file.status === 'deleted' ? { ...file, status: 'ready' } : file),
    }),
    findings: ['file.status.shows-deletion warned'],
  },
  {
    name: 'a deleted file is downloaded as an empty one',
    rules: () => ({ isDownloadable: () => true }),
    findings: ['message.attachments.deleted-not-downloadable failed'],
  },
  {
    name: 'the digest is that of no bytes',
    rules: () => ({
      presentFile: (file) => ({
        ...file,
        sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      }),
    }),
    findings: ['file.sha256.is-the-digest warned'],
  },
  {
    name: 'the call for a file shows it to nobody',
    rules: () => ({ isFileVisible: () => false }),
    findings: ['file.visible-to-the-workspace failed'],
  },
  {
    name: 'only its author sees the files of a message',
    answer: (answer, { route, actor }) => {
      if (route !== 'read' || answer.status !== 200) return undefined;
      const body = answer.body as Listing;
      const messages = (body.messages ?? []).map((message) =>
        message.author.id === actor?.agentId ? message : { ...message, attachments: [] },
      );
      return { ...answer, body: { ...body, messages } };
    },
    findings: ['file.visible-to-the-workspace failed'],
  },
  {
    name: 'the files of a channel are seen in the mentions of those alone who joined it',
    answer: (answer, { route }) => {
      if (route !== 'mentions' || answer.status !== 200) return undefined;
      const body = answer.body as Listing;
      const [first] = (body.mentions ?? []).map(({ message }) => message.channel_id);
      const mentions = (body.mentions ?? []).map((mention) =>
        mention.message.channel_id === first
          ? mention
          : { ...mention, message: { ...mention.message, attachments: [] } },
      );
      return { ...answer, body: { ...body, mentions } };
    },
    findings: ['file.visible-to-the-workspace failed'],
  },
];

const caught = new Set<string>();

describe('files, with one thing broken', () => {
  it.concurrent.each(broken)('are found by the clause alone: $name', async (how) => {
    const run = await runBroken(fileChecks, how);
    for (const id of caughtBy(run)) caught.add(id);
    expect(findingsOf(run)).toEqual(how.findings);
  });
});

describe('the checks of files', () => {
  it('have none that nothing broken makes fail', () => {
    expect(fileChecks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('files, by the contract', () => {
  it('pass every check', async () => {
    const run = await runAgainst(fileChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['takes no uploads', { route: 'upload', status: 404 }],
    ['has no call for a file', { route: 'file', status: 404 }],
    ['has no download', { route: 'fileContent', status: 404 }],
  ])('are not asked of a server that %s', async (_what, { route: missing, status }) => {
    const run = await runBroken(fileChecks, {
      answer: (_, { route }) =>
        route === missing ? { status, headers: {}, body: { error: { code: 'x', message: 'x' } } } : undefined,
    });
    expect(findingsOf(run)).toEqual([]);
  });

  it('are not asked of a server that shows none', async () => {
    const run = await runBroken(fileChecks, { rules: () => ({ presentAttachments: () => [] }) });
    expect(findingsOf(run)).toEqual([]);
  });
});
