import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../../spec/package-file.ts';
import { composeSchema, schemaErrors } from './closed-schemas.ts';

const text = readFileSync(packageFile('adapters/ci/compose.yaml'), 'utf8');

function errorsOf(compose: string): string[] {
  return schemaErrors(composeSchema, parse(compose, { merge: true }));
}

describe('the compose file', () => {
  it('keeps the schema, and each service runs without rights that it does not need', () => {
    expect(errorsOf(text)).toEqual([]);
    for (const [from, to] of [
      ['service_healthy', 'healthy'],
      ['cap_drop: [ALL]', 'cap_drop: []'],
      ['read_only: true', 'read_only: false'],
      ['healthcheck:', 'health_check:'],
      ['no-new-privileges:true', 'no-new-privileges:false'],
    ] as const)
      expect(errorsOf(text.replace(from, to)), to).not.toEqual([]);
  });

  it('builds from a folder that has what it names', () => {
    const { services } = parse(text, { merge: true }) as {
      services: { server: { build: { context: string; dockerfile: string } } };
    };
    const { context, dockerfile } = services.server.build;
    expect(existsSync(join(packageFile('adapters/ci'), context, dockerfile))).toBe(true);
  });

  it('has the volumes and services that its services name', () => {
    const { services, volumes } = parse(text, { merge: true }) as {
      services: Record<string, { volumes: string[]; network_mode?: string; depends_on?: object }>;
      volumes: object;
    };
    for (const service of Object.values(services)) {
      for (const each of service.volumes) expect(Object.keys(volumes)).toContain(each.split(':')[0]);
      for (const other of Object.keys(service.depends_on ?? {})) {
        expect(Object.keys(services)).toContain(other);
        expect(service.network_mode).toBe(`service:${other}`);
      }
    }
    expect(Object.keys(services['gate']?.depends_on ?? {})).toEqual(['server']);
  });
});
