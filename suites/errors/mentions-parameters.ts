import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer, unarranged } from '../../harness/verdict/outcome.ts';
import { requireAccepted, requireMemory } from '../arrange/auth/closed-call.ts';

/** The 400 of the status table of the mentions call. */
export const mentionsParameterChecks: readonly Check[] = [
  invalidParameterCheck('limit', '0'),
  invalidParameterCheck('limit', '101'),
  invalidParameterCheck('limit', 'many'),
  invalidParameterCheck('after', '-1'),
  invalidParameterCheck('after', 'yesterday'),
  check(
    'errors.mentions-unsupported-parameter-is-400',
    {
      title: 'the mentions call answers a parameter that it does not have with 400',
      clauses: ['errors.unsupported-parameter-is-400'],
      needs: ['author', 'channel'],
      isReadOnly: true,
    },
    async (context) => {
      const { author, expect } = context;
      requireAccepted(await author.mentions({ limit: 1 }), 'author without the parameter');
      const refused = await author.mentions({ limit: 1, conform_unsupported: 1 });
      expect('errors.unsupported-parameter-is-400', refused).toHaveStatus(400);
      await requireMemory(context);
    },
  ),
];

function invalidParameterCheck(name: 'limit' | 'after', value: string): Check {
  return check(
    `errors.mentions-${name}-${value.replace('-', 'minus-')}-is-400`,
    {
      title: `the mentions call answers ${name}=${value} with 400`,
      clauses: ['errors.invalid-parameter-is-400'],
      needs: ['author', 'channel'],
      isReadOnly: true,
    },
    async (context) => {
      const { author, anonymous, expect, observe } = context;
      requireAccepted(await author.mentions({ [name]: '1' }), `author with ${name}=1`);
      const refused = await author.mentions({ [name]: value });
      const bothWrong = await anonymous.mentions({ [name]: value });
      observe('errors.precedence', `no-credential-and-${name}-${value}`, describeAnswer(bothWrong));
      // That it is refused at all has clauses of its own; here only the number is judged.
      const status = statusOf(refused) ?? 0;
      if (isAccepted(refused) || status < 400 || status > 499)
        unarranged(`${name}=${value} is not refused`, refused);
      expect('errors.invalid-parameter-is-400', refused).toHaveStatus(400);
      await requireMemory(context);
    },
  );
}
