import type { OperatorListener } from '../../embedded/operator-listener.ts';
import { hookNames } from '../../harness/config/target.ts';
import { packageFile } from '../../spec/index.ts';
import type { HookForm } from './reference-options.ts';

/** The `hooks` of the target file; they work in any folder of this machine. */
export function hooksSection(operator: OperatorListener, form: HookForm): string {
  const command = [process.execPath, packageFile('dist/embedded/reference-hook.js'), operator.addressFile];
  const hookOf = (name: string): object => {
    if (form === 'command') return { command };
    if (form === 'process') return { command: [...command, '--stay'], stays: true };
    return {
      url: `${operator.url}/${name}`,
      headers: { Authorization: operator.authorization },
    };
  };
  return `hooks:\n${hookNames.map((name) => `  ${name}: ${JSON.stringify(hookOf(name))}\n`).join('')}`;
}
