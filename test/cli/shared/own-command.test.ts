import { expect, it } from 'vitest';
import { ownCommand } from '../../../cli/shared/own-command.ts';

it.each([
  ['in a checkout', {}, true, 'npm run conform --'],
  ['by npx', { npm_command: 'exec' }, false, 'npx conform'],
  ['by its name', {}, false, 'conform'],
] as const)(
  'a program that was started %s prints commands that start it so',
  (_, env, isCheckout, command) => {
    expect(ownCommand(env, isCheckout)).toBe(command);
  },
);
