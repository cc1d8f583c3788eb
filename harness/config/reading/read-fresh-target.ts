import { HookFailed, InvalidTarget } from '../../errors.ts';
import { parseBaseUrl } from '../base-url.ts';
import type { Target } from '../target.ts';
import { type Layer, printPath, textAt } from './layer.ts';
import { Problems } from './problems.ts';
import { readRoles } from './read-roles.ts';
import { readSecondChannel } from './read-target.ts';
import { checkShape } from './shape.ts';

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
