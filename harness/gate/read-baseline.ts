import { resolve } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { clauses, clientClauses, type JudgedClauseId } from '../../spec/index.ts';
import { readTextFile } from '../config/bounded-file.ts';
import { type Place, Problems } from '../config/reading/problems.ts';
import { yamlFaults } from '../config/reading/yaml-layer.ts';
import { Baseline, type BaselineEntry, type Decider } from './baseline.ts';
import { didYouMean } from './names-meant.ts';

/** A thousand entries with long reasons have half of this. */
const maxBaselineBytes = 1_048_576;

/** A file may be about servers, or about a client. */
const known = [...clauses, ...clientClauses];

const entryFieldNames = ['check', 'clause', 'finding', 'reason', 'expires'] as const;
type FieldName = (typeof entryFieldNames)[number];

interface BaselineSource {
  /** Path from `cwd`, and the name in messages. */
  readonly file: string;
  readonly cwd: string;
  /** Every check of the suite. */
  readonly deciders: readonly Decider[];
  /** A day in UTC, as `2026-01-31`. */
  readonly today: string;
}

/**
 * Reads a file of known failures: a YAML list of `{check, clause, finding, reason, expires}`.
 * @throws InvalidTarget that lists everything wrong with file, line and column: a typo would excuse nothing, or the wrong thing
 */
export function readBaseline({ file, cwd, deciders, today }: BaselineSource): Baseline {
  const problems = new Problems('baseline');
  const read = readTextFile(resolve(cwd, file), maxBaselineBytes);
  if ('fault' in read) problems.add({ name: file }, `the baseline ${read.fault}`);
  const entries = 'text' in read ? entriesIn(read.text, file, { problems, deciders }) : [];
  problems.throwIfAny();
  return new Baseline(entries, { deciders, today });
}

interface EntryParts {
  readonly problems: Problems;
  readonly deciders: readonly Decider[];
}

function entriesIn(text: string, file: string, { problems, deciders }: EntryParts): BaselineEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const placeAt = (offset = 0): Place => {
    const { line, col } = lines.linePos(offset);
    return { name: file, line, column: col };
  };
  for (const { code, pos } of document.errors) problems.add(placeAt(pos[0]), yamlFaults[code]);
  const list = document.contents;
  if (document.errors.length > 0 || list === null || (isScalar(list) && list.value === null)) return [];
  if (!isSeq(list)) {
    problems.add(placeAt(list.range[0]), 'a baseline is a list: each entry starts with `- `');
    return [];
  }
  const reader = new EntryReader({ problems, deciders, placeAt });
  const entries = list.items.flatMap((item) => reader.read(item) ?? []);
  refuseControls(entries, problems);
  return entries;
}

class EntryReader {
  readonly #problems: Problems;
  readonly #deciders: readonly Decider[];
  readonly #placeAt: (offset?: number) => Place;

  constructor({ problems, deciders, placeAt }: EntryParts & { placeAt: (offset?: number) => Place }) {
    this.#problems = problems;
    this.#deciders = deciders;
    this.#placeAt = placeAt;
  }

  /** `undefined` when something is wrong with it. */
  read(item: unknown): BaselineEntry | undefined {
    if (!isMap(item)) {
      const offset = isScalar(item) || isSeq(item) ? item.range?.[0] : undefined;
      this.#problems.add(
        this.#placeAt(offset),
        'an entry has fields: `check`, `clause` or `finding`, and `reason`',
      );
      return undefined;
    }
    const fields = this.#fieldsOf(item);
    const start = this.#placeAt(item.range?.[0]);
    if (fields === undefined) return undefined;
    const { check, clause, finding, reason, expires } = fields;
    const isNameless = check === undefined && clause === undefined && finding === undefined;
    const faults = [
      isNameless ? [start, 'an entry needs `check`, `clause` or `finding`'] : undefined,
      finding !== undefined && (check ?? clause) !== undefined
        ? [finding.place, '`finding` names its clause itself: leave out `check` and `clause`']
        : undefined,
      finding && faultOfFinding(finding),
      reason === undefined ? [start, 'an entry needs `reason`: why may it fail?'] : undefined,
      check && this.#faultOfCheck(check),
      clause && this.#faultOfClause(clause, check),
      reason?.text.trim() === '' ? [reason.place, 'say why it may fail'] : undefined,
      expires && !isDay(expires.text) ? [expires.place, 'must be a date such as 2026-01-31'] : undefined,
    ].filter((fault): fault is [Place, string] => fault !== undefined);
    for (const [place, text] of faults) this.#problems.add(place, text);
    if (faults.length > 0 || reason === undefined) return undefined;
    return {
      ...(check === undefined ? {} : { check: check.text }),
      ...(clause === undefined ? {} : { clause: clause.text as JudgedClauseId }),
      ...(finding === undefined ? {} : { finding: finding.text }),
      reason: reason.text.trim(),
      ...(expires === undefined ? {} : { expires: expires.text }),
      place: `${start.name}:${start.line}:${start.column}`,
    };
  }

  /** The fields by name; `undefined` when one is unknown or no text. */
  #fieldsOf(item: YAMLMap): Partial<Record<FieldName, EntryField>> | undefined {
    const fields: Partial<Record<FieldName, EntryField>> = {};
    let isSound = true;
    for (const { key, value } of item.items as Pair[]) {
      const name = isScalar(key) ? String(key.value) : '';
      const place = this.#placeAt(isScalar(key) ? key.range?.[0] : item.range?.[0]);
      const known = entryFieldNames.find((each) => each === name);
      const fault =
        known === undefined
          ? `there is no field \`${name}\`${didYouMean(name, entryFieldNames)}`
          : isScalar(value) && (typeof value.value === 'string' || value.value === null)
            ? undefined
            : `\`${name}\` must be text`;
      if (fault !== undefined) this.#problems.add(place, fault);
      if (fault !== undefined || known === undefined || !isScalar(value)) isSound = false;
      else
        fields[known] = {
          text: typeof value.value === 'string' ? value.value : '',
          place: this.#placeAt(value.range?.[0]),
        };
    }
    return isSound ? fields : undefined;
  }

  #faultOfCheck({ text, place }: EntryField): [Place, string] | undefined {
    const ids = this.#deciders.map(({ id }) => id);
    return ids.includes(text)
      ? undefined
      : [place, `there is no check ${JSON.stringify(text)}${didYouMean(text, ids)}`];
  }

  #faultOfClause({ text, place }: EntryField, check: EntryField | undefined): [Place, string] | undefined {
    const clause = known.find(({ id }) => id === text);
    if (clause === undefined) return noSuchClause(text, place);
    if (clause.level === 'silent') return [place, `${text} is only observed and cannot fail`];
    const deciders = this.#deciders.filter((each) =>
      each.clauses.some((id) => id === (clause.restates ?? clause.id)),
    );
    if (deciders.length === 0) return [place, `no check decides ${text}${whyUntestable(clause)}`];
    if (check === undefined || deciders.some(({ id }) => id === check.text)) return undefined;
    return [place, `${check.text} does not decide ${text}`];
  }
}

interface EntryField {
  readonly text: string;
  readonly place: Place;
}

/** A campaign prints what it found as `clause | part`. */
function faultOfFinding({ text, place }: EntryField): [Place, string] | undefined {
  const [id = '', part] = text.split(' | ');
  if (part === undefined) return [place, '`finding` is a clause and a part of it, as a campaign prints them'];
  const clause = known.find((each) => each.id === id);
  if (clause === undefined) return noSuchClause(id, place);
  return clause.level === 'silent' ? [place, `${id} is only observed and cannot fail`] : undefined;
}

function noSuchClause(text: string, place: Place): [Place, string] {
  const hint = didYouMean(
    text,
    known.map(({ id }): string => id),
  );
  return [place, `there is no clause ${JSON.stringify(text)}${hint}`];
}

function whyUntestable({ untestable }: (typeof known)[number]): string {
  return untestable === undefined ? '' : `: ${untestable}`;
}

function refuseControls(entries: readonly BaselineEntry[], problems: Problems): void {
  const seen = new Map<string, string>();
  for (const { check = '', clause = '', finding = '', place } of entries) {
    const key = `${check} ${clause} ${finding}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) problems.add({ name: place }, `the same entry is at ${earlier}; keep one`);
    seen.set(key, earlier ?? place);
  }
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  );
}
