// `npm run soak [-- campaign|proxy] [MINUTES]`: one of both for so long, ten minutes when nobody says how many, with what is done and how much
// memory that takes, minute by minute. Red for a finding, for memory that grows, and for what does not keep up or end in time.
import { availableParallelism, loadavg } from 'node:os';
import { soakCampaign } from './campaign.ts';
import { soakProxy } from './proxy.ts';

const soaks = { campaign: soakCampaign, proxy: soakProxy };

const args = process.argv.slice(2);
const name = args[0] === 'proxy' ? 'proxy' : 'campaign';
const minutes = Number(args.find((each) => /^\d+$/.test(each)) ?? 10);
const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
for (const [what, value, isKept] of await soaks[name](minutes, ending.signal)) {
  process.stdout.write(`${what} ${value}: ${isKept ? 'kept' : 'MISSED'}\n`);
  if (!isKept) process.exitCode = 1;
}
process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);
