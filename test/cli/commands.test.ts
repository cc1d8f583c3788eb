import { describe, expect, it } from 'vitest';
import { catalogue } from '../../history/anomalies/catalogue.ts';
import { allChecks } from '../../suites/index.ts';
import { clauseOf, clauses, contractPlace } from '../../spec/index.ts';
import { conform } from './conform.ts';

/** Lines to be typed as the root of a checkout has them, wherever this is run. */
const asInCheckout = { env: { CONFORM_COMMAND: 'npx conform' } };

describe('the commands', () => {
  it.each([['run'], []])(
    'repeat of an option that is not there no value, which may be a token',
    async (...words) => {
      const { code, stdout, stderr } = await conform([...words, "--author-tokn=s3c'r3t"]);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: "conform: unknown option '--author-tokn'\n(see --help)\n",
      });
    },
  );

  it('help has the options of a run, since that is what runs where no command is named', async () => {
    const [all, run] = await Promise.all([conform(['--help']), conform(['run', '--help'])]);
    const options = run.stdout.match(/^ {2}--[a-z][a-z0-9-]*/gm) ?? [];
    expect(options.length).toBeGreaterThan(20);
    for (const option of options) expect(all.stdout).toContain(`\n${option} `);
  });

  it('`clauses` lists the whole register', async () => {
    const { code, stdout } = await conform(['clauses', '--json']);
    expect((JSON.parse(stdout) as unknown[]).length).toBe(clauses.length);
    expect(code).toBe(0);
  });

  it('`show` explains every check', async () => {
    const [first] = allChecks;
    const { code, stdout } = await conform(['show', first?.id ?? ''], asInCheckout);
    expect(stdout).toContain(`${first?.title}\n  ${first?.file}\n`);
    for (const id of first?.clauses ?? []) expect(stdout).toContain(contractPlace(clauseOf(id).source));
    expect(stdout).toContain(`npx conform --check ${first?.id ?? ''}`);
    expect(code).toBe(0);
  });

  it('`show` of a clause says what it states, where the contract has it and which checks decide it', async () => {
    const { code, stdout } = await conform(['show', 'send.content-bytes']);
    const { text, source } = clauseOf('send.content-bytes');
    expect(stdout).toContain(`send.content-bytes [must]\n  ${text}\n  in the contract: ${source.heading}, `);
    const [decider] = allChecks.filter(({ clauses: decided }) => decided.includes('send.content-bytes'));
    expect(stdout).toContain(`${decider?.id} in ${decider?.file}`);
    expect(code).toBe(0);
  });

  it('`show` of a clause that is judged in the history names the judge, its file, and who brings it about', async () => {
    const { stdout } = await conform(['show', 'page.next-after-not-behind-items']);
    expect(stdout).toContain(
      `next-behind-page: ${catalogue['next-behind-page'].what} (history/judges/cursors.ts)`,
    );
    expect(stdout).toMatch(/^brought about by\n {2}population\./m);
  });

  it('`show` of a clause that is judged in every answer says by what, and where', async () => {
    const [ofSchema, ofErrors] = await Promise.all([
      conform(['show', 'page.has-more.type']),
      conform(['show', 'service.valid-requests-are-served']),
    ]);
    expect(ofSchema.stdout).toContain(
      'judged in every answer, by\n  message-list-page#/properties/has_more (spec/schemas/message-list-page.schema.json)\n',
    );
    expect(ofErrors.stdout).toMatch(
      /^judged in every answer, by\n.+ \(harness\/judging\/repeated-errors\.ts\)$/m,
    );
  });

  it('`show` of an id that a check and a clause share shows both', async () => {
    const { stdout } = await conform(['show', 'channel-read.reads-repeat'], asInCheckout);
    expect(stdout).toContain('npx conform --check channel-read.reads-repeat');
    expect(stdout).toContain('npx conform --clause channel-read.reads-repeat');
  });
});
