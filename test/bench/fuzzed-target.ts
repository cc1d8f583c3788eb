import { parse } from 'yaml';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import type { Target } from '../../harness/config/target.ts';

/** The target that a reference printed, as a campaign takes it that may write as much as it likes. */
export function fuzzedTarget(file: string): Target {
  const plain = parse(file) as Readonly<Record<string, unknown>>;
  const roles = plain['roles'] as Readonly<Record<string, string>>;
  const tokens = Object.fromEntries(
    Object.entries(roles).map(([role, token]) => [role.replaceAll('_', '-'), token]),
  );
  const { target } = readTarget({
    flags: {
      baseUrl: String(plain['base_url']),
      workspace: String(plain['workspace']),
      channel: String(plain['channel']),
      tokens,
      settleMs: Number(plain['settle_ms']),
      maxBytes: Number.MAX_SAFE_INTEGER,
    },
    env: {},
    cwd: process.cwd(),
  });
  return target;
}
