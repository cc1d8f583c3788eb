// Prints, from vitest's JSON report, the ten test files that took longest in seconds, and `N passed, N failed, N skipped`;
// fails when anything failed or nothing ran.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { testResults } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const file of testResults) {
  for (const { status } of file.assertionResults) {
    if (status === 'passed') counts.passed += 1;
    else if (status === 'failed') counts.failed += 1;
    else counts.skipped += 1;
  }
  // A file that could not be loaded has no tests of its own to count.
  if (file.status === 'failed' && file.assertionResults.length === 0) counts.failed += 1;
}

const slowest = testResults
  .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }))
  .toSorted((one, other) => other.seconds - one.seconds)
  .slice(0, 10);
for (const { name, seconds } of slowest)
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${relative(process.cwd(), name)}`);

console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0 || counts.passed === 0) process.exit(1);
