import { randomInt } from 'node:crypto';
import { startChaos } from '../../harness/front/chaos.ts';
import { listenForHooks, type OperatorListener } from '../../embedded/operator-listener.ts';
import { hooksOfReference } from '../../embedded/reference-hooks.ts';
import { hookNames } from '../../harness/config/target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import {
  clockFrom,
  DataFileFault,
  retaining,
  serveReference,
  sourcesOfSeed,
  targetFileOf,
} from '../../reference/index.ts';
import type { ServeOptions } from '../../reference/index.ts';
import { packageFile } from '../../spec/index.ts';
import { troubleInWords, troubleOf, type TroubleOptions } from '../shared/trouble-options.ts';
import { type FaultNames, faultsNamed } from './faults.ts';

/** A reference that is served, with all that goes wrong with it. */
interface ServedReference {
  readonly targetFile: string;
  /** Where it listens, and how it differs from what is usual. */
  readonly words: string;
  close(): Promise<void>;
}

/**
 * Serves the reference as the options say.
 * @throws InvalidTarget where an option is wrong, or the port is taken
 */
export async function openServed(options: ReferenceCommandOptions): Promise<ServedReference> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of opened.toReversed()) await closeOne();
  };
  try {
    return { ...(await open(options, (closeOne) => opened.push(closeOne))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: ReferenceCommandOptions,
  onOpen: (close: () => Promise<unknown>) => void,
): Promise<Omit<ServedReference, 'close'>> {
  const seed = options.seed ?? randomInt(2 ** 31);
  const trouble = troubleOf(options, seed);
  const troubleWords = troubleInWords(trouble);
  const faults = await faultsNamed(options, seed);
  const { settings, ...overlay } = faults.options;
  const at = { port: options.port, host: options.host };
  const reference = await listening(
    serveReference({
      ...(troubleWords === '' ? at : { port: 0, host: '127.0.0.1' }),
      ...overlay,
      dataFile: options.data,
      settings: { ...settings, ...settingsOf(options) },
      sources: sourcesOf(options),
    }),
    at,
  );
  onOpen(() => reference.close());
  reference.operator.seedMessages(reference.world, options.seedMessages ?? 0);
  onOpen(faults.join(reference));
  let { baseUrl } = reference;
  if (troubleWords !== '') {
    const proxy = await listening(startChaos(reference, trouble, at), at);
    onOpen(() => proxy.close());
    ({ baseUrl } = proxy);
  }
  const operator = await listenForHooks(hooksOfReference(reference));
  onOpen(() => operator.close());
  return {
    targetFile: targetFileOf({ ...reference, baseUrl }) + hooksSection(operator, options.hooks),
    words: [`the reference listens at ${baseUrl}`, ...manner(options, troubleWords)].join(', '),
  };
}

/** How it differs from what is usual, in words. */
function manner({ mutant, variant, seed, host }: ReferenceCommandOptions, trouble: string): string[] {
  const isForAll = seed !== undefined && !/^(?:127\.|::1$|localhost$)/.test(host);
  return [
    ...(mutant === undefined ? [] : [`as the mutant ${mutant}`]),
    ...variant.map((name) => `as the variant ${name}`),
    ...(trouble === '' ? [] : [`with ${trouble} on the way`]),
    ...(isForAll ? ['open to everybody who guesses the seed of its tokens'] : []),
  ];
}

function settingsOf({ keep, limit }: ReferenceCommandOptions): NonNullable<ServeOptions['settings']> {
  return {
    ...(keep === undefined ? {} : retaining(keep)),
    ...(limit === undefined ? {} : { requestsPerSecond: limit }),
  };
}

function sourcesOf({
  seed,
  clock,
  frozen = false,
}: ReferenceCommandOptions): NonNullable<ServeOptions['sources']> {
  if (frozen && clock === undefined) throw new InvalidTarget('--frozen needs --clock, the time to stand at');
  return {
    ...(seed === undefined ? {} : sourcesOfSeed(seed)),
    ...(clock === undefined ? {} : { now: clockFrom(clock, frozen) }),
  };
}

/** @throws InvalidTarget where the address or the data file cannot be used */
async function listening<Started>(
  started: Promise<Started>,
  { host, port }: Pick<ServeOptions, 'host' | 'port'>,
): Promise<Started> {
  try {
    return await started;
  } catch (error) {
    const { syscall, code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof DataFileFault) throw new InvalidTarget(error.message);
    if (syscall === undefined) throw error;
    throw new InvalidTarget(`the reference cannot listen at ${host}, port ${port} (${code})`);
  }
}

/** The `hooks` of the target file; they work in any folder of this machine. */
function hooksSection(operator: OperatorListener, form: HookForm): string {
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

/** The forms that hooks have in a printed target file. */
type HookForm = 'url' | 'command' | 'process';

/** Options of `conform reference`, as commander parses them. */
export interface ReferenceCommandOptions extends TroubleOptions, FaultNames {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly keep?: number;
  readonly seedMessages?: number;
  readonly limit?: number;
  readonly hooks: HookForm;
  readonly seed?: number;
  /** In ms since 1970. */
  readonly clock?: number;
  readonly frozen?: boolean;
  readonly list?: boolean;
}
