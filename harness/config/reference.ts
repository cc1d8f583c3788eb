import { resolve } from 'node:path';
import { readTextFile } from './bounded-file.ts';

/** A text whose reference was followed, or what is wrong with it as a clause whose subject is the field. */
type Followed =
  | {
      readonly text: string;
      /** `env:NAME` or `file:PATH` as written; `undefined` for a literal. */
      readonly reference: string | undefined;
      /** Absolute path of the file that it came from. */
      readonly file?: string;
    }
  | { readonly fault: string };

/** Larger than any header that a server takes. */
const maxSecretBytes = 65_536;

/** Follows `env:NAME` and `file:PATH`, the path from `folder`; anything else is a literal. Trailing line ends of a file go. */
export function followReference(value: string, env: NodeJS.ProcessEnv, folder: string): Followed {
  if (value.startsWith('env:')) return fromEnvironment(value.slice('env:'.length), env);
  if (value.startsWith('file:')) return fromFile(value.slice('file:'.length), folder);
  return { text: value, reference: undefined };
}

function fromEnvironment(name: string, env: NodeJS.ProcessEnv): Followed {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return { fault: 'needs the name of an environment variable after `env:`: letters, digits and `_`' };
  }
  // A token pasted behind `env:` is not repeated; a variable of the usual form is.
  const shown = /^[A-Z_][A-Z0-9_]{0,63}$/.test(name) ? `\`${name}\`` : 'it names';
  const text = env[name];
  if (text === undefined) return { fault: `needs the environment variable ${shown}, which is not set` };
  if (text === '') return { fault: `needs the environment variable ${shown}, which is empty` };
  return { text, reference: `env:${name}` };
}

function fromFile(path: string, folder: string): Followed {
  if (path === '' || /\p{Cc}/u.test(path)) return { fault: 'needs the path of a file after `file:`' };
  const file = resolve(folder, path);
  const read = readTextFile(file, maxSecretBytes);
  if ('fault' in read) return { fault: `needs the file \`${path}\`, which ${read.fault}` };
  const text = read.text.replace(/[\r\n]+$/, '');
  if (text === '') return { fault: `needs the file \`${path}\`, which is empty` };
  return { text, reference: `file:${path}`, file };
}
