// The suite as vitest tests: `npx vitest run --config vitest.adapter.config.ts`, pointed at a server as the command line is, by
// conform.yaml of this folder or the environment (CONFORM_TARGET, CONFORM_BASE_URL, CONFORM_AUTHOR_TOKEN, …).

import { targetOf } from '../cli/shared/target-of.ts';
import { sourceOf } from '../cli/shared/target-options.ts';
import { openReference } from '../embedded/reference-hooks.ts';
import { allChecks } from '../suites/index.ts';
import { describeChecks } from './vitest.ts';

const { env } = process;

describeChecks(
  allChecks,
  () => (sourceOf({}, env).from === 'nothing' ? openReference() : targetOf({}, env)),
  { env },
);
