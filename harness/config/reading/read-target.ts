import { isLoopback, parseBaseUrl } from '../base-url.ts';
import { withoutNames } from '../optional-parts.ts';
import { defaultBindings, defaultNames, providerNames } from '../target.ts';
import type { Bindings, Limits, Names, Target } from '../target.ts';
import { environmentLayer, flagLayer, type TargetFlags } from './flag-layers.ts';
import { fault, numberAt, pick, printPath, textAt, type Layer, type Reading } from './layer.ts';
import { Problems } from './problems.ts';
import { readConnection } from './read-connection.ts';
import { readHooks } from './read-hooks.ts';
import { readRoles } from './read-roles.ts';
import { checkShape } from './shape.ts';
import { targetSource, type TargetSource } from './target-source.ts';
import { readYamlLayer } from './yaml-layer.ts';
import { HookFailed, InvalidTarget } from '../../errors.ts';

/** Where a target is described: what a command is given, its environment, and a file. */
export interface TargetInput {
  /** Path of the target file, from `cwd`. If absent, that of `CONFORM_TARGET`, else `conform.yaml` if nothing names a server. */
  readonly file?: string | undefined;
  readonly flags?: TargetFlags;
  /** Environment with `CONFORM_…` variables and with those that `env:NAME` refers to; that of the process if absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Absolute path that relative paths of the command line start from; the working directory if absent. */
  readonly cwd?: string;
}

/** A target, and what its description should do better. */
export interface ReadTarget {
  readonly target: Target;
  /** One line each; none stops a run. */
  readonly warnings: readonly string[];
  /** What named the server. */
  readonly source: TargetSource;
}

/** What a run may write where messages stay for others to see, and where they cost nobody anything. */
const defaultMaxBytes = { remote: 5_000_000, loopback: 1_073_741_824 };

/**
 * Reads a target from flags, environment and file, the first that has a field deciding it, and follows every reference.
 *
 * @throws InvalidTarget that lists everything wrong, each with file, line, column and field, and never a value
 */
export function readTarget({
  file: named,
  flags = {},
  env = process.env,
  cwd = process.cwd(),
}: TargetInput = {}): ReadTarget {
  const problems = new Problems();
  const source = targetSource({ file: named, flags, env, cwd });
  const file = source.from === 'file' ? source.file : undefined;
  const fileLayer = file === undefined ? undefined : readYamlLayer(file, cwd, problems);
  const layers = [flagLayer(flags, cwd, problems), environmentLayer(env, cwd)];
  if (fileLayer !== undefined) layers.push(fileLayer);
  for (const layer of layers) checkShape(layer, problems);
  // Without its file a target is not half read: everything else would seem to be missing.
  if (file !== undefined && fileLayer === undefined) problems.throwIfAny();

  const reading: Reading = { layers, env, problems, warnings: [] };
  const target = assemble(reading, readBaseUrl(reading, fileLayer));
  problems.throwIfAny();
  return { target, warnings: [...warningsOfSource(source), ...reading.warnings], source };
}

function warningsOfSource(source: TargetSource): string[] {
  if (source.from !== 'address' || source.leaves === undefined) return [];
  return [
    `${source.leaves} of this folder is not read, as the server is named without it; --target ${source.leaves} reads both`,
  ];
}

function assemble(reading: Reading, baseUrl: string): Target {
  return {
    baseUrl,
    roles: readRoles(reading),
    channelId: textAt(reading, 'channel'),
    secondChannelId: readSecondChannel(reading),
    workspaceId: textAt(reading, 'workspace'),
    files: readFiles(reading),
    ...readWithout(reading),
    names: readNames(reading),
    bindings: readBindings(reading),
    hooks: readHooks(reading),
    settleMs: numberAt(reading, 'settle_ms'),
    budgetMs: numberAt(reading, 'budget_ms'),
    limits: readLimits(reading, baseUrl),
    connection: readConnection(reading),
  };
}

/** Empty when there is a problem with it: reading goes on, to find the others too. */
function readBaseUrl(reading: Reading, file: Layer | undefined): string {
  const given = pick(reading.layers, ['base_url']);
  if (given === undefined) {
    const place = file?.placeOf([], 'value') ?? { name: 'command line' };
    reading.problems.add(
      place,
      '`base_url` is missing – set it in the target file, by --base-url or CONFORM_BASE_URL',
    );
    return '';
  }
  if (typeof given.value !== 'string') return '';
  const parsed = parseBaseUrl(given.value);
  if ('url' in parsed) return parsed.url;
  fault(reading, given, parsed.fault);
  return '';
}

/** The second channel; a problem when it is the first. */
function readSecondChannel(reading: Reading): string | undefined {
  const second = pick(reading.layers, ['second_channel']);
  if (typeof second?.value !== 'string') return undefined;
  if (second.value.toLowerCase() === textAt(reading, 'channel')?.toLowerCase()) {
    fault(reading, second, 'must be another channel than `channel`');
  }
  return second.value;
}

function readFiles(reading: Reading): readonly string[] {
  const given = pick(reading.layers, ['files'])?.value;
  return Array.isArray(given) ? given.map((id) => String(id).toLowerCase()) : [];
}

/** A part that is not there cannot have files to attach, or a hook. */
function readWithout(reading: Reading): Pick<Target, 'without'> {
  const given = pick(reading.layers, ['without']);
  if (given === undefined || !Array.isArray(given.value)) return {};
  const without = withoutNames.filter((name) => (given.value as readonly unknown[]).includes(name));
  for (const [name, ...path] of [
    ['files', 'files'],
    ['files', 'hooks', 'file'],
    ['limits', 'hooks', 'limit'],
  ] as const) {
    if (without.includes(name) && pick(reading.layers, path) !== undefined)
      fault(reading, given, `says that there are no ${name}, and ${printPath(path)} is given`);
  }
  return { without };
}

function readNames(reading: Reading): Names {
  const header = textAt(reading, 'names', 'agent_id_header') ?? defaultNames.agentIdHeader;
  const providers = { ...defaultNames.providers };
  for (const name of providerNames) {
    providers[name] = textAt(reading, 'names', 'providers', name) ?? providers[name];
  }
  requireDistinct(reading, ['names', 'providers'], providers);
  requireEvery(reading, ['names', 'providers'], providerNames);
  return { agentIdHeader: header.toLowerCase(), providers };
}

function readBindings(reading: Reading): Bindings {
  const fieldOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const given = Object.entries(defaultBindings).map(
    ([name, usual]) => [name, textAt(reading, 'bindings', fieldOf(name)) ?? (usual as unknown)] as const,
  );
  // Every field has a default, which may be that there is none.
  const bindings = Object.fromEntries(given) as unknown as Bindings;
  const { mentions, attachments, sourceSession, agentHost } = bindings;
  const sendFields = { mentions, attachments, source_session: sourceSession, agent_host: agentHost };
  requireDistinct(reading, ['bindings'], sendFields);
  return bindings;
}

/** Two fields of a section with one value would be one thing under two names; a default counts. */
function requireDistinct(
  reading: Reading,
  section: readonly string[],
  values: Readonly<Record<string, string>>,
): void {
  for (const [field, value] of Object.entries(values)) {
    const twin = Object.keys(values).find((other) => other !== field && values[other] === value);
    const given = pick(reading.layers, [...section, field]);
    if (twin === undefined || given === undefined) continue;
    fault(reading, given, `has the value of ${printPath([...section, twin])} – each needs its own`);
  }
}

/** Who has a word of its own for one has words for the others: without them, what keeps to the contract would be called wrong. */
function requireEvery(reading: Reading, section: readonly string[], names: readonly string[]): void {
  const given = names.flatMap((name) => pick(reading.layers, [...section, name]) ?? []);
  const missing = names.filter((name) => pick(reading.layers, [...section, name]) === undefined);
  const [first] = given;
  if (first === undefined || missing.length === 0) return;
  const others = missing.map((name) => printPath([...section, name])).join(', ');
  fault(reading, first, `needs ${others} beside it – give a neutral word where the server has no other`);
}

function readLimits(reading: Reading, baseUrl: string): Limits {
  const isLocal = baseUrl !== '' && isLoopback(baseUrl);
  const maxBytes = isLocal ? defaultMaxBytes.loopback : defaultMaxBytes.remote;
  return {
    ratePerSecond: numberAt(reading, 'limits', 'rate_per_second'),
    maxBytes: numberAt(reading, 'limits', 'max_bytes') ?? maxBytes,
    isReadOnly: pick(reading.layers, ['limits', 'read_only'])?.value === true,
  };
}

/** The fields of a target file that a fresh workspace has of its own; everything else stays the target's. */
const freshFields = ['base_url', 'workspace', 'channel', 'second_channel', 'roles'];

/**
 * Reads what the provision hook printed, by the rules of target files, into a target like `base` with another workspace.
 * Tokens stand there as they are: `env:` and `file:` are no references.
 * @throws HookFailed that names the field and what is wrong with it; never a value
 */
export function readFreshTarget(output: Readonly<Record<string, unknown>>, base: Target): Target {
  const place = { name: 'hooks.provision' };
  const layer: Layer = {
    fields: output,
    folder: process.cwd(),
    hasReferences: false,
    sourceOf: () => 'hooks.provision',
    placeOf: () => place,
  };
  const problems = new Problems();
  checkShape(layer, problems);
  const other = Object.keys(output).find((field) => !freshFields.includes(field));
  if (other !== undefined)
    problems.add(place, `${printPath([other])} must be the target's own – leave it out`);
  const reading = { layers: [layer], env: {}, problems, warnings: [] };
  const baseUrl = textAt(reading, 'base_url');
  if (baseUrl !== undefined && !isSameServer(baseUrl, base)) {
    problems.add(place, '`base_url` must be that of the target, or left out: nothing else is contacted');
  }
  const fresh: Target = {
    ...base,
    workspaceId: textAt(reading, 'workspace'),
    channelId: textAt(reading, 'channel'),
    secondChannelId: readSecondChannel(reading),
    roles: readRoles(reading),
  };
  try {
    problems.throwIfAny();
  } catch (error) {
    throw error instanceof InvalidTarget
      ? new HookFailed(error.message.replace(place.name, `${place.name}: in its output`))
      : error;
  }
  return fresh;
}

function isSameServer(baseUrl: string, base: Target): boolean {
  const parsed = parseBaseUrl(baseUrl);
  return 'url' in parsed && parsed.url === base.baseUrl;
}
