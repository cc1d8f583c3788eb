import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from 'vitest';
import { packageFile } from '../../../../spec/package-file.ts';
import { lockedPackages } from '../../../package/user-folder.ts';
import { describeImage } from './describe-image.ts';
import { Image } from './image-steps.ts';

const root = dirname(packageFile('package.json'));

/** As npm would install them, without a network. */
function linkProduction(folder: string): void {
  for (const [place, { dev }] of lockedPackages) {
    if (place.lastIndexOf('node_modules/') !== 0 || dev === true || !existsSync(join(root, place))) continue;
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(join(root, place), join(folder, place));
  }
}

// The steps that take minutes, or the network, run at night: built.test.ts.
describe('the image', () => {
  const standIns = {
    'npm ci --ignore-scripts': () => {},
    'npm run --silent build': (folder: string) =>
      cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true }),
    'npm ci --omit=dev --ignore-scripts': linkProduction,
  };
  describeImage(
    (text, context) => new Image(text, { context, standIns }),
    { isBuilt: false },
    (gate) => gate.map((word) => (word === '--require=must' ? '--only=discovery' : word)),
  );
});
