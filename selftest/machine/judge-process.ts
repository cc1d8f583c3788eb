import { judgeMutant, type MutantRequest, type Verdict } from './judge-mutant.ts';

/** What has been judged is given so long to close, in ms. */
const closingMs = 2_000;

process.on('message', (request: MutantRequest) => void judge(request));
process.once('disconnect', () => process.exit());

/** Says the verdict before the mutant is closed: one that hangs may take the process with it. */
async function judge(request: MutantRequest): Promise<void> {
  const { verdict, close } = await judgeMutant(request).catch((error: unknown) => ({
    verdict: { outcome: 'bug of the suite', why: String(error) } satisfies Verdict,
    close: () => Promise.resolve(),
  }));
  process.send?.({ verdict });
  const late = setTimeout(() => process.exit(), closingMs);
  await close();
  clearTimeout(late);
  process.send?.('ready');
}
