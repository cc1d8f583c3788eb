import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { roleField } from '../../../harness/config/reading/flag-layers.ts';
import { quantities, type Quantity, rangeOf } from '../../../harness/config/quantities.ts';
import { roleNames } from '../../../harness/config/roles.ts';
import { defaultBindings, defaultNames, hookNames, providerNames } from '../../../harness/config/target.ts';
import { packageJson } from '../../../spec/package-file.ts';

interface Node {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly $defs?: Readonly<Record<string, Node>>;
}

const schema = packageJson('harness/config/target.schema.json') as Node;

/** Every field with its path, references followed. */
function fieldsOf(node: Node, path = ''): readonly (readonly [path: string, field: Node])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const def = schema.$defs?.[field.$ref?.slice('#/$defs/'.length) ?? ''] ?? {};
    const whole = { ...def, ...field };
    return [[`${path}${name}`, whole] as const, ...fieldsOf(whole, `${path}${name}.`)];
  });
}

function isNumber(type: unknown): boolean {
  return type === 'number' || type === 'integer';
}

function schemaOf(quantity: Quantity | undefined): object {
  if (quantity === undefined) return { type: 'unknown' };
  const { least, most, isWhole } = quantity;
  return {
    title: rangeOf(quantity),
    type: isWhole ? 'integer' : 'number',
    minimum: least,
    maximum: most,
  };
}

const fields = fieldsOf(schema);
const under = (section: string): readonly string[] =>
  Object.keys(fields.find(([path]) => path === section)?.[1].properties ?? {});

describe('target.schema.json', () => {
  it('has the roles, hooks, providers and bindings that a target has', () => {
    expect(under('roles')).toEqual(roleNames.map(roleField));
    expect(under('hooks').toSorted()).toEqual(hookNames.toSorted());
    expect(under('names.providers')).toEqual([...providerNames]);
    expect(under('bindings')).toHaveLength(Object.keys(defaultBindings).length);
  });

  it('has a title for every field, as messages are made of them, and a description but for the obvious', () => {
    const isObvious = (path: string) => path.startsWith('names.providers.');
    expect(fields.filter(([, field]) => field.title === undefined)).toEqual([]);
    expect(fields.filter(([path, field]) => !isObvious(path) && field.description === undefined)).toEqual([]);
  });

  it('takes its own examples and defaults', () => {
    const refused = fields.flatMap(([path, { examples = [], ...field }]) => {
      const check = new Ajv2020({ strict: false }).compile({ ...field, $defs: schema.$defs ?? {} });
      const values = field.default === undefined ? examples : [...examples, field.default];
      return values.filter((value) => !check(value)).map((value) => `${path}: ${String(value)}`);
    });
    expect(refused).toEqual([]);
  });

  it('has the ranges that flags have', () => {
    const ranges: Readonly<Record<string, Quantity>> = {
      settle_ms: quantities.settleMs,
      budget_ms: quantities.budgetMs,
      'limits.rate_per_second': quantities.ratePerSecond,
      'limits.max_bytes': quantities.maxBytes,
    };
    const hook = schema.$defs?.['hook']?.properties?.['timeout_ms'] ?? {};
    const numbers = fields.filter(([path, { type }]) => isNumber(type) && !path.startsWith('hooks.'));
    expect(numbers.map(([path]) => path)).toEqual(Object.keys(ranges));
    for (const [path, field] of numbers) expect(field).toMatchObject(schemaOf(ranges[path]));
    expect(hook).toMatchObject(schemaOf(quantities.hookTimeoutMs));
  });

  it('states the defaults that reading uses', () => {
    const defaults = Object.fromEntries(fields.map(([path, field]) => [path, field.default]));
    expect(defaults).toMatchObject({
      'bindings.mentions': defaultBindings.mentions,
      'bindings.attachments': defaultBindings.attachments,
      'bindings.source_session': defaultBindings.sourceSession,
      'bindings.agent_host': defaultBindings.agentHost,
      'bindings.report_receipt': defaultBindings.reportReceipt,
      'bindings.report_receipt_field': defaultBindings.reportReceiptField,
      'bindings.file': defaultBindings.file,
      'bindings.file_content': defaultBindings.fileContent,
      'names.providers.provider_a': defaultNames.providers.provider_a,
      'hooks.revoke.timeout_ms': 10_000,
    });
    expect(String(defaults['names.agent_id_header']).toLowerCase()).toBe(defaultNames.agentIdHeader);
  });
});
