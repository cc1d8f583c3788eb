import { acceptedRoles } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import { strengthOf } from '../output/known-secrets.ts';
import type { PreflightLine } from '../results/events.ts';

/** Says which credentials cannot be told from other text for sure, and so may be seen in what is printed and kept. */
export function weakCredentialLines({ roles }: Pick<Target, 'roles'>): readonly PreflightLine[] {
  const weak = acceptedRoles.filter((role) => {
    const token = roles[role]?.token;
    return token !== undefined && strengthOf(token) !== 'strong';
  });
  if (weak.length === 0) return [];
  const whose = weak.length === 1 ? 'the credential' : 'the credentials';
  const text = `${whose} of ${weak.join(', ')} can be hidden in reports only where it stands alone, for it is a common word, a short number, or under 8 characters; random credentials of 16 characters or more are hidden everywhere`;
  return [{ severity: 'warning', text }];
}
