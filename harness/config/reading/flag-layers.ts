import { valueAt, type FieldPath, type Layer } from './layer.ts';
import type { Problems } from './problems.ts';
import { roleNames, tokenVariable, type RoleName } from '../roles.ts';

/** The target's part of a command line; each wins over the environment, and that over the file. */
export interface TargetFlags {
  readonly baseUrl?: string | undefined;
  readonly workspace?: string | undefined;
  readonly channel?: string | undefined;
  readonly secondChannel?: string | undefined;
  /** Ids of ready files. */
  readonly files?: readonly string[] | undefined;
  /** `env:NAME`, `file:PATH` or, with a warning, the token itself. */
  readonly tokens?: Readonly<Partial<Record<RoleName, string | undefined>>> | undefined;
  readonly settleMs?: number | undefined;
  readonly budgetMs?: number | undefined;
  readonly ratePerSecond?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly agentIdHeader?: string | undefined;
  /** `provider_a=own_a` each. */
  readonly provider?: readonly string[] | undefined;
  /** `name: value` each; the value may be `env:NAME` or `file:PATH`. */
  readonly header?: readonly string[] | undefined;
  /** Paths of PEM files, from the working directory. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Field of the target file that holds the token of a role. */
export function roleField(role: RoleName): string {
  return role.replaceAll('-', '_');
}

/** The flags in the shape of the target file; those that cannot be taken apart go to `problems`. */
export function flagLayer(flags: TargetFlags, cwd: string, problems: Problems): Layer {
  const entries: Entry[] = [
    [['base_url'], flags.baseUrl, '--base-url'],
    [['workspace'], flags.workspace, '--workspace'],
    [['channel'], flags.channel, '--channel'],
    [['second_channel'], flags.secondChannel, '--second-channel'],
    [['files'], flags.files?.length === 0 ? undefined : flags.files, '--files'],
    ...roleNames.map((role): Entry => [['roles', roleField(role)], flags.tokens?.[role], `--${role}-token`]),
    [['settle_ms'], flags.settleMs, '--settle-ms'],
    [['budget_ms'], flags.budgetMs, '--budget-ms'],
    [['limits', 'rate_per_second'], flags.ratePerSecond, '--rate-per-second'],
    [['limits', 'max_bytes'], flags.maxBytes, '--max-bytes'],
    [['limits', 'read_only'], flags.readOnly, '--read-only'],
    [['names', 'agent_id_header'], flags.agentIdHeader, '--agent-id-header'],
    ...pairEntries(flags.provider, providerPair, problems),
    ...pairEntries(flags.header, headerPair, problems),
    [['connection', 'ca'], flags.ca, '--ca'],
    [['connection', 'cert'], flags.cert, '--cert'],
    [['connection', 'key'], flags.key, '--key'],
  ];
  return layerOf(entries, {
    name: 'command line',
    folder: cwd,
    hasReferences: true,
    sourceOf: () => 'flag',
  });
}

/** The environment in the shape of the target file. An empty variable counts as absent: CI sets those for missing secrets. */
export function environmentLayer(env: NodeJS.ProcessEnv, cwd: string): Layer {
  const entry = (path: FieldPath, variable: string): Entry => [path, env[variable] || undefined, variable];
  const entries: Entry[] = [
    entry(['base_url'], 'CONFORM_BASE_URL'),
    entry(['workspace'], 'CONFORM_WORKSPACE'),
    entry(['channel'], 'CONFORM_CHANNEL'),
    entry(['second_channel'], 'CONFORM_SECOND_CHANNEL'),
    [['files'], listInText(env['CONFORM_FILES']), 'CONFORM_FILES'],
    ...roleNames.map((role) => entry(['roles', roleField(role)], tokenVariable(role))),
  ];
  return layerOf(entries, {
    name: 'environment',
    folder: cwd,
    hasReferences: false,
    sourceOf: (path) => `env:${entries.find(([field]) => isSame(field, path))?.[2] ?? ''}`,
  });
}

/** Words apart by blanks or commas. */
function listInText(text = ''): readonly string[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

/** Path, value, and the flag or variable that it came from. */
type Entry = readonly [path: FieldPath, value: unknown, name: string];

/** A flag that names what it sets. */
interface PairFlag {
  readonly flag: string;
  /** Groups `name` and `value`. */
  readonly pattern: RegExp;
  readonly example: string;
  readonly section: FieldPath;
}

const providerPair: PairFlag = {
  flag: '--provider',
  pattern: /^(?<name>provider_[a-d])=(?<value>.*)$/s,
  example: 'provider_a=own_a',
  section: ['names', 'providers'],
};

const headerPair: PairFlag = {
  flag: '--header',
  pattern: /^(?<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(?<value>.*)$/s,
  example: 'name: value',
  section: ['connection', 'headers'],
};

/** What does not match is not repeated: it may be a secret in the wrong place. */
function pairEntries(
  given: readonly string[] = [],
  { flag, pattern, example, section }: PairFlag,
  problems: Problems,
): readonly Entry[] {
  return given.flatMap((text): readonly Entry[] => {
    const { name, value } = pattern.exec(text)?.groups ?? {};
    if (name !== undefined && value !== undefined) return [[[...section, name], value.trimEnd(), flag]];
    problems.add({ name: flag }, `must have the form \`${example}\``);
    return [];
  });
}

type LayerOptions = Pick<Layer, 'folder' | 'hasReferences' | 'sourceOf'> & { readonly name: string };

function layerOf(entries: readonly Entry[], { name, ...options }: LayerOptions): Layer {
  const given = entries.filter(([, value]) => value !== undefined);
  const fields = {};
  for (const [path, value] of given) put(fields, path, value);
  return {
    ...options,
    fields,
    placeOf: (path) => ({ name: given.find(([field]) => isSame(field, path))?.[2] ?? name }),
  };
}

function put(fields: object, path: FieldPath, value: unknown): void {
  let parent = fields;
  for (const name of path.slice(0, -1)) {
    if (valueAt(parent, [name]) === undefined) define(parent, name, {});
    parent = valueAt(parent, [name]) as object;
  }
  define(parent, path.at(-1) ?? '', value);
}

/** Not an assignment: `__proto__` must become a field like any other. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function isSame(a: FieldPath, b: FieldPath): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
