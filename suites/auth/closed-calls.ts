import { check, type Check } from '../../harness/check/check.ts';
import { seeAllClosed, seeClosed } from '../arrange/auth/closed-call.ts';
import { boundClosings, closings, type ClosedTogether, type Closing } from '../arrange/auth/closings.ts';
import { clausesOfRefusal, isReadOnly, needsOf } from '../arrange/auth/guarded-calls.ts';

const outcomes = {
  refused: 'is refused',
  accepted: 'is answered',
  unlisted: 'shows none of the workspace',
} as const;

/** Begins the title of a check. */
const boundWords: Readonly<Partial<Record<Closing['call']['slug'], string>>> = {
  file: 'the metadata of a file is',
  'file-content': 'the bytes of a file are',
  report: 'a report of a retrieval is',
};

/** Every call with every credential that does not open it. */
export const closedCallChecks: readonly Check[] = [
  ...closings.map(closedCallCheck),
  ...boundClosings.map(boundCallCheck),
];

function closedCallCheck(closing: Closing): Check {
  const { slug, words, call, needs, rules, afterwards } = closing;
  const [[, expected]] = rules;
  // ids: auth.<call>-<fault>-is-<status>, auth.<whose>-does-not-open-<call>,
  //   auth.no-access-shows-no-channels
  // errors.mentions-missing-credential-is-401: The mentions call without a credential is answered with 401.
  // errors.mentions-malformed-credential-is-401: The mentions call with something other than a bearer
  //   credential is answered with 401.
  // errors.mentions-unknown-credential-is-401: The mentions call with a credential that was never issued is
  //   answered with 401.
  // auth.respelled-credential: A token in the other letter case, with another first character, or with a
  //   sign inside, is answered with 401; one with a word behind it with 401, 400 or 422.
  // errors.mentions-expired-credential-is-401: The mentions call with an expired credential is answered
  //   with 401.
  // errors.mentions-revoked-credential-is-refused: The mentions call with a revoked credential is answered
  //   with 401 or 403.
  // auth.missing-credential: Outside discovery, a call without a credential is answered with 401.
  // auth.malformed-credential: A call with an authorization header that holds no bearer credential is
  //   answered with 401, or with 400 or 422 for its form.
  // auth.unknown-credential: A call with a bearer credential that was never issued is answered with 401.
  // auth.expired-credential: A call with an expired credential is answered with 401.
  // auth.revoked-credential: A call with a revoked credential is refused, with 401 or with 403.
  // auth.machine-token-refused-on-agent-surface: A machine token does not open the agent surface.
  // overview.requires-a-machine-token: A credential of the agent surface does not open the overview.
  // auth.other-workspace-refused: An agent of another workspace can neither read from nor send to a channel
  //   of this one, nor report what it retrieved there.
  // auth.no-access-is-403: An agent that is known but may not access a channel gets a 403 there, or the 404 of
  //   one that is not there, and any refusal for a file or a report.
  // errors.mentions-no-access-is-403: The mentions call of an agent that may not access the workspace is
  //   answered with 403.
  // auth.no-access-lists-no-channel: The list of channels shows an agent without access to a workspace none
  //   of its channels.
  return check(
    `auth.${slug}`,
    {
      title: `the ${call.slug} call ${words} ${typeof expected === 'string' ? outcomes[expected] : `is answered with ${expected.join(' or ')}`}`,
      clauses: [
        ...rules.map(([clause]) => clause),
        ...clausesOfRefusal(call),
        ...(afterwards === undefined ? [] : [afterwards.clause]),
      ],
      needs: needsOf(call, ...needs),
      isReadOnly: isReadOnly(call),
    },
    async (context) => {
      await seeClosed(context, closing);
      await afterwards?.see(context);
    },
  );
}

function boundCallCheck(together: ClosedTogether): Check {
  const { call, closings: all } = together;
  // ids: auth.file-is-closed, auth.file-content-is-closed, auth.report-is-closed
  // auth.missing-credential: Outside discovery, a call without a credential is answered with 401.
  return check(
    `auth.${call.slug}-is-closed`,
    {
      title: `${boundWords[call.slug]} closed to whoever brings no credential, or one that nobody was given`,
      clauses: [...new Set(all.flatMap(({ rules }) => rules.map(([clause]) => clause)))],
      needs: needsOf(call),
    },
    (context) => seeAllClosed(context, together),
  );
}
