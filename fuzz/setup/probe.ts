import type { Demands } from '../../spec/oracles/requests/expectation.ts';
import { whatEnables, type NeedName } from '../../harness/config/capabilities.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { CaseRequest } from '../cases/case-request.ts';
import type { OpenChapter } from '../chapter/chapters.ts';
import type { CaseRunner } from './case-runner.ts';
import type { Guarded } from '../cases/families/reads.ts';
import { callOfFamily, familyNames, type FamilyName } from '../cases/family.ts';
import { channelReadOf, goodRequests, mentionsOf, namedBaseline } from '../cases/baseline-requests.ts';
import { plainOf } from '../cases/families/baseline-case.ts';
import type { Drawn } from '../cases/injection-point.ts';

/** Families, and calls that only cases of credentials ask for, that a target cannot be asked for, and why. */
export type LeftOut = Readonly<Partial<Record<FamilyName | (typeof lists)[ListCall], string>>>;

/** Calls without a family, and what is left out where they are. */
const lists = { 'channels-list': 'the list of channels', 'receipts-list': 'the list of receipts' } as const;
type ListCall = keyof typeof lists;

/** What a target accepts. */
export interface Probed {
  readonly leftOut: LeftOut;
  /** Calls whose baseline request is accepted. */
  readonly calls: readonly Guarded[];
  /** Baseline requests that are refused though the contract says that they are taken: a campaign begins with them. */
  readonly refusedBaseline: readonly Drawn[];
  /** Calls whose baseline request drew an error of the server, and that in words. */
  readonly failing: ReadonlyMap<Guarded, string>;
  /** Families that cannot be tried because of an answer that breaks no clause for sure. */
  readonly refused: ReadonlySet<FamilyName>;
}

interface ProbeParts {
  readonly runner: CaseRunner;
  /** The chapter that all this is part of. */
  readonly first: Pick<OpenChapter<unknown>, 'shown'>;
  readonly target: Target;
  /** Gets the fields of a send whose effect was seen. */
  readonly provedFields: Set<string>;
  /** Preflight has seen the machine's overview: if it is refused now, that is not for a want of permission. */
  readonly isOverviewKnown: boolean;
  /** Begins the markers of the messages of this run. */
  readonly runId: string;
  /** Gets what was learned of the server. */
  readonly demands: Demands;
}

/** The answer to a baseline request in a word: its status and error, or the fault; `undefined` when it could not be sent. */
type Kinds = ReadonlyMap<Guarded, string | undefined>;

/** The answers to the baseline requests, and to other listings of mentions where theirs is refused. */
interface Seen {
  readonly kinds: Kinds;
  readonly listings: readonly (string | undefined)[];
}

/** Sends the baseline request of each call once: where it is not accepted, no deviation from it says anything. */
export async function probe(parts: ProbeParts): Promise<Probed> {
  const all = (Object.keys(goodRequests) as Guarded[]).filter(
    (call) => call !== 'send' || !parts.target.limits.isReadOnly,
  );
  const kinds: Kinds = new Map(
    await Promise.all(all.map(async (call) => [call, await kindOf(parts, goodRequests[call])] as const)),
  );
  const listings = isTaken(kinds.get('mentions')) ? [] : await otherListings(parts);
  const isOpen = (call: Guarded): boolean =>
    isTaken(kinds.get(call)) || (call === 'mentions' && listings.some(isTaken));
  const closed = all.filter((call) => !isOpen(call));
  const blamed = await Promise.all(closed.map((call) => blame(parts, call, { kinds, listings })));
  const refusedBaseline = blamed.flatMap((each) => each ?? []);
  const leftOut: { -readonly [Name in keyof LeftOut]: LeftOut[Name] } = {};
  const refused = new Set<FamilyName>();
  for (const family of familyNames) {
    const call = callOfFamily[family];
    if (isOpen(call)) continue;
    leftOut[family] = reasonAgainst(parts, call, kinds.get(call));
    if (kinds.get(call) !== undefined && !parts.demands.refused.has(call)) refused.add(family);
  }
  for (const call of Object.keys(lists) as ListCall[]) {
    const kind = kinds.get(call);
    if (kind !== undefined && !isTaken(kind)) leftOut[lists[call]] = reasonAgainst(parts, call, kind);
  }
  if (leftOut['source-session'] === undefined && !(await isSessionShown(parts)))
    leftOut['source-session'] =
      `no read showed, within the settle time, what a send said in its field ${parts.target.bindings.sourceSession} (bindings.source_session)`;
  const calls = all.filter((call) => isTaken(kinds.get(call)));
  const failing = new Map(
    [...kinds].flatMap(([call, kind = '']) =>
      isError(kind) ? [[call, namedBaseline(call, kind)] as const] : [],
    ),
  );
  return { leftOut, calls, refusedBaseline, failing, refused };
}

/** What a target has to name before a call can be asked. */
const needsOf: Readonly<Record<Guarded, readonly NeedName[]>> = {
  send: ['author', 'channel'],
  'channel-read': ['author', 'channel'],
  mentions: ['author'],
  'channels-list': ['author'],
  'receipts-list': ['author', 'channel'],
  overview: ['machine', 'workspace'],
};

const noWorkspaceNamed =
  'no message of the channel names its workspace; add `workspace` to the target file (or CONFORM_WORKSPACE)';

function reasonAgainst({ target }: ProbeParts, call: Guarded, kind: string | undefined): string {
  if (call === 'send' && target.limits.isReadOnly) return 'a read-only run sends nothing';
  if (kind !== undefined) return `its baseline request is not accepted: ${namedBaseline(call, kind)}`;
  const { channelId, workspaceId, roles } = target;
  const has = (need: NeedName): boolean =>
    need === 'channel'
      ? channelId !== undefined
      : need === 'workspace'
        ? workspaceId !== undefined
        : roles[need as RoleName] !== undefined;
  const canLearn = roles.author !== undefined && channelId !== undefined;
  return needsOf[call]
    .filter((need) => !has(need))
    .map((need) => (need === 'workspace' && canLearn ? noWorkspaceNamed : whatEnables(need)))
    .join('; ');
}

async function kindOf({ runner }: ProbeParts, request: CaseRequest): Promise<string | undefined> {
  return (await runner.run(request))?.verdict.answerKind;
}

function isTaken(kind: string | undefined): boolean {
  return kind?.startsWith('2') === true;
}

/** The request itself is what the server finds wrong: no credential, no permission, no limit and no trouble on the way. */
function blamesRequest(kind: string | undefined): boolean {
  return /^(?:400|411|412|413|415|417|422|428)\b/.test(kind ?? '');
}

/** There is nothing at the path, as the service itself says with a code of its own, or it lies elsewhere. */
function isElsewhere(kind: string | undefined): boolean {
  return /^(?:3[0-9][0-9]$|(?:404|405|410) .)/.test(kind ?? '');
}

/** An error of the server. */
function isError(kind: string | undefined): boolean {
  return kind?.startsWith('5') === true;
}

/** A conflict may be with the state of a channel; the beginning of one is in conflict with nothing. */
function isConflict(kind: string | undefined): boolean {
  return kind?.startsWith('409') === true;
}

/** What comes of listings of mentions that say more, or something else; notes what the server demands of them. */
async function otherListings(parts: ProbeParts): Promise<readonly (string | undefined)[]> {
  const queries = ['after=0&limit=50', 'limit=50', 'after=0'];
  const [both, limited, after] = await Promise.all(queries.map((query) => kindOf(parts, mentionsOf(query))));
  const { mentions } = parts.demands;
  if (isTaken(both) && blamesRequest(limited)) mentions.add('after');
  if (isTaken(both) && blamesRequest(after)) mentions.add('limit');
  return [both, limited, after];
}

/** The baseline request as a case of its own, when its refusal breaks a clause whatever may be missing at the target. */
async function blame(parts: ProbeParts, call: Guarded, seen: Seen): Promise<Drawn | undefined> {
  const clause = await brokenBy(parts, call, seen);
  if (clause === undefined) return undefined;
  parts.demands.refused.set(call, clause);
  return plainOf(call);
}

/** A channel from its beginning on, without a limit: the bounds of that one are open. */
const wholeChannel = channelReadOf('after=0');

async function brokenBy(
  parts: ProbeParts,
  call: Guarded,
  { kinds, listings }: Seen,
): Promise<ClauseId | undefined> {
  const kind = kinds.get(call);
  // A credential that opens one call of the agents opens them all.
  const isAgentKnown = agentCalls.some((each) => isTaken(kinds.get(each)));
  if (kind?.startsWith('401'))
    return agentCalls.includes(call) && isAgentKnown ? 'auth.bearer-accepted' : undefined;
  switch (call) {
    case 'mentions': {
      const all = [kind, ...listings];
      if (!isAgentKnown) return undefined;
      if (all.every(blamesRequest)) return 'mentions.after.optional';
      return all.every(isElsewhere) && !all.some((each) => each?.startsWith('3'))
        ? 'mentions.error-statuses'
        : undefined;
    }
    case 'channels-list':
      return isAgentKnown && (blamesRequest(kind) || isElsewhere(kind) || isError(kind))
        ? 'channels-list.answers'
        : undefined;
    case 'receipts-list':
      // A server that keeps no receipts may not have implemented their list.
      return isAgentKnown && isError(kind) && kind?.startsWith('501') !== true
        ? 'receipts-list.answers'
        : undefined;
    case 'channel-read': {
      const whole = await kindOf(parts, wholeChannel);
      if (isTaken(whole) && blamesRequest(kind)) return 'channel-read.limit-100-accepted';
      // The channel is there when it can be sent to.
      const isThere = isTaken(kinds.get('send'));
      const isBroken = blamesRequest(whole) || isConflict(whole) || (isElsewhere(whole) && isThere);
      return isBroken ? 'channel-read.success-is-2xx' : undefined;
    }
    case 'send':
      if (blamesRequest(kind)) return brokenBySend(parts);
      if (!isElsewhere(kind) || !isTaken(kinds.get('channel-read'))) return undefined;
      return kind?.startsWith('3') ? 'send.success-is-2xx' : 'service.paths-start-at-the-base';
    case 'overview': {
      const isRefused = blamesRequest(kind) || isElsewhere(kind) || kind?.startsWith('403') === true;
      return parts.isOverviewKnown && isRefused ? 'overview.success-is-2xx' : undefined;
    }
  }
}

const agentCalls: readonly Guarded[] = ['send', 'channel-read', 'mentions', 'channels-list', 'receipts-list'];

/**
 * What is refused and stored all the same is answered wrongly; otherwise it is the key that is refused: nothing else of a
 * plain send is the client's to choose.
 */
async function brokenBySend({ runner, runId }: ProbeParts): Promise<ClauseId> {
  const reads = await Promise.all(
    ['limit=100', 'after=0&limit=100'].map((query) => runner.run(channelReadOf(query))),
  );
  const isStored = reads.some((read) => Buffer.from(read?.exchange.response?.bytes ?? []).includes(runId));
  return isStored ? 'send.success-is-2xx' : 'send.idempotency-key-accepted';
}

/** Sends good source sessions until a message shows one: only then is something expected of the field. */
async function isSessionShown({ target: { bindings, names }, ...parts }: ProbeParts): Promise<boolean> {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const good = [
    ['provider_b', 'desktop', 'session1'],
    ['provider_b', 'cli', 'session1'],
    ['provider_a', 'cli', uuid],
  ] as const;
  for (const [provider, surface, id] of good) {
    const session = { provider: names.providers[provider], surface, session_id: id };
    // One that is refused says nothing about the field; another may.
    if (await isFieldShown(parts, bindings.sourceSession, session)) return true;
  }
  return false;
}

/** Sees whether the fields for an agent host and for mentions have their effect; of each of them by itself. */
export async function proveFields(
  {
    target: { bindings },
    runId,
    ...parts
  }: Pick<ProbeParts, 'runner' | 'first' | 'target' | 'provedFields' | 'runId'>,
  principals: ReadonlyMap<string, string>,
): Promise<void> {
  for (let tries = 0; tries < 2; tries += 1) {
    // A second try is for a server that keeps a host now and then. The host is of this run: an agent may be called anything else.
    if (await isFieldShown(parts, bindings.agentHost, `fuzzer${runId}`)) break;
  }
  const [name] = principals.keys();
  const [kind = ''] = name?.split(':') ?? [];
  if (name === undefined || parts.provedFields.has(bindings.mentions)) return;
  await isFieldShown(parts, bindings.mentions, [{ kind, id: `{${name}}` }]);
}

async function isFieldShown(
  { runner, first, provedFields }: Pick<ProbeParts, 'runner' | 'first' | 'provedFields'>,
  field: string,
  value: unknown,
): Promise<boolean> {
  const good = goodRequests.send;
  const body = JSON.stringify({ ...JSON.parse(String(good.body)), [field]: value });
  const sent = await runner.run({ ...good, body });
  if (sent?.marker === undefined || !isTaken(sent.verdict.answerKind)) return false;
  const message = await first.shown(sent.marker);
  const { [field]: wanted } = JSON.parse(String(sent.exchange.request.body)) as Readonly<
    Record<string, unknown>
  >;
  const isShown = holds(message, wanted);
  if (isShown) provedFields.add(field);
  return isShown;
}

/** Whether a value stands anywhere in a message, whatever it is called there; of an object all that was sent. */
function holds(shown: unknown, wanted: unknown): boolean {
  if (isLike(shown, wanted)) return true;
  return (
    typeof shown === 'object' && shown !== null && Object.values(shown).some((each) => holds(each, wanted))
  );
}

function isLike(shown: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return shown === wanted;
  if (typeof shown !== 'object' || shown === null) return false;
  return Object.entries(wanted).every(([name, each]) =>
    isLike((shown as Readonly<Record<string, unknown>>)[name], each),
  );
}
