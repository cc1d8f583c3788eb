import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bundle, createConfig, lint } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callOf, pageParameters } from '../../spec/calls/index.ts';
import { pageAsked } from '../../spec/oracles/requests/expect-query.ts';
import { packageFile } from '../../spec/package-file.ts';
import { schemaNames } from '../../spec/schemas.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const path = packageFile('spec/openapi.yaml');
const text = readFileSync(path, 'utf8');
const document = parse(text) as {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = new Map(
  Object.entries(document.paths).flatMap(([route, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => [`${method} ${route}`, item[method]!] as const),
  ),
);

describe('the OpenAPI document', () => {
  let config: Awaited<ReturnType<typeof createConfig>>;
  beforeAll(async () => {
    config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The service has no licence that the contract names.
        'info-license': 'off',
      },
    });
  });

  it('is lint-clean, warnings included', async () => {
    const problems = await lint({ ref: path, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('resolves every reference', async () => {
    const { problems, bundle: bundled } = await bundle({ ref: path, config, dereference: true });
    expect(problems).toEqual([]);
    expect(JSON.stringify(bundled.parsed)).not.toContain('$ref');
  });

  it('keeps the published schema of OpenAPI 3.1, by a second validator', async () => {
    // It reads one file only. In that the id of a schema would send its references elsewhere.
    const { bundle: bundled } = await bundle({ ref: path, config });
    const whole = JSON.parse(JSON.stringify(bundled.parsed), withoutIds) as Record<string, unknown>;
    const validator = new Validator();
    expect(await validator.validate(structuredClone(whole))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(JSON.stringify(validator.resolveRefs())).toContain('"high_watermark"');
    const broken = structuredClone(whole) as { paths: Record<string, { get: Record<string, unknown> }> };
    broken.paths['/v0/mentions']!.get['responses'] = { wrong: {} };
    expect((await validator.validate(broken)).valid).toBe(false);
  });

  it('is of OpenAPI 3.1 and of the version of the contract', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('0.1.0-preview');
  });

  it('states the calls of the contract and no other', () => {
    expect([...operations.keys()].toSorted()).toEqual([
      'get /v0/channels',
      'get /v0/channels/{channel_id}/messages',
      'get /v0/channels/{channel_id}/receipts',
      'get /v0/mentions',
      'get /v1/human/workspaces/{workspace_id}',
      'post /v0/channels/{channel_id}/messages',
    ]);
  });

  it('numbers the statuses of mentions alone', () => {
    for (const [call, { responses }] of operations) {
      const statuses = Object.keys(responses).toSorted();
      expect(statuses).toEqual(
        call === 'get /v0/mentions'
          ? ['200', '400', '401', '403', '409', '429']
          : ['2XX', '401', '4XX', 'default'],
      );
    }
  });

  it('asks for a machine token under /v1 and an agent credential elsewhere', () => {
    for (const [call, { security }] of operations) {
      expect(security).toEqual(call.includes(' /v1/') ? [{ machine: [] }] : undefined);
    }
  });

  it('gives reads the parameters by which judges know their pages', () => {
    const ofReads = [...operations].flatMap(([operation, { parameters = [] }]) => {
      const [method, path = ''] = operation.split(' ');
      const call = method === 'get' ? callOf('GET', path.replace(/\{.*\}/, randomUUID())) : 'other';
      const names = parameters.flatMap((each) => (each.in === 'query' ? each.name : []));
      return names.length > 0 ? [[call, names] as const] : [];
    });
    expect(Object.fromEntries(ofReads)).toEqual(pageParameters);
    for (const [call, names] of ofReads) {
      for (const name of names) {
        const asked = pageAsked({
          method: 'GET',
          path: '/',
          headers: {},
          body: undefined,
          call,
          query: `${name}=1`,
        });
        expect(asked, `${call} ${name}`).toEqual({ [name]: 1n });
      }
    }
  });

  it('refers to schema files by the names that the package has', () => {
    const names = [...text.matchAll(/\$ref: schemas\/(.+)\.schema\.json/g)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !(schemaNames as readonly (string | undefined)[]).includes(name))).toEqual(
      [],
    );
  });
});

function withoutIds(name: string, value: unknown): unknown {
  return name === '$id' ? undefined : value;
}
