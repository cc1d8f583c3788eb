import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addressOf, idIn, type KnownCall, partsOfAddress } from '../../spec/calls/index.ts';
import { isWrite } from '../../harness/client/client.ts';
import { fieldOfNeed, isEnabled, type NeedName } from '../../harness/config/capabilities.ts';
import { JsonFiles } from '../../harness/config/json-file.ts';
import type { Target } from '../../harness/config/target.ts';
import { writeCleanFile } from '../../harness/output/clean-file.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { clauseOf } from '../../spec/index.ts';
import type { AnswerExcerpt } from '../judge/answer-excerpt.ts';
import type { Finding, KnownFailure } from './finding.ts';
import { showsEveryTime, type Repeats } from './investigate.ts';
import {
  isOperators,
  reportOf,
  reportPaths,
  stepsOf,
  type CaseRequest,
  type CaseStep,
  type OperatorStep,
  type RequestStep,
} from '../cases/case-request.ts';
import { failureSchema, mostBytes } from './failure-schema.ts';
import { rootOf } from '../judge/failure.ts';

/** A body as a file keeps it: text whose long runs are counted, or bytes that are no text. */
type KeptBody =
  | { readonly runs: readonly (readonly [text: string, times: number])[] }
  | { readonly base64: string };

/** One failure, kept as a request that can be sent again: it knows no generator and holds no credential. */
export interface FailureFile extends Pick<Finding, 'root' | 'verdict' | 'failure' | 'label'> {
  readonly format: 'conform-failure/1';
  /** The rule in the words of the register, for whoever reads the file. */
  readonly clauseText?: string;
  /** The beginning of the answer that showed it. */
  readonly answer?: AnswerExcerpt;
  readonly found: {
    readonly seed: number;
    readonly caseIndex: number;
    readonly phase: string;
    readonly times: number;
    readonly of: number;
    /**
     * The same at the last look of the campaign: of none where there was no time for one, or none yet. Absent in files of older suites, which do
     * not say.
     */
    readonly again?: Repeats;
    /**
     * What the target had, and the fields of the request that had an effect there: where one lacks some of it, a case does less, and that it
     * shows nothing says nothing.
     */
    readonly had?: readonly NeedName[];
  };
  readonly request: KeptRequest &
    Pick<CaseRequest, 'isApart'> & { readonly earlier?: readonly (KeptRequest | OperatorStep)[] };
}

/** One request as a file keeps it. */
interface KeptRequest extends Pick<RequestStep, 'call' | 'method' | 'headers' | 'isBeside'> {
  /** With the query. */
  readonly path: string;
  readonly body?: KeptBody;
}

/** Runs shorter than this are written out. */
const shortRun = 24;

const noLook: Repeats = { times: 0, of: 0 };

/** A finding as a file, of a campaign with a seed at a target that had these. */
export function failureFileOf(
  finding: Finding,
  { seed, had }: { readonly seed: number; readonly had?: readonly NeedName[] },
): FailureFile {
  const { earlier, isApart } = finding.request;
  const { root, verdict, label, caseIndex, phase, repeats, answer, again = noLook } = finding;
  // The file holds none of the exchanges that it names.
  const { decidedBy: _decidedBy, ...failure } = finding.failure;
  return {
    format: 'conform-failure/1',
    root,
    verdict,
    failure,
    clauseText: clauseOf(failure.clause).text,
    label,
    ...(answer === undefined ? {} : { answer }),
    found: {
      seed,
      caseIndex,
      phase,
      ...repeats,
      again,
      ...(had === undefined ? {} : { had: [...had, ...finding.proved] }),
    },
    request: {
      ...keptRequest(finding.request),
      ...(earlier === undefined ? {} : { earlier: earlier.map(keptStep) }),
      ...(isApart === undefined ? {} : { isApart }),
    },
  };
}

function keptStep(step: CaseStep): KeptRequest | OperatorStep {
  return isOperators(step) ? step : keptRequest(step);
}

function keptRequest({ call, method, path, query, headers, body, isBeside }: RequestStep): KeptRequest {
  return {
    call,
    method,
    path: addressOf({ path, query }),
    headers,
    ...(body === undefined ? {} : { body: keptBody(body) }),
    ...(isBeside === undefined ? {} : { isBeside }),
  };
}

/** Name of the file of a root: the clause, and enough of a digest to tell its roots apart. */
export function fileNameOf({ root, failure }: Pick<FailureFile, 'root' | 'failure'>): string {
  return `${failure.clause}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}.json`;
}

/** Writes a failure into a folder, which is made when it is not there. */
export function writeFailure(folder: string, file: FailureFile, secrets: KnownSecrets): string {
  const path = join(folder, fileNameOf(file));
  writeCleanFile(path, secrets.clean(`${JSON.stringify(secrets.cleaned(file), undefined, 2)}\n`));
  return path;
}

const files = new JsonFiles<FailureFile>({
  isNot: 'is not a failure file of this suite',
  mostBytes,
  schema: failureSchema,
});

/** @throws InvalidTarget when the file is not there, is not one of these, or has another request than the contract's */
export function readFailure(path: string): FailureFile {
  const file = files.read(path);
  const { request, found } = file;
  const refusal = [...(request.earlier ?? []), request]
    .flatMap((step) => ('act' in step ? [] : [refusalOf(step)]))
    .find((each) => each !== undefined);
  if (refusal !== undefined) throw new InvalidTarget(`${path} is not replayed: ${refusal}`);
  const fault = file.root === rootOf(file.failure) ? faultOf(found) : '`root` is not that of its failure';
  if (fault !== undefined) throw new InvalidTarget(`${path} is not a failure file of this suite: ${fault}`);
  return file;
}

/** What cannot be of the numbers of a file; `undefined` where nothing is wrong with them. */
function faultOf({ again = noLook, ...first }: FailureFile['found']): string | undefined {
  if (first.times > first.of) return '`found.times` is more than `found.of`';
  return again.times > again.of ? '`found.again.times` is more than `found.again.of`' : undefined;
}

/** Whether it showed at each try, and at the last look of its campaign too: of anything else nobody knows that it is gone where it does not show. */
export function showedEveryTime({ found: { again = noLook, ...first } }: FailureFile): boolean {
  return [first, again].every(showsEveryTime);
}

/**
 * The failures of a folder, by name; none when it is not there.
 * @throws InvalidTarget when it is no folder, cannot be read, or holds another JSON file
 */
export function readFailures(folder: string): readonly FailureFile[] {
  if (!existsSync(folder)) return [];
  const names = namesIn(folder).filter((name) => name.endsWith('.json'));
  return names.toSorted().map((name) => readFailure(join(folder, name)));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new InvalidTarget(`${folder} ${folderFaults[code] ?? `cannot be read (${code})`}`);
  }
}

const folderFaults: Readonly<Record<string, string>> = {
  ENOTDIR: 'is a file; name a folder of failure files',
  EACCES: 'is not readable by this user',
  EPERM: 'is not readable by this user',
};

/** The first step of a failure that changes something, in a word or two; `undefined` where all of them read. */
export function writeIn(file: FailureFile): string | undefined {
  const step = stepsOf(requestOf(file)).find((each) => isOperators(each) || isWrite(each));
  if (step === undefined || isOperators(step)) return step && 'step of the operator';
  return step.call === 'send' ? 'send' : step.method;
}

/** What of a target a failure was found with that this one lacks, in the words of a target file; `undefined` where it lacks nothing. */
export function lackedBy(
  target: Target,
  { failure: { seenIn }, found: { had = [] }, request: { earlier, isApart } }: FailureFile,
): string | undefined {
  // An answer that decides by itself hangs on nobody else.
  if (seenIn === 'answer' && earlier === undefined && isApart !== true) return undefined;
  const names = had.filter((need) => !isEnabled(target, need)).map(fieldOfNeed);
  return names.length === 0 ? undefined : names.join(', ');
}

/** Why a bench shows nothing of a failure: a field that it was found with had an effect then, and has none now. */
export function whyUnshown(
  { had = [] }: Pick<KnownFailure, 'had'>,
  proved: readonly NeedName[],
): string | undefined {
  const unproved = had.filter((need) => need.endsWith('-binding') && !proved.includes(need));
  if (unproved.length === 0) return undefined;
  return `no message shows an effect of ${unproved.map(fieldOfNeed).join(', ')}, as when it was found`;
}

/** A failure of earlier as a campaign tries it again. */
export function knownFailureOf(file: FailureFile): KnownFailure {
  const { label: name, failure, found } = file;
  return { name, request: requestOf(file), failure, isSure: showedEveryTime(file), had: found.had };
}

/** The request of a failure, its body written out. */
export function requestOf({ request: { earlier, isApart, ...request } }: FailureFile): CaseRequest {
  return {
    ...stepOf(request),
    ...(earlier === undefined
      ? {}
      : { earlier: earlier.map((step) => ('act' in step ? step : stepOf(step))) }),
    ...(isApart === undefined ? {} : { isApart }),
  };
}

function stepOf({ body, path, ...request }: KeptRequest): RequestStep {
  const parts = { ...request, ...partsOfAddress(path) };
  if (body === undefined) return parts;
  return {
    ...parts,
    body:
      'runs' in body
        ? body.runs.map(([text, times]) => text.repeat(times)).join('')
        : Buffer.from(body.base64, 'base64'),
  };
}

function keptBody(body: string | Uint8Array): KeptBody {
  return typeof body === 'string' ? { runs: runsOf(body) } : { base64: Buffer.from(body).toString('base64') };
}

function runsOf(text: string): readonly (readonly [string, number])[] {
  const runs: [string, number][] = [];
  // The same character, or the same escape of JSON, many times over: in the same letter case, since the bytes count.
  for (const [all, unit = ''] of text.matchAll(/((?:\\u[0-9A-Fa-f]{4}|\\.|[^\\]|\\$))\1*/gsu)) {
    const times = all.length / unit.length;
    const last = runs.at(-1);
    if (times >= shortRun) runs.push([unit, times]);
    else if (last !== undefined && last[1] === 1) last[0] += all;
    else runs.push([all, 1]);
  }
  return runs;
}

/** What stands in a path in place of an id: a part of a URL that names one thing, and places for ids of the target. */
const segment = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%{}]{0,25000}$/;
const queryText = /^[\x21\x22\x24-\x7e]*$/;
/** A place that a credential goes to. */
const credential = /\{(?:token|look-alike):/;
/** A long body, however few characters of a file it takes. */
const mostUnits = 16_000_000;

/**
 * What keeps a request of a file from being sent with somebody's credentials: it has to be a call of the contract, at its own place under the
 * base URL. `undefined` when nothing does; else the field and what is wrong with it.
 */
function refusalOf(request: KeptRequest): string | undefined {
  const { call, method, path: address } = request;
  if (call === 'other')
    return isReport(request) ? undefined : '`request.path` is that of no call, and the request no report';
  if (method !== (call === 'send' ? 'POST' : 'GET'))
    return `\`request.method\` ${method} is not that of ${call}`;
  const { path, query } = partsOfAddress(address);
  const id = idIn(call as KnownCall, path);
  if (id === undefined || !isOneSegment(id)) return `\`request.path\` is not that of ${call}`;
  if (!queryText.test(query) || credential.test(address)) return '`request.path` has a query that no URL has';
  if (method === 'GET' && request.body !== undefined) return `\`request.body\` is not for ${method}`;
  return unitsOf(request) > mostUnits ? `\`request.body\` has more than ${mostUnits} characters` : undefined;
}

/** Whether it is a report as cases write them, word for word. */
function isReport({ method, path, body }: KeptRequest): boolean {
  const [channel] = (['{channel}', '{second-channel}'] as const).filter((each) => reportPaths[each] === path);
  return (
    channel !== undefined &&
    method === 'POST' &&
    body !== undefined &&
    'runs' in body &&
    body.runs.length === 1 &&
    isDeepStrictEqual(body.runs[0], [reportOf(channel).body, 1])
  );
}

/** Whether nothing on the way can take it for more than one segment, however often escapes are undone. */
function isOneSegment(id: string): boolean {
  if (!segment.test(id)) return false;
  const plain = id.replaceAll(/%(?:25)*2e/gi, '.');
  return plain !== '.' && plain !== '..' && !/%(?:25)*(?:2f|5c)/i.test(id);
}

function unitsOf({ body }: KeptRequest): number {
  if (body === undefined) return 0;
  if ('base64' in body) return body.base64.length;
  return body.runs.reduce((sum, [text, times]) => sum + text.length * times, 0);
}
