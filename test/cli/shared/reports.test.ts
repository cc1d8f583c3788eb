import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { formatOf, reportOn, Reports } from '../../../cli/shared/reports.ts';
import { lostFiles } from '../../../harness/output/clean-file.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { compareRuns } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { RunCollector } from '../../../reporters/run-so-far.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { encodings } from '../../harness/output/encodings.ts';
import { secretsIn } from '../../hostile/frame/secret-forms.ts';
import {
  check,
  clause,
  collected,
  finding,
  footer,
  header,
  preflight,
  read,
} from '../../reporters/events.ts';
import { faultsOfReport, markupFaults } from '../../reporters/formats/report.ts';

/** Of what formats have to escape. */
const secret = `k&9<"qZ'7>w&2_"x*R'<5|m&p>8"t\\4`;
const folder = ownFolder('reports-');
const commands = {
  rerunCommand: (checks: readonly string[]) => `conform --check ${checks.join(' ')}`,
  replayCommand: (file: string) => `conform replay ${file}`,
};

/** A run in which all that may come from a server holds the secret in some encoding. */
function leaking(encode: (text: string) => string): RunCollector {
  const text = encode(secret);
  const body = { text: `{"a":"${text}"}`, totalBytes: 99, isCut: false };
  const exchange = {
    ...read,
    request: { ...read.request, path: `/${text}`, headers: { 'x-a': text }, body },
    response: { status: 200, headers: { [`x-${text}`]: [text] }, body },
    fault: text,
    curl: `curl '${text}'`,
  };
  const broken = check(`area.${text}`, text, [
    clause('mentions.limit', { verdict: 'failed' }),
    clause('mentions.ascending', { verdict: 'inconclusive', reason: text, enable: text }),
  ]);
  return collected([
    header({ checks: 1, baseUrl: `http://127.0.0.1:1/${text}` }),
    preflight({ lines: [{ severity: 'warning', text }] }),
    broken,
    finding({ check: broken.check, expected: text, actual: `got\n${text}`, exchanges: [exchange] }),
    { type: 'observation', check: text, name: text, clause: 'mentions.limit', value: text },
    footer({ exitCode: 1, reason: text, alsoSeenBy: { F1: [text] } }),
  ]);
}

function pieces(run: RunCollector, format: (typeof reportFormats)[number], secrets: KnownSecrets): string {
  const targetPlace = () => ({ uri: 'conform.yaml', line: 1 });
  return [...reportOn([run], format, { ...commands, targetPlace, secrets })].join('');
}

describe('a report on a run that tells secrets', () => {
  it.each(reportFormats)('has none of them, and is valid, as $name', (format) => {
    for (const [name, encode] of Object.entries(encodings)) {
      const text = pieces(leaking(encode), format, new KnownSecrets([secret]));
      expect(secretsIn(text, [secret]), name).toEqual([]);
      expect(faultsOfReport[format.name](text), name).toEqual([]);
    }
  });

  const ofServers = reportFormats.filter(({ name }) => !name.startsWith('badge'));
  it.each(ofServers)('shows them where nobody knows them, as $name', (format) => {
    expect(secretsIn(pieces(leaking(String), format, new KnownSecrets()), [secret])).not.toEqual([]);
  });
});

describe('what takes the place of a secret that only a format shows', () => {
  it('leaves each format valid', () => {
    for (const format of reportFormats) {
      const made = pieces(leaking(String), format, new KnownSecrets());
      const clean = new KnownSecrets([secret]).cleanInFormat(made);
      expect(secretsIn(clean, [secret]), format.name).toEqual([]);
      expect(faultsOfReport[format.name](clean), format.name).toEqual([]);
    }
  });

  it('leaves a comparison valid', () => {
    const named = [leaking(String), leaking(encodings['in base64'] ?? String)].map((run, index) => ({
      name: `${index}`,
      run,
    }));
    for (const format of ['html', 'markdown', 'text'] as const) {
      const clean = new KnownSecrets([secret]).cleanInFormat(renderComparison(compareRuns(named), format));
      expect(secretsIn(clean, [secret])).toEqual([]);
      expect(format === 'html' ? markupFaults(clean) : []).toEqual([]);
    }
  });
});

it('a format that breaks down takes no other with it, and its file is told as lost', () => {
  const [junit, page] = ['junit.xml', 'page.md'].map((name) => join(folder, name)) as [string, string];
  const reports = new Reports([`junit=${junit}`, `markdown=${page}`], {
    ...commands,
    secrets: new KnownSecrets(),
    say: () => undefined,
    env: {},
  });
  for (const event of [header(), preflight(), footer()]) reports.add(event);
  const broken = vi.spyOn(formatOf('junit'), 'write').mockImplementation(() => {
    throw new TypeError('a mistake');
  });
  expect(() => reports.write()).toThrow('a mistake');
  expect(readFileSync(page, 'utf8')).toContain('# ');
  expect([junit, page].filter((name) => lostFiles.has(name))).toEqual([junit]);
  lostFiles.delete(junit);
  broken.mockRestore();
});
