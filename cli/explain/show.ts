import { whatEnables } from '../../harness/config/capabilities.ts';
import { namesMeant } from '../../harness/gate/names-meant.ts';
import { clientChecks, runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { wireDecisions } from '../../harness/wire/wire-checks.ts';
import type { RunWideCheck } from '../../harness/verdict/run-wide-check.ts';
import { catalogue, judgesByFile } from '../../history/judges/index.ts';
import { scenarios } from '../../scenarios/catalogue/index.ts';
import { clausesOf, type Scenario } from '../../scenarios/scenario.ts';
import { clauseOf, clauses, clientClauses, contractPlace, type JudgedClauseId } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { decidedBy, clauseRows, clientClauseRows } from './clause-rows.ts';
import { ownCommand } from '../shared/own-command.ts';

/**
 * What `conform show` prints about the checks and clauses of a name or pattern.
 * @throws InvalidTarget when there is none
 */
export function show(name: string): string {
  const all = [...allChecks, ...runWideChecks, ...clientChecks, ...clauses, ...scenarios, ...clientClauses];
  const ids = new Set(all.map(({ id }): string => id));
  const pages = namesMeant('check or clause', [name], [...ids]).flatMap(pagesOfId);
  return pages.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** A check and a clause may have the same id. */
function pagesOfId(id: string): string[][] {
  return [
    ...allChecks.filter((check) => check.id === id).map(checkPage),
    ...runWideChecks.filter((check) => check.id === id).map((check) => judgedPage(check, ofAnswers)),
    ...clientChecks.filter((check) => check.id === id).map((check) => judgedPage(check, ofClients)),
    ...scenarios.filter((each) => each.id === id).map(scenarioPage),
    ...clauseRows()
      .filter(({ clause }) => clause.id === id)
      .map(clausePage),
    ...clientClauseRows()
      .filter(({ clause }) => clause.id === id)
      .map(({ clause, checks }) => [...clauseLines(clause, ''), `  ${decidedBy({ clause, checks })}`]),
  ];
}

function checkPage({ id, title, file, clauses: decided, needs }: (typeof allChecks)[number]): string[] {
  const needed = needs.map((need) => `  ${need}: ${whatEnables(need)}`);
  return [
    id,
    `  ${title}`,
    ...(file === undefined ? [] : [`  ${file}`]),
    ...decides(decided),
    '',
    'needs',
    ...(needed.length > 0 ? needed : ['  nothing but a server']),
    ...runAlone(`--check ${id}`),
  ];
}

const ofAnswers =
  'It has no requests of its own: it judges the answers that all other checks get, and any run includes it.';
const ofClients =
  'It has no requests of its own: it judges what others ask, in `client`, `proxy` and `judge`, and no run includes it.';

function judgedPage(
  { id, title, clauses: decided }: Pick<RunWideCheck<JudgedClauseId>, 'id' | 'title' | 'clauses'>,
  note: string,
): string[] {
  return [id, `  ${title}`, ...decides(decided), '', note];
}

function scenarioPage(scenario: Scenario): string[] {
  const { id, title } = scenario;
  const alone = ['', 'play it alone', `  ${ownCommand()} client --scenario ${id} -- COMMAND`];
  return [id, `  ${title}`, ...decides(clausesOf(scenario)), ...alone];
}

function clausePage(row: ReturnType<typeof clauseRows>[number]): string[] {
  const { clause, checks } = row;
  const alone = checks.length > 0 ? runAlone(`--clause ${clause.id}`) : [];
  const files = new Map(allChecks.map(({ id, file }) => [id, file]));
  const withFiles = checks.map((id) => [id, files.get(id)].filter(Boolean).join(' in '));
  return [
    ...clauseLines(clause, ''),
    `  ${decidedBy({ clause, checks: withFiles })}`,
    ...judgedBy(clause.restates ?? clause.id),
    ...seenIn(clause.restates ?? clause.id),
    ...alone,
  ];
}

/** The judges of the history that speak of a clause: their files, and what each of them may find under it. */
function judgedBy(clause: JudgedClauseId): string[] {
  const rows = Object.entries(judgesByFile).flatMap(([file, { anomalies }]) =>
    anomalies
      .filter((name) => catalogue[name].clauses.some((each) => each === clause))
      .map((name) => `  ${name}: ${catalogue[name].what} (history/judges/${file})`),
  );
  if (rows.length === 0) return [];
  const arranging = allChecks
    .filter(({ arranges }) => arranges.some((each) => each === clause))
    .map(({ id }) => id);
  const arranged = arranging.length === 0 ? [] : ['', 'brought about by', `  ${arranging.join(', ')}`];
  return ['', 'judged in all that was asked and answered, as', ...rows, ...arranged];
}

/** What of every answer decides a clause, whichever check asked, and the file that says so. */
function seenIn(clause: JudgedClauseId): string[] {
  const rows = wireDecisions(clause).map(({ by, file }) => `  ${by} (${file})`);
  return rows.length === 0 ? [] : ['', 'judged in every answer, by', ...rows];
}

function decides(ids: readonly JudgedClauseId[]): string[] {
  return ['', 'decides', ...ids.flatMap((id) => clauseLines(clauseOf(id), '  '))];
}

function clauseLines({ id, level, text, source }: ReturnType<typeof clauseOf>, margin: string): string[] {
  const place = `in the contract: ${contractPlace(source)}`;
  return [`${margin}${id} [${level}]`, `${margin}  ${text}`, `${margin}  ${place}`];
}

function runAlone(selection: string): string[] {
  return ['', 'run it alone', `  ${ownCommand()} ${selection}`];
}
