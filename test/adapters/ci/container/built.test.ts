import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../../../spec/package-file.ts';
import { cleanEnv } from '../../../cli/conform.ts';
import { ownFolder } from '../../../fixtures/folder.ts';
import { BuiltImage, whyNotBuilt } from './built-image.ts';
import { describeImage } from './describe-image.ts';

/** Whether npm gets an answer here. */
const hasRegistry =
  whyNotBuilt === '' &&
  spawnSync('npm', ['view', 'typescript', 'version'], { env: cleanEnv, timeout: 30_000 }).status === 0;

describe.skipIf(!hasRegistry)(`the image as buildah makes it${whyNotBuilt}`, () => {
  let image: BuiltImage | undefined;
  const results = ownFolder('conform-results-');
  // For the user of the image.
  chmodSync(results, 0o777);

  describeImage((text, context) => (image = new BuiltImage(text, context)), { isBuilt: true });

  it('says what it is', () => {
    const { version, license } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(image?.labels.get('org.opencontainers.image.version')).toBe(version);
    expect(image?.labels.get('org.opencontainers.image.licenses')).toBe(license);
  });

  it.each([
    ['in a container', (...command: string[]) => image?.run(results, ...command)],
    [
      'where nothing can be written and no privilege is left',
      (...command: string[]) => image?.runReadOnly(results, ...command),
    ],
  ])('makes a full run, with its report in a volume, %s', (where, run) => {
    const file = `report-${where.length}.html`;
    expect(run('conform', '--report', `html=/results/${file}`)).toMatch(/^conforms: /m);
    expect(readFileSync(join(results, file), 'utf8')).toContain('</html>');
  });

  it('has a root there that is mounted to be read, and a folder for what is temporary', () => {
    const flags = 'while read -r _ at _ flags _; do [ "$at" = / ] && echo "$flags"; done < /proc/mounts';
    expect(image?.runReadOnly(results, 'sh', '-c', `${flags}; true`)).toMatch(/^ro,/m);
    expect(image?.runReadOnly(results, 'sh', '-c', 'echo 1 > /tmp/file && echo written')).toBe('written\n');
  });
});
