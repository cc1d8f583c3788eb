import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import type { Target } from '../../harness/config/target.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import { type Reference, startReference } from '../../reference/index.ts';
import { clauseOf } from '../../spec/index.ts';
import { runStress } from '../../fuzz/stress/run/run-stress.ts';
import { openStage } from '../../fuzz/stress/scene/stage.ts';
import { CompanyAtWork } from '../companions/at-work.ts';
import { companies } from '../companions/companies.ts';
import type { Company } from '../companions/companion.ts';
import type { FoundClause, Observation } from './observation.ts';
import { type OpenServer, withoutByteLimit } from './server.ts';
import type { VariantServer } from './variant-server.ts';

/** Cases of a campaign, and how long clients are at work, in ms: enough for a company to answer hundreds of messages. */
const companyCases = 800;
const stressMs = 3_000;

/** Every company beside a run, a campaign and concurrent clients. */
export const companyServers: readonly VariantServer[] = companies.flatMap((company) => [
  besideRun(company),
  besideOther(company, 'campaign', campaignAt),
  besideOther(company, 'stress', stressAt),
]);

function besideRun(company: Company): VariantServer {
  return { id: `company ${company.id}`, variants: [], open: () => openBeside(company) };
}

type Look = (target: Target) => Promise<Pick<Observation, 'found' | 'reason'>>;

function besideOther(company: Company, kind: 'campaign' | 'stress', look: Look): VariantServer {
  const open = (): ReturnType<typeof openBeside> => openBeside(company);
  const observe = async (): Promise<Observation> => {
    const startedMs = performance.now();
    const { target, posts, close } = await open();
    try {
      const { found, reason } = await look(target);
      const isSilent = posts() === 0 && kind === 'campaign' && !company.id.startsWith('echoes-');
      return { ...nothing, found, ...endOf(isSilent ? 'the company wrote nothing' : reason, startedMs) };
    } finally {
      await close();
    }
  };
  return { id: `company ${company.id} beside a ${kind}`, variants: [], open, observe };
}

const nothing = {
  judged: [],
  inconclusive: {},
  errors: [],
  answered: [],
  carried: [],
  requests: 0,
  hidden: [],
  idleMs: 0,
};

function endOf(reason: string | undefined, startedMs: number) {
  const durationMs = performance.now() - startedMs;
  return reason === undefined
    ? ({ end: 'complete', exitCode: exitCodes.conforms, reason, durationMs } as const)
    : ({ end: 'crashed', exitCode: exitCodes.inconclusive, reason, durationMs } as const);
}

async function campaignAt(target: Target): ReturnType<Look> {
  const { result, leftOut } = await runFuzz(withoutByteLimit(target), { seed: 1, maxCases: companyCases });
  const found = (result?.findings ?? []).map(({ failure, label, verdict }): FoundClause => {
    const { clause, expected, actual } = failure;
    return { clause, verdict, text: `${clause} ${verdict} by ${label}: expected ${expected}; got ${actual}` };
  });
  const [without] = Object.entries(leftOut);
  const reason = result === undefined ? 'nothing ran' : without && `it went without ${without.join(': ')}`;
  return { found, reason };
}

async function stressAt(target: Target): ReturnType<Look> {
  const { signal } = new AbortController();
  const stage = await openStage(target, { env: {}, signal });
  if ('why' in stage) return { found: [], reason: stage.why };
  const options = { clients: 8, seed: 1, timeMs: stressMs, restarts: 0 };
  const { judged, trouble: reason } = await runStress(stage, options);
  await stage.close();
  const found = judged.sighted.map(({ clause, anomaly, expected, actual }): FoundClause => {
    const verdict = verdictWhenBroken(clauseOf(clause).level);
    return { clause, verdict, text: `${clause} ${verdict}: ${anomaly}, expected ${expected}; got ${actual}` };
  });
  return { found, reason };
}

/** Starts the reference with a company at work in its workspaces, those that hooks make included. */
async function openBeside(company: Company): Promise<OpenServer & { readonly posts: () => number }> {
  const reference = await startReference();
  const atWork = new CompanyAtWork(reference, company);
  atWork.join(reference.world);
  const target = targetOfReference(joinedBy(atWork, reference));
  return {
    target,
    posts: () => atWork.posts,
    close: async () => {
      await atWork.stop();
      await reference.close();
    },
  };
}

/** A fresh workspace is one that the company is let into. */
function joinedBy(atWork: CompanyAtWork, reference: Reference): Reference {
  const { operator } = reference;
  const provision: typeof operator.provision = () => {
    const world = operator.provision();
    atWork.join(world);
    return world;
  };
  return { ...reference, operator: { ...operator, provision } };
}
