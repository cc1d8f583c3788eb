import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ajvFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../../spec/examples.ts';
import { ownFormats } from '../../../spec/formats.ts';
import { packageFile } from '../../../spec/package-file.ts';
import { schemaNames, schemas } from '../../../spec/schemas.ts';

/** Examples on which another validator disagrees with ours for one reason; `accepts` and `refuses` are what it does. */
interface Difference {
  readonly reason: string;
  readonly does: 'accepts' | 'refuses';
  /** `schema: example` each. */
  readonly examples: readonly string[];
}

const ownTimestamp: Difference = {
  reason: 'it does not know the format provider-d-timestamp; the pattern beside it knows no calendar',
  does: 'accepts',
  examples: [
    'source-session: provider_d 30 February',
    'source-session: provider_d 29 February of a common year',
    'source-session: provider_d month 13',
    'source-session: provider_d second 1 of hour 24',
    'source-session: provider_d minute 60',
  ],
};

const ownText: Difference = {
  reason: 'it does not know the format content-text',
  does: 'accepts',
  examples: [
    'send-request: content is empty',
    'send-request: content has a NUL',
    'send-request: content has a lone high surrogate',
    'send-request: content has a lone low surrogate',
    'send-request: content has a reversed pair',
    'send-request: content has 500,001 bytes',
    'send-request: content has 250,001 characters of two bytes',
  ],
};

/** Of ajv with ajv-formats, our own formats unknown to it. */
const ofAjv: readonly Difference[] = [
  ownTimestamp,
  ownText,
  {
    reason: 'its uuid takes a URN',
    does: 'accepts',
    examples: [
      'mention-target: id is a URN',
      'membership: workspace_id is a URN',
      'channel: workspace_id is a URN',
    ],
  },
  {
    reason: 'its email wants a dot in the host',
    does: 'refuses',
    examples: ['member: undotted mail host'],
  },
];

/** Of `jsonschema` for Python, our own formats unknown to it. */
const ofPython: readonly Difference[] = [
  ownTimestamp,
  ownText,
  {
    reason:
      'it checks date-time only beside another package, and does not know the format iso-8601-date-time',
    does: 'accepts',
    examples: [
      'message: created_at has a space and no offset',
      'message: created_at is a week date',
      'workspace-file: created_at names a day that does not exist',
      'workspace-file: created_at has no offset',
      'workspace-file: uploaded_at is a date alone',
      'workspace-file: uploaded_at is in basic form',
      'workspace: created_at names a day that does not exist',
      'workspace: created_at has no offset',
      'workspace: updated_at is a date alone',
      'workspace: updated_at is in basic form',
      'membership: joined_at names a day that does not exist',
      'membership: joined_at has no offset',
      'membership: created_at is a date alone',
      'membership: created_at is in basic form',
      'membership: updated_at is in the form of HTTP dates',
      'membership: updated_at has a comma before the fraction',
      'channel: created_at names a day that does not exist',
      'channel: created_at has no offset',
      'channel: updated_at is a date alone',
      'channel: updated_at is in basic form',
      'member: joined_at names a day that does not exist',
      'member: joined_at has no offset',
      'member: updated_at is a date alone',
      'member: updated_at is in basic form',
    ],
  },
  {
    reason: 'its email wants an @ and nothing else',
    does: 'accepts',
    examples: ['member: email has no host'],
  },
];

/** Of `jsonschema` for Go, our own formats unknown to it. */
const ofGo: readonly Difference[] = [
  ownTimestamp,
  ownText,
  {
    reason: 'its date-time wants a T before the time',
    does: 'refuses',
    examples: ['message: written with a space'],
  },
];

const own = Object.keys(ownFormats);

const examples = schemaNames.flatMap((schema) => {
  const { valid, invalid } = examplesOf(schema);
  return [
    ...valid.map((each) => ({ ...each, schema, isValid: true })),
    ...invalid.map((each) => ({ ...each, schema, isValid: false })),
  ];
});

/** What a validator does to examples that is not what they say of themselves. */
function differing(accepted: readonly boolean[]): string[] {
  return examples.flatMap(({ schema, name, isValid }, index) =>
    accepted[index] === isValid
      ? []
      : [`${accepted[index] === true ? 'accepts' : 'refuses'} ${schema}: ${name}`],
  );
}

function linesOf(differences: readonly Difference[]): string[] {
  return differences.flatMap(({ does, examples: names }) => names.map((name) => `${does} ${name}`));
}

describe('the schemas elsewhere', () => {
  it('compile under ajv and ajv-formats in strict mode, with our own formats declared', () => {
    expect(own.toSorted()).toEqual(['content-text', 'iso-8601-date-time', 'provider-d-timestamp']);
    const declared = Object.fromEntries(own.map((name) => [name, true as const]));
    const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: declared });
    ajvFormats.default(ajv);
    for (const schema of Object.values(schemas)) ajv.addSchema(schema);
    const accepted = examples.map(({ schema, instance }) => ajv.validate(`${schema}.schema.json`, instance));
    expect(accepted.length).toBeGreaterThan(300);
    expect(differing(accepted).toSorted()).toEqual(linesOf(ofAjv).toSorted());
  });

  it('say the same to `jsonschema` for Python, but for what is listed', ({ skip }) => {
    const { accepted, lacks } = inPython();
    if (accepted === undefined) return skip(lacks);
    expect(accepted).toHaveLength(examples.length);
    expect(differing(accepted).toSorted()).toEqual(linesOf(ofPython).toSorted());
  });

  it('say the same to `jsonschema` for Go, but for what is listed', { timeout: 240_000 }, ({ skip }) => {
    const { accepted, lacks } = inGo();
    if (accepted === undefined) return skip(lacks);
    expect(accepted).toHaveLength(examples.length);
    expect(differing(accepted).toSorted()).toEqual(linesOf(ofGo).toSorted());
  });

  it('differ there for the reasons that the docs give', () => {
    const page = readFileSync(packageFile('docs/schemas.md'), 'utf8')
      .replaceAll('`', '')
      .replaceAll(/\s+/g, ' ');
    for (const { reason } of [...ofAjv, ...ofPython, ...ofGo]) expect(page).toContain(reason);
    for (const name of own) expect(page).toContain(`| ${name} `);
  });
});

/** What another validator accepts, in the order of the examples, or what is missing here to ask it. */
interface Asked {
  readonly accepted?: readonly boolean[];
  readonly lacks: string;
}

const folder = dirname(fileURLToPath(import.meta.url));

const input = JSON.stringify({
  schemas,
  examples: examples.map(({ schema, instance }) => [schema, instance]),
});

function inPython(): Asked {
  const args = ['-B', join(folder, 'validate.py')];
  const { status, stdout, stderr, error } = spawnSync('python3', args, { input, encoding: 'utf8' });
  if (error !== undefined) return { lacks: `python3 is not installed: ${error.message}` };
  const [missing] = /^\w*(?:ImportError|ModuleNotFoundError): .*$/m.exec(stderr) ?? [];
  if (missing !== undefined)
    return { lacks: `python3 has no jsonschema of version 4.18 or newer: ${missing}` };
  if (status !== 0) throw new Error(stderr);
  return { accepted: JSON.parse(stdout) as boolean[], lacks: '' };
}

function inGo(): Asked {
  const settings = { cwd: join(folder, 'go'), encoding: 'utf8' } as const;
  const fetched = spawnSync('go', ['mod', 'download'], { ...settings, timeout: 60_000 });
  if (fetched.error !== undefined) return { lacks: `go cannot be run: ${fetched.error.message}` };
  // What came is not what was pinned: no reason to skip.
  if (/SECURITY ERROR/.test(fetched.stderr)) throw new Error(fetched.stderr);
  if (fetched.status !== 0)
    return {
      lacks: `go is too old, or its modules cannot be fetched: ${fetched.stderr.trim().split('\n').at(-1)}`,
    };
  const { status, stdout, stderr } = spawnSync('go', ['run', '.'], { ...settings, input });
  if (status !== 0) throw new Error(stderr);
  return { accepted: JSON.parse(stdout) as boolean[], lacks: '' };
}
