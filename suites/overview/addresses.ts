import { randomUUID } from 'node:crypto';
import { pathOf, showOverview } from '../../spec/calls/index.ts';
import { segmentOf, workspaceIdSpace } from '../../generators/spaces/request/path-id-spaces.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { valuesOf } from '../../spec/oracles/values/json-texts.ts';
import { isUuid } from '../../spec/index.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { formsAgainst, tryForms, tryTexts } from '../arrange/forms.ts';
import { type Overview, overviewIn } from '../arrange/overview-parts.ts';

/** What libraries read as the same UUID, or end reading before. */
const otherSpellings = [
  '{own-without-hyphens}',
  '%7B{own}%7D',
  'urn:uuid:{own}',
  '{own}%20',
  '{own}%0A',
] as const;

export const overviewAddressChecks: readonly Check[] = [
  // overview.exact-workspace-id: Neither another UUID nor the own one with a digit more or less addresses a
  //   workspace.
  check(
    'overview.unknown-workspace-is-refused',
    {
      title:
        'a machine asking for a random workspace id, or for one that is nearly its own, is shown nothing',
      clauses: ['overview.exact-workspace-id', 'overview.exact-spelling'],
      needs: ['machine', 'workspace'],
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { machine, identities, expect, observe } = context;
      const workspaceId = await identities.workspaceId();
      const own = await machine.overview(workspaceId);
      requireLetIn(own, 'machine for its own workspace');
      const wrong = {
        'an unknown id': randomUUID(),
        'its id with another last digit': neighbourOf(workspaceId),
        'its id without the last digit': workspaceId.slice(0, -1),
        'its id with a digit more': `${workspaceId}0`,
      };
      const answers: Exchange[] = [];
      for (const [name, address] of Object.entries(wrong)) {
        const refused = await machine.overview(address);
        observe('overview.refusal-statuses', `overview by ${name}`, describeAnswer(refused));
        answers.push(refused);
      }
      const upperCase = await machine.overview(workspaceId.toUpperCase());
      observe('overview.exact-workspace-id', 'overview by its id in upper case', describeAnswer(upperCase));
      await observeWords(context, overviewIn(own));
      const clause = 'overview.exact-workspace-id';
      for (const refused of answers) expect(clause, refused).toShowNothing();
      await tryForms(
        context,
        formsAgainst(workspaceIdSpace, clause),
        (id) => machine.request(showOverview(segmentOf(id, workspaceId))),
        [{ clause, answer: 'nothing-shown' }],
      );
      await tryTexts(
        context,
        otherSpellings,
        (segment) => machine.request(showOverview(segmentOf({ segment }, workspaceId))),
        [{ clause: 'overview.exact-spelling', answer: 'nothing-shown' }],
      );
    },
  ),
  // overview.own-workspace-only: A machine credential gets no workspace but its own.
  check(
    'overview.another-workspace-is-refused',
    {
      title: 'a machine asking for an existing workspace that is not its own is refused',
      clauses: ['overview.own-workspace-only'],
      needs: ['machine', 'workspace', 'stranger'],
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { machine, identities, expect, noteSituation } = context;
      const workspaceId = await identities.workspaceId();
      requireLetIn(await machine.overview(workspaceId), 'machine for its own workspace');
      const unknown = await machine.overview(randomUUID());
      given(!isAccepted(unknown), 'any workspace id is answered', unknown);
      const refused = await machine.overview(await anotherWorkspace(context, workspaceId));
      expect('overview.own-workspace-only', refused).toShowNothing();
      const cell = { call: 'overview', credential: 'of-another-workspace', form: 'baseline' };
      noteSituation('overview.own-workspace-only', cell);
    },
  ),
];

/** Words that may be another call of the server, or stand for the caller's own workspace. */
async function observeWords(
  { machine, observe }: Context<'machine'>,
  { workspace: { slug } }: Overview,
): Promise<void> {
  const words = { me: 'me', current: 'current', 'not-a-workspace': 'not-a-workspace', 'its slug': slug };
  for (const [name, word] of Object.entries(words)) {
    if (typeof word !== 'string' || word === '' || isUuid(word)) continue;
    // Half a character has no form in an address.
    if (/\p{Cs}/u.test(word)) continue;
    const path = pathOf('overview', encodeURIComponent(word));
    // One after the other: a server may have a limit on what it refuses.
    observe('overview.aliases', `overview by ${name}`, describeAnswer(await machine.request({ path })));
  }
}

/** A UUID in the last digit of which, and in nothing else, it differs. */
function neighbourOf(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
}

/** A workspace that exists: that of the stranger, whose channels or mentions may name it, or else one that is made. */
async function anotherWorkspace(
  { stranger, optionalHook }: Context<'stranger'>,
  ownId: string,
): Promise<string> {
  const answers = await Promise.all([stranger.channels(), stranger.mentions({ limit: 1 })]);
  const id = answers
    .flatMap(({ response }) => valuesOf(response?.json, 'workspace_id'))
    .find((value) => typeof value === 'string' && isUuid(value) && !isSameId(value, ownId));
  if (typeof id === 'string') return id;
  const made = await optionalHook('provision-hook')?.provision({ isShared: true });
  return made?.workspaceId ?? unmet('the workspace of stranger could not be learned from its channels');
}
