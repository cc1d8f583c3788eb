import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../reference/store/store.ts';

it('tells nothing of what a write that failed had read', () => {
  const store = openStore(undefined);
  onTestFinished(() => store.close());
  const failing = (): void => {
    store.workspaces.addWorkspace('w', 'slug', 'name', 'text', 1, 1);
    expect(store.workspaces.workspace('w')).toBeDefined();
    throw new Error('no');
  };
  expect(() => store.transaction(failing)).toThrow('no');
  expect(store.workspaces.workspace('w')).toBeUndefined();
});
