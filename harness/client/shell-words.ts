import { type RoleName, roleNames, tokenVariable } from '../config/roles.ts';
import type { SecretSource } from '../config/target.ts';
import { quoted } from '../output/in-shell.ts';
import { printable } from '../output/printable.ts';
import type { EvidenceRules } from './evidence.ts';

/** A secret, and how a shell comes to it without showing it. */
interface InShell {
  readonly value: string;
  /** To be put between double quotes. */
  readonly expression: string;
  /** What to do before the line works; `undefined` when nothing has to be done. */
  readonly remark?: string;
}

/** Words of a shell line, in which each secret of the target gives way to the variable or file that the target names for it. */
export class ShellWords {
  readonly #rules: EvidenceRules;
  readonly #known: readonly InShell[];
  readonly #remarks = new Set<string>();
  #isLacking = false;

  constructor(actor: string, rules: EvidenceRules) {
    this.#rules = rules;
    // Longest first: one may be a part of another. Of a token that several roles have, that of who spoke.
    this.#known = [...tokensInShell(actor, rules), ...headersInShell(rules)].toSorted(
      (one, other) => other.value.length - one.value.length,
    );
  }

  /** What the line needs beside itself. */
  get remarks(): readonly string[] {
    return [...this.#remarks];
  }

  /** True once a text held a secret that no line can name. */
  get isLacking(): boolean {
    return this.#isLacking;
  }

  /** A text as one word of the line. */
  word(text: string): string {
    if (this.#isClean(text)) return quoted(text);
    const parts = this.#split(text);
    if (parts.every((part) => typeof part !== 'string' || isPlainWord(part)))
      return `"${parts.map((part, index) => (typeof part === 'string' ? part : expression(part, parts[index + 1]))).join('')}"`;
    return parts.map((part) => (typeof part === 'string' ? quoted(part) : `"${part.expression}"`)).join('');
  }

  /** Notes that there is no line where a text, which stands in it in another form, holds a secret. */
  demandClean(text: string): void {
    if (!this.#isClean(text)) this.#isLacking = true;
  }

  #isClean(text: string): boolean {
    return this.#rules.secrets.clean(text) === text;
  }

  #split(text: string): readonly (string | InShell)[] {
    const secret = this.#known.find(({ value }) => text.includes(value));
    if (secret === undefined) {
      this.demandClean(text);
      return [text];
    }
    if (secret.remark !== undefined) this.#remarks.add(secret.remark);
    const between = text.split(secret.value).map((part) => (part === '' ? [] : this.#split(part)));
    return between.flatMap((parts, index) => (index === 0 ? parts : [secret, ...parts]));
  }
}

/** What double quotes keep as it is. */
function isPlainWord(text: string): boolean {
  return printable(text) === text && !/["$`\\!]/.test(text);
}

function expression({ expression: plain }: InShell, next: string | InShell | undefined): string {
  const isRunOn = typeof next === 'string' && /^\w/.test(next) && /^\$\w+$/.test(plain);
  return isRunOn ? `\${${plain.slice(1)}}` : plain;
}

function tokensInShell(actor: string, { credentials = {} }: EvidenceRules): InShell[] {
  const held = roleNames.flatMap((role) => {
    const credential = credentials[role];
    return credential === undefined ? [] : [{ role, credential }];
  });
  return held
    .toSorted((one, other) => sourceRank(one, actor) - sourceRank(other, actor))
    .map(({ role, credential }) => ({
      value: credential.token,
      ...inShell(credential, tokenVariable(role), () => originOfToken(role, credential.source)),
    }));
}

/** Where a token comes from by itself, then who spoke. */
function sourceRank(
  { role, credential }: { role: RoleName; credential: SecretSource },
  actor: string,
): number {
  return (isFromOutside(credential) ? 0 : 2) + (role === actor ? 0 : 1);
}

function headersInShell({ connection }: EvidenceRules): InShell[] {
  const { headers = {}, secretHeaders = [], headerSources = {} } = connection ?? {};
  return secretHeaders.flatMap((name) => {
    const [value, source] = [headers[name], headerSources[name]];
    if (value === undefined || source === undefined) return [];
    const what = source.source === 'flag' ? '--header' : `connection.headers of the ${source.source}`;
    return { value, ...inShell(source, headerVariable(name), () => `${name} of ${what}`) };
  });
}

/** The variable that stands for a header in lines that are printed. */
export function headerVariable(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

function inShell(
  { source, file }: SecretSource,
  variable: string,
  origin: () => string,
): Omit<InShell, 'value'> {
  if (file !== undefined) return { expression: `$(cat ${quoted(file)})` };
  if (source.startsWith('env:')) return { expression: `$${source.slice('env:'.length)}` };
  return { expression: `$${variable}`, remark: `${variable} has to hold ${origin()}` };
}

function isFromOutside({ source, file }: SecretSource): boolean {
  return file !== undefined || source.startsWith('env:');
}

function originOfToken(role: RoleName, source: string): string {
  return source === 'flag'
    ? `what --${role}-token was given`
    : `roles.${role.replaceAll('-', '_')} of the ${source}`;
}
