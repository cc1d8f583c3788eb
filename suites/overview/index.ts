import { checksOf } from '../arrange/checks-of.ts';
import { overviewAddressChecks } from './addresses.ts';
import { overviewContentChecks } from './contents.ts';
import { overviewLongListChecks } from './long-lists.ts';
import { overviewMemberChecks } from './members.ts';

/** What a machine is shown of its workspace, and under which address. */
export const overviewChecks = checksOf('overview', {
  contents: overviewContentChecks,
  addresses: overviewAddressChecks,
  members: overviewMemberChecks,
  'long-lists': overviewLongListChecks,
});
