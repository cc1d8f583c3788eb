import type { RouteName } from '../../../reference/model/routes.ts';
import type { RequestFacts } from '../../../reference/model/request-facts.ts';
import type { Rules } from '../../../reference/rules/rules.ts';
import { type AccessCell, accessCells } from '../../../suites/arrange/auth/access-matrix.ts';
import { endings } from '../../../suites/arrange/auth/endings.ts';
import { mutant, type Mutant } from '../base/mutant.ts';

/** Whether a request is one of a cell, as far as its call and its form tell. */
type IsMeant = (facts: RequestFacts) => boolean | Promise<boolean>;

export const routeOf: Readonly<Record<AccessCell['call'], RouteName>> = {
  mentions: 'mentions',
  'channels-list': 'channels',
  'channel-read': 'read',
  send: 'send',
  'receipts-list': 'receipts',
  overview: 'overview',
  file: 'file',
  'file-content': 'fileContent',
  report: 'reportReceipts',
};

const always: IsMeant = () => true;

/** What tells a form from the others of its call, as a server could. */
const pageForms: Readonly<Record<string, IsMeant>> = {
  'no-cursor': ({ query }) => query['after'] === undefined,
  'after-0': ({ query }) => query['after'] === '0',
  'issued-cursor': ({ query, isPageEmpty }) => Number(query['after'] ?? 0) > 0 && !isPageEmpty(),
  'empty-page': ({ query, isPageEmpty }) => Number(query['after'] ?? 0) > 0 && isPageEmpty(),
};

const callForms: Readonly<Record<AccessCell['call'], Readonly<Record<string, IsMeant>>>> = {
  mentions: pageForms,
  'channels-list': { baseline: always },
  'channel-read': {
    ...Object.fromEntries(
      Object.entries(pageForms).map(([form, isMeant]): [string, IsMeant] => [
        form,
        (facts) => facts.query['wait'] === undefined && isMeant(facts),
      ]),
    ),
    wait: ({ query, isPageEmpty }) => query['wait'] !== undefined && !isPageEmpty(),
    'wait-at-the-end': ({ query, isPageEmpty }) => query['wait'] !== undefined && isPageEmpty(),
    'other-channel': isOfOtherChannel,
  },
  send: {
    baseline: async (facts) => !facts.repeatsKey() && !isLong(facts) && !(await hasAny(facts, 'mentions')),
    'with-targets': async (facts) => !facts.repeatsKey() && (await hasAny(facts, 'mentions')),
    'repeated-key': ({ repeatsKey }) => repeatsKey(),
    'with-files': async (facts) => hasAny(facts, 'attachments'),
    long: isLong,
    'other-channel': isOfOtherChannel,
  },
  'receipts-list': {
    baseline: ({ query }) => query['limit'] === undefined,
    'with-a-limit': ({ query }) => query['limit'] !== undefined,
    'other-channel': isOfOtherChannel,
  },
  overview: { baseline: always },
  file: { baseline: always },
  'file-content': { baseline: always },
  report: { baseline: always },
};

function isOfOtherChannel(facts: RequestFacts): boolean {
  return facts.isOfOtherChannel();
}

/** A body that takes more than the usual buffer. */
function isLong({ header }: RequestFacts): boolean {
  return Number(header('content-length')) > 65_536;
}

async function hasAny({ body }: RequestFacts, field: 'mentions' | 'attachments'): Promise<boolean> {
  const { [field]: given } = await body();
  return Array.isArray(given) && given.length > 0;
}

/** A server that takes a token for one that it resembles. */
const takenFor =
  (resembles: (token: string, issued: string) => boolean) =>
  (isMeant: IsMeant): Partial<Rules> => ({
    tokenMeant: async (token, facts) => {
      const known = facts.tokens();
      const other = known.includes(token) ? undefined : known.find((issued) => resembles(token, issued));
      return other !== undefined && (await isMeant(facts)) ? other : token;
    },
  });

/** A server that lets a credential in although it has a problem. */
const letIn =
  (problem: Parameters<Rules['admits']>[0], hasMore: (facts: RequestFacts) => boolean = () => true) =>
  (isMeant: IsMeant): Partial<Rules> => ({
    admits: (each, _, facts) => each === problem && hasMore(facts) && isMeant(facts),
  });

const headerIs =
  (pattern: RegExp) =>
  ({ authorization = '' }: RequestFacts): boolean =>
    pattern.test(authorization);

/** The user name and the password of basic authentication. */
function basicIs(pattern: RegExp): (facts: RequestFacts) => boolean {
  return ({ authorization = '' }) => {
    const [, coded = ''] = /^Basic ([^_]+)$/.exec(authorization) ?? [];
    return pattern.test(Buffer.from(coded, 'base64').toString());
  };
}

const isFirstUse = ({ hasWorked }: RequestFacts): boolean => !hasWorked();

/** How the tokens of each role begin. */
export const tokenOf = {
  author: /^Bearer agent_/,
  'api-key': /^Bearer key_/,
  machine: /^Bearer machine_/,
} as const;

function isInUse(header: RegExp): (facts: RequestFacts) => boolean {
  return (facts) => facts.hasWorked() && header.test(facts.authorization ?? '');
}

/** What looks at the credential in every request but those that are meant. */
const cellKinds: Readonly<Record<string, (isMeant: IsMeant) => Partial<Rules>>> = {
  missing: letIn('missing'),
  claimed: letIn('missing', ({ header }) => header('x-forwarded-user') !== undefined),
  'without-a-scheme': letIn('malformed', headerIs(/^\S+$/)),
  'with-another-scheme': letIn('malformed', headerIs(/^Basic \w+_/)),
  'as-a-user-name': letIn('malformed', basicIs(/:$/)),
  'as-a-password': letIn('malformed', basicIs(/^x:/)),
  'without-a-token': letIn('malformed', headerIs(/^Bearer$/)),
  unknown: letIn('unknown'),
  lengthened: takenFor((token, issued) => token.startsWith(issued)),
  'cut-short': takenFor((token, issued) => issued.slice(0, -1) === token),
  'edited-in-the-middle': takenFor(
    (token, issued) => tokenEdits(token, issued).length === 1 && tokenEdits(token, issued)[0] !== 0,
  ),
  // A dash or an underscore among the last characters is left as it is.
  'edited-at-the-end': takenFor(
    (token, issued) => tokenEdits(token, issued).length === 2 && token.slice(0, -5) === issued.slice(0, -5),
  ),
  'with-a-sign-inside': takenFor((token, issued) => token !== issued && token.replace('~', '') === issued),
  'other-case': takenFor((token, issued) => token.toLowerCase() === issued.toLowerCase()),
  'edited-at-the-start': takenFor(
    (token, issued) => differs(token, issued) && token.slice(1) === issued.slice(1),
  ),
  'before-another-word': letIn('malformed', headerIs(/ more$/)),
  expired: letIn('expired', isFirstUse),
  revoked: letIn('revoked', isFirstUse),
  machine: (isMeant) => ({
    ...letIn('wrong-surface')(isMeant),
    agentBehind: ({ agentId }, agentOfMachine) => agentId ?? agentOfMachine(),
  }),
  author: speakingForMachines(tokenOf.author),
  reader: (isMeant) => ({
    ...letIn('wrong-surface', headerIs(tokenOf.author))(isMeant),
    machineBehind: ({ machineId }, machineOfAgent) => machineId ?? machineOfAgent(),
  }),
  'api-key': speakingForMachines(tokenOf['api-key']),
  outsider: (isMeant) => ({
    hasWorkspaceAccess: ({ now, atFirstUse }, facts) => now || (!atFirstUse && isMeant(facts)),
  }),
  stranger: letIn('other-workspace'),
  'stranger-claiming': letIn('other-workspace', ({ header }) => header('x-workspace-id') !== undefined),
  ...Object.fromEntries(
    endings.flatMap(({ end, users }) =>
      end === 'revoked' || end === 'expired'
        ? users.map(({ role, kind }) => [kind.slug, letIn(end, isInUse(tokenOf[role]))])
        : [],
    ),
  ),
  'access-lost': (isMeant) => ({
    hasWorkspaceAccess: ({ now, atFirstUse }, facts) => now || (atFirstUse && isMeant(facts)),
  }),
  'access-regained': (isMeant) => ({
    hasWorkspaceAccess: async ({ now, wasLost }, facts) => now && !(wasLost && (await isMeant(facts))),
  }),
  'inactive-machine': () => ({ isMachineAlive: () => true }),
  'human-without-membership': () => ({ isLinkedMembershipActive: () => true }),
  'of-another-workspace': () => ({
    mayOverview: () => true,
    isLinkedMembershipActive: () => true,
    isCallersMembership: () => true,
  }),
};

/** An agent's credential stands for the machine that was seen last. */
function speakingForMachines(header: RegExp): (isMeant: IsMeant) => Partial<Rules> {
  return (isMeant) => {
    let seen: string | null = null;
    return {
      ...letIn('wrong-surface', headerIs(header))(isMeant),
      machineBehind: ({ machineId }) => (seen = machineId ?? seen),
    };
  };
}

/** Two tokens of one length that are not the same. */
function differs(token: string, issued: string): boolean {
  return token.length === issued.length && token !== issued;
}

/** Places where they differ, of tokens of one length. */
function tokenEdits(token: string, issued: string): number[] {
  if (!differs(token, issued)) return [];
  return token.split('').flatMap((character, place) => (character === issued.charAt(place) ? [] : [place]));
}

/** For each cell of the access matrix a server that leaves out the check of exactly that. */
export const accessCellMutants: readonly Mutant[] = accessCells.map(mutantOf);

function mutantOf({ clause, call, credential, form }: AccessCell): Mutant {
  const [isOfForm, rules] = [callForms[call][form], cellKinds[credential]];
  if (isOfForm === undefined || rules === undefined)
    throw new Error(`no mutant breaks the cell ${call}, ${credential}, ${form}`);
  const isMeant: IsMeant = (facts) => facts.route === routeOf[call] && isOfForm(facts);
  const sentence = `${call} asked as ${form} does not look at a credential that is ${credential}`;
  return mutant(`access-${call}-${credential}-${form}`, clause, sentence, () => rules(isMeant));
}
