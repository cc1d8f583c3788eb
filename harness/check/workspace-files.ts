import { isRecord, write } from '../../spec/calls/index.ts';
import { isUuid } from '../../spec/index.ts';
import type { Actor } from '../client/actor.ts';
import { type Exchange, isAccepted } from '../client/exchange.ts';
import type { MadeFile } from '../stream/file-stock.ts';
import { CheckStopped, describeAnswer, given, unmet } from '../verdict/outcome.ts';
import { type HookFixtureByNeed, hookFixturesOf, type HookParts } from './hook-fixtures.ts';

/** A file of one check's own. */
interface FreshFile {
  readonly id: string;
  /** The answer that recorded it, where there was one. */
  readonly exchange: Exchange | undefined;
}

/** What not every way of putting files there can do; a hook that fails with it works nevertheless. */
interface Unusual {
  /** Instead of one with a marker. */
  readonly filename?: string;
  /** Instead of plain text. */
  readonly contentType?: string;
}

/** Files for checks, by whichever way the target has. Each ends the check with its precondition not met, with all that was tried. */
export interface WorkspaceFiles {
  /**
   * Ids of so many different ready files. Other checks use them too, so that nobody deletes them. Where some are missing, and would
   * take longer than `withinMs` to make, by what the quickest before them took, no more than a few are made.
   */
  readonly readyFiles: (count: number, withinMs?: number) => Promise<readonly string[]>;
  /** A plain text file with these bytes, put there by the author. */
  readonly freshFile: (content: string | Uint8Array, unusual?: Unusual) => Promise<FreshFile>;
  /** A file with, where that can be, the answer that recorded it: one of its own, else a ready one. */
  readonly recordedFile: () => Promise<FreshFile>;
}

/** Files that are made to tell what one takes. */
const fewToTell = 5;

type MadeWorkspaceFile = FreshFile & MadeFile;

/** Files as one attempt at a check gets them; `author` is whose workspace they are in. */
export function workspaceFiles(author: Actor | undefined, parts: HookParts): WorkspaceFiles {
  const { run, clock } = parts;
  const ways = [byHook(parts), byCall(author, parts)];
  const one = (content: string | Uint8Array, order = ways): Promise<MadeWorkspaceFile> =>
    firstFileOf(order, content);
  const named = run.target.files.length;
  const several = async (count: number, wanted: number): Promise<readonly MadeWorkspaceFile[]> => {
    const few = `the target names ${named} of the ${wanted} files needed; `;
    // Of another type than a message that it is attached to, where that can be.
    const typed = ways.map(
      (way): Way =>
        (content) =>
          way(content, { contentType: 'text/markdown' }),
    );
    const preface = named === 0 ? '' : few;
    const first = await firstFileOf([...typed, ...ways], run.whole.marker(), { preface });
    const way = first.way === 'hook' ? ways.slice(0, 1) : ways.slice(1);
    const others = Array.from({ length: count - 1 }, () => one(run.whole.marker(), way));
    return [first, ...(await Promise.all(others))];
  };
  const take = (count: number, withinMs = Infinity): Promise<readonly string[]> =>
    run.files.take(count, (missing) => {
      const ms = Math.ceil(missing * run.files.msPerFile);
      const what = Number.isFinite(ms)
        ? `would take ${ms} ms to upload, more than ${withinMs} ms`
        : `are wanted beside the ${named} that the target names`;
      given(ms <= withinMs, `${missing} more files ${what}`);
      return several(missing, count);
    });
  const readyFiles = (count: number, withinMs = Infinity): Promise<readonly string[]> =>
    // Who makes them is another check at times, and the hook has a time limit of its own.
    clock.untimed(async () => {
      const { count: there, msPerFile } = run.files;
      const mayTakeMs = (count - there) * msPerFile;
      // Those before may have waited for something else: a few more tell what one takes now.
      if (mayTakeMs > withinMs && msPerFile < Infinity) await take(Math.min(count, there + fewToTell));
      return take(count, withinMs);
    });
  return {
    readyFiles,
    freshFile: (content, unusual) => firstFileOf(ways, content, { unusual }),
    recordedFile: async () => {
      const ready: Way = async () => {
        const [id = ''] = await readyFiles(1);
        return { id, exchange: undefined, way: 'target' };
      };
      return one(run.whole.marker(), [
        byCall(author, parts),
        ...(run.target.files.length > 0 ? [ready] : [byHook(parts)]),
      ]);
    },
  };
}

type Way = (content: string | Uint8Array, unusual?: Unusual) => Promise<MadeWorkspaceFile>;

/** Tries one way after the other; a way that stops the check says what is wrong with it. */
async function firstFileOf(
  ways: readonly Way[],
  content: string | Uint8Array,
  { unusual, preface = '' }: { readonly unusual?: Unusual | undefined; readonly preface?: string } = {},
): Promise<MadeWorkspaceFile> {
  const reasons = new Set<string>();
  let evidence: Exchange | undefined;
  for (const way of ways) {
    try {
      // The next is a stand-in for the one before.
      return await way(content, unusual);
    } catch (error) {
      if (!(error instanceof CheckStopped) || error.stop.kind !== 'unmet') throw error;
      reasons.add(error.stop.reason);
      evidence ??= error.stop.exchange;
    }
  }
  const why = [...reasons].join('; ');
  const { filename } = unusual ?? {};
  if (filename !== undefined)
    return unmet(
      `no file with a name of ${filename.length === 1 ? '1 character' : `${filename.length} characters`} could be made: ${why}`,
      evidence,
    );
  return unmet(
    `${preface}there is no file to attach: ${why}; add \`files\` or \`hooks.file\` to the target file`,
    evidence,
  );
}

function byHook(parts: HookParts): Way {
  const { target } = parts.run;
  return async (content, unusual) => {
    const token = target.roles.author?.token;
    if (target.hooks.file === undefined || token === undefined) return unmet('the target has no hooks.file');
    const { files } = hookFixturesOf('file-hook', parts) as HookFixtureByNeed['file-hook'];
    const id = await files.upload({
      token,
      filename: unusual?.filename ?? `${parts.run.whole.marker()}txt`,
      isUnusual: unusual !== undefined,
      contentType: unusual?.contentType ?? 'text/plain',
      content,
    });
    return { id: id.toLowerCase(), exchange: undefined, way: 'hook' };
  };
}

/** The one form that the suite tries, JSON with the bytes in base64: how files are uploaded is not shown. */
function byCall(author: Actor | undefined, { run }: HookParts): Way {
  return async (content, unusual) => {
    if (author === undefined) return unmet('no role can upload one');
    const bytes = Buffer.from(content);
    const exchange = await author.request(
      write('other', '/v0/files', {
        filename: unusual?.filename ?? `${run.whole.marker()}txt`,
        content_type: unusual?.contentType ?? 'text/plain',
        content: bytes.toString('base64'),
      }),
    );
    if (!isAccepted(exchange)) unmet(`POST /v0/files got ${describeAnswer(exchange)}`, exchange);
    const id = fileIdIn(exchange.response?.json);
    return {
      id: id ?? unmet('the answer to POST /v0/files shows no file id', exchange),
      exchange,
      way: 'call',
    };
  };
}

/** The id of the file object in an answer, at the top or one level down. */
function fileIdIn(json: unknown): string | undefined {
  if (!isRecord(json)) return undefined;
  const file = [json, ...Object.values(json)]
    .filter(isRecord)
    .find((record) => 'sha256' in record || 'filename' in record);
  const { id } = file ?? json;
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
}
