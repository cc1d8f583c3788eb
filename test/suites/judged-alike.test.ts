import { expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import { HistoryReader } from '../../history/ndjson-reader.ts';
import { mutants } from '../../selftest/mutants/index.ts';
import { cheapAmong } from '../../selftest/run/sample.ts';
import { mutantServer } from '../../selftest/servers/server.ts';
import { allChecks } from '../../suites/index.ts';
import { judgedAlone } from '../harness/judging/judged-alone.ts';
import { runOn } from './run-suite.ts';

const areas = ['population', 'channel-read', 'page', 'mentions', 'message'];
const checks = cheapAmong(allChecks).filter((check) => areas.includes(areaOf(check)) && !check.isExclusive);

/** A server whose fault a check names by one clause, and its history by others; the self-test holds every server to it. */
const faulty = mutants.filter(({ id }) => id === 'mention-has-the-number-of-its-message');

it.each(faulty)(
  'the history of a run, judged by itself comes to no more than the run: $id',
  async (mutant) => {
    const { target, close } = await mutantServer(mutant).open();
    const reader = new HistoryReader();
    const run = await runOn(checks, target, {
      onHistoryLines: (lines) => {
        for (const line of lines.split('\n')) if (line !== '') reader.add(line);
      },
    });
    await close();
    const judged = judgeHistory(reader.history());
    const broken = new Set(
      run.checks.flatMap(({ clauses }) =>
        clauses.flatMap(({ clause, verdict }) =>
          verdict === 'failed' || verdict === 'warned' ? [clause] : [],
        ),
      ),
    );
    expect(judged.anomalies.length).toBeGreaterThan(0);
    expect(judged.anomalies.map(({ clause }) => clause).filter((clause) => !broken.has(clause))).toEqual([]);
    expect(run.footer.exitCode).toBeGreaterThanOrEqual(judgedAlone(reader.history()).footer.exitCode);
    // Every clause that counts as broken is told by a finding, and none twice as a lead.
    const told = run.findings.flatMap(({ clause, clauses = [{ clause }] }) =>
      clauses.map((each) => each.clause),
    );
    expect([...broken].filter((clause) => !told.includes(clause))).toEqual([]);
    const verdicts = run.findings.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(verdicts.toSorted());
  },
  120_000,
);
