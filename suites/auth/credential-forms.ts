import { listMentions, readChannel } from '../../spec/calls/index.ts';
import { authorizationOf, credentialSpace } from '../../generators/spaces/request/credential-space.ts';
import type { CredentialInput } from '../../generators/spaces/request/credential-space.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { tokenOf } from '../arrange/auth/credential-faults.ts';
import { formsAgainst, tryForms } from '../arrange/forms.ts';

const faults = [
  {
    slug: 'unknown',
    what: 'a bearer credential that was never issued',
    clause: 'auth.unknown-credential',
    ofMentions: 'errors.mentions-unknown-credential-is-401',
    statuses: [401],
  },
  {
    slug: 'malformed',
    what: 'something other than a bearer credential',
    clause: 'auth.malformed-credential',
    ofMentions: 'errors.mentions-malformed-credential-is-401',
    statuses: [401, 400, 422],
  },
] as const;

/** Whether a header has a token of the form that tokens have: another may be refused for that. */
function isToken({ authorization }: CredentialInput): boolean {
  return /^Bearer (?:[\w.~+/-]+=*|\{look-alike\})$/.test(authorization ?? '');
}

/** Forms that a parser before the service may refuse as it likes; what comes to the service is a credential that was never issued. */
const stoppable = credentialSpace.boundaries.filter(
  ({ value }) => credentialSpace.labelOf(value)?.label === 'credential/maybe-stopped-on-the-way',
);

/** Every form of a header that opens nothing, on two calls. */
export const credentialFormChecks: readonly Check[] = [
  ...faults.map(formsCheck),
  // auth.malformed-credential: A call with an authorization header that holds no bearer credential is answered
  //   with 401, or with 400 or 422 for its form.
  check(
    'auth.credential-of-other-bytes-is-refused',
    {
      title: 'a call with a credential of bytes beyond ASCII, or of very many, is refused',
      clauses: ['auth.malformed-credential'],
      needs: ['author', 'channel'],
      isReadOnly: true,
      needsMemory: true,
    },
    async (context) => {
      const { author, anonymous, channel } = context;
      const calls = [readChannel(channel.id, 'after=0&limit=1'), listMentions('limit=1')];
      for (const request of calls) {
        const control = await author.request(request);
        if (!isAccepted(control)) unmet('a good credential does not open the call', control);
        await tryForms(
          context,
          stoppable,
          (form) => {
            const authorization = authorizationOf(form, tokenOf(author));
            // In which form a parser before the service refuses it is not the service's affair.
            return anonymous.request({ ...request, call: 'other', headers: { authorization } });
          },
          [{ clause: 'auth.malformed-credential', answer: 'refused-or-stopped' }],
        );
      }
    },
  ),
];

function formsCheck({ slug, what, clause, ofMentions, statuses }: (typeof faults)[number]): Check {
  return (
    // ids: auth.every-unknown-credential-is-refused, auth.every-malformed-credential-is-refused
    // auth.unknown-credential: A call with a bearer credential that was never issued is answered with 401.
    // auth.malformed-credential: A call with an authorization header that holds no bearer credential is
    //   answered with 401, or with 400 or 422 for its form.
    check(
      `auth.every-${slug}-credential-is-refused`,
      {
        title: `a call with ${what} is refused, however it is written`,
        clauses: [clause, ofMentions],
        needs: ['author', 'channel'],
        isReadOnly: true,
        needsMemory: true,
      },
      async (context) => {
        const { author, anonymous, channel, isIssued } = context;
        const token = tokenOf(author);
        // A server may take a token without a scheme, too.
        const isSomebodys = (form: CredentialInput): boolean =>
          form.authorization?.includes('{token}') !== true &&
          isIssued(authorizationOf(form, token)?.replace(/^Bearer /, '') ?? '');
        const forms = formsAgainst(credentialSpace, clause).filter(
          ({ value }) => (slug !== 'unknown' || isToken(value)) && !isSomebodys(value),
        );
        const calls = [
          { request: readChannel(channel.id, 'after=0&limit=1'), rule: { clause, answer: statuses } },
          { request: listMentions('limit=1'), rule: { clause: ofMentions, answer: [401] } },
        ] as const;
        for (const { request, rule } of calls) {
          // One call after the other: the control of each decides whether it is asked at all.
          const control = await author.request(request);
          if (!isAccepted(control)) unmet('a good credential does not open the call', control);
          await tryForms(
            context,
            forms,
            (form) => {
              const authorization = authorizationOf(form, token);
              return anonymous.request({ ...request, headers: { ...request.headers, authorization } });
            },
            [rule],
          );
        }
      },
    )
  );
}
