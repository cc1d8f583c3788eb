import type { Connection, Target } from '../config/target.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';

/** What must not leave the process, and what is ours to show. */
export interface EvidenceRules {
  /** What to remove wherever it stands, also when the server echoes it. */
  readonly secrets: KnownSecrets;
  /** The marker of this run: contents without it are other people's. */
  readonly runId: string;
  readonly baseUrl: string;
  /** Those of the target by role, so that a command line can name where each comes from. */
  readonly credentials?: Target['roles'];
  /** What goes with every request. */
  readonly connection?: Pick<Connection, 'headers' | 'secretHeaders' | 'headerSources' | 'files'>;
}
