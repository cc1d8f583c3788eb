import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';

/** A field of a send that its content stands beside. */
type Field = 'mentions' | 'attachments' | 'source_session' | 'agent_host' | 'content_type';

/** Rules that a send is read by with another part: they hold as they are where its body lacks a field, or has another value there. */
function beside(field: Field, loose: Partial<Rules>, value?: string): () => Partial<Rules> {
  return () => {
    let isBeside = false;
    const held = Object.entries(loose).map(([name, rule]) => {
      const kept = contractRules[name as keyof Rules] as (...given: unknown[]) => unknown;
      const other = rule as typeof kept;
      return [name, (...given: unknown[]) => (isBeside ? other : kept)(...given)] as const;
    });
    return {
      ...Object.fromEntries(held),
      // The first that is asked once a body was read, and in one go with all that judges it.
      fingerprint: (body) => {
        isBeside = value === undefined ? body[field] !== undefined : body[field] === value;
        return contractRules.fingerprint(body);
      },
    };
  };
}

/** Rules of a send that hold alone, and not beside another part of it. */
export const besideMutants: readonly Mutant[] = breaking({
  'send.content-not-empty': {
    'takes-empty-beside-a-file': beside('attachments', { minContentBytes: () => 0 }),
    'takes-empty-of-a-named-type': beside('content_type', { minContentBytes: () => 0 }),
  },
  'send.nul-refused': {
    'takes-nul-in-json': beside('content_type', { acceptsNul: () => true }, 'application/json'),
    'takes-nul-beside-a-session': beside('source_session', { acceptsNul: () => true }),
  },
  'send.lone-surrogates-refused': {
    'takes-lone-surrogates-beside-mentions': beside('mentions', { acceptsSurrogates: () => true }),
  },
  'send.content-bytes': {
    'counts-characters-beside-mentions': beside('mentions', {
      contentBytes: (text) => Array.from(text).length,
    }),
  },
  'source-session.invalid-is-refused': {
    'trusts-the-calendar-beside-mentions: any date is taken in a send that mentions somebody': beside(
      'mentions',
      { acceptsProviderDDate: () => true },
    ),
  },
  'author.agent-host.out-of-range-refused': {
    'host-is-longer-beside-a-session': beside('source_session', { maxAgentHostLength: () => 128 }),
  },
});
