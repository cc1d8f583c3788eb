import { allChecks } from '../../suites/index.ts';
import { cheapAmong } from '../run/share-of.ts';
import { beside, kinds } from './beside.ts';
import type { Kind } from './beside.ts';
import { companies } from './companies.ts';
const [only = '.', which = 'run,campaign,stress', cases = '3000'] = process.argv.slice(2);
for (const company of companies.filter(({ id }) => new RegExp(only).test(id)))
  for (const kind of kinds.filter((k: Kind) => which.includes(k))) {
    const startedMs = performance.now();
    const checks = process.env['CHEAP'] ? cheapAmong(allChecks) : allChecks;
    const r = await beside(company, kind, { checks, cases: Number(cases), stressMs: 4000 }).catch((e) => ({
      alarms: [String((e as Error).stack)],
      posts: 0,
    }));
    console.log(
      `${r.alarms.length === 0 ? 'quiet' : 'ALARM'} ${kind} ${company.id} posts ${r.posts} ${Math.round(performance.now() - startedMs)} ms, ${r.alarms.length} alarms`,
    );
    for (const a of r.alarms.slice(0, 30)) console.log(`    ${a.slice(0, 330)}`);
  }
