// Merges campaigns beside the thread that hears signals and timers.

import { mergeCampaigns } from '../../fuzz/merge/merge-campaigns.ts';
import { secrets } from '../shared/output.ts';
import { threadWork } from '../shared/time/in-thread.ts';

threadWork(({ folders, out }: { readonly folders: readonly string[]; readonly out: string }) =>
  mergeCampaigns(folders, out, secrets),
);
