// Prints `N passed, N failed, N skipped` from vitest's JSON report and fails when anything failed or nothing ran.
import { readFileSync } from 'node:fs';

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
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0 || counts.passed === 0) process.exit(1);
