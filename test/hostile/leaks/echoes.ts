import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../../../cli/shared/read-results.ts';
import { reportOn } from '../../../cli/shared/reports.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { bundleOf } from '../../../reporters/bundle.ts';
import { compareRuns } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { siteOn } from '../../../reporters/site/site.ts';
import { formatNames } from '../../../reporters/formats/format.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { faultsOfReport, markupFaults } from '../../reporters/formats/report.ts';
import { givenFailure, type OpenServer, type Room, type Row, words } from '../frame/row.ts';
import { secretsIn } from '../frame/secret-forms.ts';
import { echoing, gatewayKey, gatewaySecret } from './echo.ts';

/** The option by which a command writes a report in every format. */
const everyReport = `--report ${formatNames.map((name) => `${name}=report-${name}`).join(' ')}`;

const commands = {
  rerunCommand: (checks: readonly string[]) => `conform --check ${checks.join(' ')}`,
  replayCommand: (file: string) => `conform replay ${file}`,
};

/**
 * What is wrong with the reports that a command has written, and with those that `conform report` and `conform compare` make of its
 * stream: by the rules of their formats, and by the secrets in them.
 */
function faultsOfReports(stream: string, { folder }: Room, secrets: readonly string[]): readonly string[] {
  const runs = readResults([join(folder, stream)]);
  const written = formatNames.map((name) => [name, textOf(join(folder, `report-${name}`))] as const);
  const made = reportFormats.map((format) => {
    const pieces = reportOn(runs, format, { ...commands, secrets: new KnownSecrets() });
    return [format.name, [...pieces].join('')] as const;
  });
  const [run] = runs;
  const bundles = runs.map((each) => JSON.stringify(bundleOf(each, nobody)));
  const named = run === undefined ? [] : ['A', 'B'].map((name) => ({ name, run }));
  const page = renderComparison(compareRuns(named), 'html');
  const site = [...siteOn(named)].map(({ text }) => text);
  const compared = [page, renderComparison(compareRuns(named), 'markdown'), site.join('\n')];
  return [
    ...[...written, ...made].flatMap(([name, text]) =>
      faultsOfReport[name](text).map((fault) => `${name}: ${fault}`),
    ),
    ...markupFaults(page).map((fault) => `comparison: ${fault}`),
    ...[...made.map(([, text]) => text), ...compared, ...bundles].flatMap((text) =>
      secretsIn(text, secrets).map((form) => `shows a secret in a report on its stream: ${form}`),
    ),
  ];
}

/** Who makes a bundle has no part in what is in it. */
const nobody = { versions: { suite: '', node: '', platform: '' }, target: null };

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const everywhere = echoing('errors', 'bodies', 'headers');
const withKey: Pick<Row, 'target' | 'secrets' | 'isAlone'> = {
  isAlone: true,
  target: (fields) => ({
    ...fields,
    connection: { headers: { 'X-Gateway-Key': gatewayKey, 'X-Gateway-Secret': gatewaySecret } },
  }),
  secrets: [gatewayKey, gatewaySecret],
};
const keepAll =
  '--out run.ndjson --history history.ndjson --snapshot seen.yaml --write-baseline known.yaml --verbose';

/** What a row's command has to have written, so that there is something to search. */
function wrote(...names: readonly string[]): NonNullable<Row['expected']['leaves']> {
  return ({ folder }) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => !files.some((file) => file.includes(name)))
      .map((name) => `wrote no ${name} in ${join(folder)}`);
  };
}

/** The same, and a report in every format, valid and without a secret, at the end and of its stream. */
function wroteReports(stream: string, ...names: readonly string[]): NonNullable<Row['expected']['leaves']> {
  return (room) => {
    const secrets = [
      gatewayKey,
      gatewaySecret,
      ...Object.values(room.target['roles'] as Readonly<Record<string, string>>),
    ];
    const missing = wrote(stream, ...names)(room);
    return missing.length > 0 ? missing : faultsOfReports(stream, room, secrets);
  };
}

function run(place: 'errors' | 'bodies' | 'headers' | 'redirects', areas: string): Row {
  return {
    ...withKey,
    name: `a run shows no secret that comes back in ${place}`,
    server: echoing(place),
    args: words(`--target conform.yaml --only ${areas} ${keepAll}`),
    expected: { exit: [0, 1, 3], says: '(exit', budgetS: 60, leaves: wrote('run.ndjson', 'history.ndjson') },
  };
}

function runEverywhere(what: string, options: string): Row {
  return {
    ...withKey,
    name: `${what} with every report shows no secret that comes back everywhere`,
    server: everywhere,
    args: words(`--target conform.yaml ${keepAll} ${everyReport} ${options}`),
    expected: {
      exit: [1, 3, 130],
      says: '(exit',
      budgetS: 60,
      leaves: wroteReports('run.ndjson', 'history.ndjson'),
    },
  };
}

function campaign(cases: number, options: string, server: OpenServer): Row {
  return {
    ...withKey,
    name: `a campaign of ${cases} cases shows no secret that comes back`,
    server,
    args: words(
      `fuzz --target conform.yaml --cases ${cases} --corpus corpus --history history.ndjson --write-baseline known.yaml ${everyReport} ${options}`,
    ),
    expected: {
      exit: [1, 3],
      says: 'failed',
      budgetS: 60,
      leaves: wroteReports('fuzz-results/campaign.ndjson', 'fuzz-results/failures/', 'corpus/'),
    },
  };
}

/** The same of all checks and of more cases, and by one place at a time. */
export const longEchoRows: readonly Row[] = [
  run('redirects', 'errors,overview'),
  run('errors', 'auth,errors'),
  run('bodies', 'message,overview'),
  run('headers', 'auth,overview'),
  runEverywhere('a whole run', '--budget-ms 40000'),
  campaign(600, '', everywhere),
  {
    ...withKey,
    name: 'concurrent clients show no secret that comes back everywhere',
    server: everywhere,
    args: words(
      `stress --target conform.yaml --clients 4 --time 1s --history history.ndjson --keep kept --out run.ndjson ${everyReport}`,
    ),
    expected: {
      exit: [0, 1, 3],
      says: /clauses? failed|nothing (?:can|could) be concluded/,
      budgetS: 60,
      leaves: wroteReports('run.ndjson'),
    },
  },
  {
    ...withKey,
    name: 'the doctor shows no secret that comes back everywhere',
    server: everywhere,
    args: words('doctor --target conform.yaml'),
    expected: { exit: [0, 3], says: 'round trip', budgetS: 60 },
  },
];

/** Servers that send credentials back, in every encoding, and all that a command leaves. */
export const echoRows: readonly Row[] = [
  runEverywhere('a run', '--only errors overview'),
  // Every answer with a body of secrets is a finding of its own, which is shrunk: that is for the night.
  campaign(8, '--only mentions', echoing('errors', 'headers')),
  {
    ...withKey,
    name: 'a replay shows no secret that comes back everywhere',
    server: everywhere,
    given: givenFailure,
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: [0, 1, 3], says: 'message.content.unaltered', budgetS: 60 },
  },
  {
    ...withKey,
    name: 'the doctor shows no secret that comes back where credentials are refused',
    server: echoing('redirects', 'errors'),
    args: words('doctor --target conform.yaml'),
    expected: { exit: [0, 3], says: 'round trip', budgetS: 60 },
  },
];
