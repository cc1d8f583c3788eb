import { isStated } from '../anomalies/roots.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { History, Operation } from '../operation.ts';
import { surePart } from '../sure-part.ts';
import { worldOf, type World } from '../world/world.ts';
import { access } from './access.ts';
import { appends } from './appends.ts';
import { capture } from './capture.ts';
import { coverage } from './coverage.ts';
import { cursors } from './cursors.ts';
import type { AnomalyName } from '../anomalies/catalogue.ts';
import { identity } from './identity.ts';
import type { Anomaly, Judge, Judged, UntoldBreach } from '../anomalies/judge.ts';
import { keys } from './keys.ts';
import { lost } from './absence/lost.ts';
import { unlisted } from './absence/unlisted.ts';
import { numbering } from './numbering.ts';
import { origin } from './origin.ts';
import { pages } from './pages.ts';
import { receipts } from './receipts/receipts.ts';
import { pageEnds } from './page-ends.ts';
import { selection } from './selection.ts';
import { serverErrors } from './server-errors.ts';
import { sessions } from './sessions.ts';
import { sharing } from './sharing.ts';
import { vanished } from './absence/vanished.ts';

export { catalogue, type AnomalyName } from '../anomalies/catalogue.ts';
export type { Anomaly, Judge, Judged } from '../anomalies/judge.ts';

/**
 * Every judge by its file in this folder, in the order in which their findings explain each other: the first to name a root is its
 * cause.
 */
export const judgesByFile: Readonly<Record<string, Judge>> = {
  'pages.ts': pages,
  'cursors.ts': cursors,
  'origin.ts': origin,
  'capture.ts': capture,
  'selection.ts': selection,
  'receipts/receipts.ts': receipts,
  'identity.ts': identity,
  'numbering.ts': numbering,
  'coverage.ts': coverage,
  'sharing.ts': sharing,
  'page-ends.ts': pageEnds,
  'appends.ts': appends,
  'absence/vanished.ts': vanished,
  'absence/lost.ts': lost,
  'absence/unlisted.ts': unlisted,
  'keys.ts': keys,
  'sessions.ts': sessions,
  'server-errors.ts': serverErrors,
  'access.ts': access,
};

export const judges: readonly Judge[] = Object.values(judgesByFile);

/** The clauses that any of them speaks of. */
export const judgedClauses: ReadonlySet<ClauseId> = new Set(judges.flatMap(({ clauses }) => clauses));

/** Holds a history against every rule, as far as its server was surely there. */
export function judgeHistory(history: History): Judged {
  return judgeWorld(worldOf(surePart(history)));
}

/** Holds what is known against every rule; anomalies that follow from others say so. */
function judgeWorld(world: World): Judged {
  const { anomalies, ...counts } = judgeAll(world);
  const { facts } = world.history;
  const isShown = ({ name, clause, root }: Anomaly, witness: readonly Operation[]): boolean => {
    const operations = witness.toSorted((one, other) => one.endedMs - other.endedMs);
    return judgeAll(worldOf({ facts, operations })).anomalies.some(
      (each) => each.name === name && each.clause === clause && each.root === root,
    );
  };
  return { ...counts, anomalies: withNeeded(anomalies, isShown) };
}

function judgeAll(world: World): Judged {
  const opportunities = new Map<ClauseId, number>();
  const breaches = new Map<ClauseId, number>();
  const anomalies: Anomaly[] = [];
  const untold: UntoldBreach[] = [];
  const broken = new Map<string, AnomalyName>();
  for (const { judge } of judges) {
    const judged = judge(world);
    addTo(opportunities, judged.opportunities);
    addTo(breaches, judged.breaches);
    const explained = judged.anomalies.map((anomaly) => explain(anomaly, broken));
    anomalies.push(...explained);
    for (const each of judged.untold) untold.push(each);
    for (const anomaly of explained) note(broken, anomaly);
  }
  return { opportunities, anomalies, breaches, untold };
}

function addTo(sum: Map<ClauseId, number>, counts: ReadonlyMap<ClauseId, number>): void {
  for (const [clause, count] of counts) sum.set(clause, (sum.get(clause) ?? 0) + count);
}

function explain(anomaly: Anomaly, broken: ReadonlyMap<string, AnomalyName>): Anomaly {
  if (anomaly.explainedBy !== undefined) return anomaly;
  const cause = anomaly.dependsOn.map((each) => broken.get(each)).find((name) => name !== undefined);
  return cause === undefined ? anomaly : { ...anomaly, explainedBy: cause };
}

/** Only what fails a server may explain away what would fail it. */
function note(broken: Map<string, AnomalyName>, anomaly: Anomaly): void {
  const { name, breaks, explainedBy } = anomaly;
  if (!isStated(anomaly)) return;
  for (const each of breaks) if (!broken.has(each)) broken.set(each, explainedBy ?? name);
}

/** Of one name under one clause so many witnesses are cut down; nobody looks at more. */
const mostCutDown = 5;

/**
 * Leaves out of witnesses what is not needed to show the same. The first operation stays, and so does any send: they are the cause.
 * A witness that does not show its anomaly by itself stays as it is.
 */
function withNeeded(
  anomalies: readonly Anomaly[],
  isShown: (anomaly: Anomaly, operations: readonly Operation[]) => boolean,
): readonly Anomaly[] {
  const counts = new Map<string, number>();
  return anomalies.map((anomaly) => {
    const key = `${anomaly.name} ${anomaly.clause}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const isWorthIt = count <= mostCutDown && anomaly.witness.length > 1;
    return isWorthIt && isShown(anomaly, anomaly.witness) ? cutDown(anomaly, isShown) : anomaly;
  });
}

function cutDown(
  anomaly: Anomaly,
  isShown: (anomaly: Anomaly, operations: readonly Operation[]) => boolean,
): Anomaly {
  let { witness } = anomaly;
  for (const operation of anomaly.witness.slice(1).toReversed()) {
    const rest = witness.filter((each) => each !== operation);
    if (operation.kind !== 'send' && isShown(anomaly, rest)) witness = rest;
  }
  return witness.length === anomaly.witness.length ? anomaly : { ...anomaly, witness };
}
