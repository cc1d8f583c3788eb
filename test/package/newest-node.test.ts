import { expect, it } from 'vitest';
import { describePackage } from './describe-package.ts';
import { installNewestNode } from './newest-node.ts';
import { UserFolder } from './user-folder.ts';

const node = installNewestNode();

it('comes as a package of npm, for this platform too', ({ skip }) => {
  if ('lacks' in node) skip(node.lacks);
  const version = 'version' in node ? node.version : '';
  expect(Number(/^v(\d+)\./.exec(version)?.[1])).toBeGreaterThan(20);
});

if (!('lacks' in node)) describePackage(new UserFolder({ node, isInstalled: true }), { isWhole: true });
