import { packageJson } from '../../spec/package-file.ts';

/** Version of the contract that the suites judge. */
export const contractVersion = '0.1.0-preview';

/** Version of this package, from its manifest. */
export function suiteVersion(): string {
  const manifest = packageJson('package.json');
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isNamed && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}

/** The `User-Agent` by which a server's log tells the suite from its other clients. */
export const userAgent = `conform/${suiteVersion()}`;

/** Whether a `User-Agent` is that of a suite like this one, of whatever version. */
export function isSuite(agent: string): boolean {
  return /^conform\/\d/.test(agent);
}
