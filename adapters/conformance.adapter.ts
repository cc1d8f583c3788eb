// The suite as vitest tests: `npx vitest run --config vitest.adapter.config.ts`, pointed at a server by the same
// environment as the command line (CONFORM_TARGET, CONFORM_BASE_URL, CONFORM_AUTHOR_TOKEN, …).
import { describeChecks } from './vitest.ts';
import { allChecks } from '../suites/index.ts';
import { openReference } from '../embedded/embedded-reference.ts';
import { namesServer, targetOf } from '../cli/shared/target-options.ts';

const file = process.env['CONFORM_TARGET'];
const options = file === undefined ? {} : { target: file };

describeChecks(
  allChecks,
  () => (namesServer(options, process.env) ? targetOf(options, process.env) : openReference()),
  {
    env: process.env,
  },
);
