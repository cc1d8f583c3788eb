import type { Exchange } from '../../harness/client/exchange.ts';
import { whatEnables } from '../../harness/config/capabilities.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';

/**
 * The id of the human or the machine behind an agent of a fresh workspace, as its messages show it; ends the check with its precondition
 * not met when they show none.
 */
export function requireBehind(id: string | undefined, role: RoleName, kind: 'human' | 'machine'): string {
  return (
    id ?? unmet(`messages of ${role} in the fresh workspace show no ${kind}: hooks.provision can give it one`)
  );
}

/** Ends the check with its precondition not met where the machine token of a fresh workspace seems to be another than that of the reader's machine and human. */
export function requireReadersMachine(isReaders: boolean, overview?: Exchange): void {
  given(
    isReaders,
    'the machine token of the fresh workspace is not that of the reader’s machine and human, as it seems: hooks.provision can give that one',
    overview,
  );
}

/** What to say, with what the operator can do, where a check could use a role that the target does not have. */
export function lacking(role: RoleName): string {
  return `the target has no ${role}: ${whatEnables(role)}`;
}
