import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { cleanEnv } from '../../cli/conform.ts';
import { describeImage } from './describe-image.ts';

/** Whether npm gets an answer here. */
const hasRegistry =
  spawnSync('npm', ['view', 'typescript', 'version'], { env: cleanEnv, timeout: 30_000 }).status === 0;

describe.skipIf(!hasRegistry)('the image with what npm installs and the compiler makes', () => {
  describeImage({});
});
