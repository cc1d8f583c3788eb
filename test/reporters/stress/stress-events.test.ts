import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { readStream, writeEvent } from '../../../harness/results/stream.ts';
import { startReference } from '../../../reference/index.ts';
import { stressEvents } from '../../../reporters/stress/stress-events.ts';
import { exercisedIn } from '../../../stress/run/exercised.ts';
import { judgementOf } from '../../../stress/run/judged.ts';
import type { StressResult } from '../../../stress/run/run-stress.ts';
import { itemOf, Story } from '../../history/fixtures.ts';
import { reportOn } from '../formats/report.ts';

/** A run whose readers were shown one page out of order. */
function resultOf(): StressResult {
  const story = new Story();
  const [first, second] = [story.send(), story.send()];
  story.read([itemOf(second, 2), itemOf(first, 1)], { nextAfter: 2 });
  const { history } = story;
  const judgement = judgementOf(history);
  return {
    chapters: 1,
    durationMs: 1_000,
    exercised: exercisedIn(history.operations),
    opportunities: judgement.opportunities,
    findings: judgement.findings,
    failed: undefined,
    trouble: undefined,
    stage: undefined,
  };
}

describe('the results of a stress run', () => {
  it('are a result stream, of which every report can be made', async () => {
    await using reference = await startReference();
    const target = targetOfReference(reference);
    const result = resultOf();
    const events = stressEvents({ target, result, isStrict: false, exitCode: 1 });
    const { isWhole } = await readStream(events.map(writeEvent));
    expect(isWhole).toBe(true);
    const page = reportOn('html', events);
    const [first] = events.filter((event) => event.type === 'finding');
    expect(first?.timeline?.operations.map(({ letter }) => letter)).toContain('A');
    expect(page).toContain('What clients did around it');
    expect(result.findings.length).toBeGreaterThan(0);
    for (const { lead } of result.findings) {
      for (const format of ['junit', 'ctrf', 'sarif', 'markdown'])
        expect(reportOn(format, events)).toContain(lead.clause);
    }
  });
});
