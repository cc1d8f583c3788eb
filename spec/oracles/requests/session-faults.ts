import { isRecord, type JsonRecord } from '../../calls/index.ts';
import { clauseOf } from '../../index.ts';
import { accept, open, reject, type Aspect } from './expected.ts';

/** The clauses by which a source session is refused. */
export const refusalClauses = [
  'source-session.invalid-is-refused',
  'source-session.cloud-new-is-refused',
  'source-session.extra-fields-are-refused',
  'source-session.urls-are-refused',
] as const;
export type RefusalClause = (typeof refusalClauses)[number];

/** What the rules about a source session say of a value: everything that is wrong, and whether the rest is open. */
interface SessionVerdict {
  readonly faults: readonly SessionFault[];
  /** A time that the contract neither allows nor forbids: second 60, hour 24, year 0000. */
  readonly isOddTime: boolean;
}

interface SessionFault {
  /** Names the kind of fault in a label. */
  readonly slug: string;
  readonly clause: RefusalClause;
  /** The JSON Schema keyword that is broken. */
  readonly keyword: string;
  /** The broken rule as `validate` points to it. */
  readonly rule: string;
}

export const providers = ['provider_a', 'provider_b', 'provider_c', 'provider_d'] as const;
export const surfaces = ['desktop', 'cli', 'cloud'] as const;

export type Provider = (typeof providers)[number];

/** What a server calls the providers. */
export interface ProviderWords {
  readonly providers: Readonly<Record<Provider, string>>;
}

/** A session with the contract's word for its provider in place of the server's own. */
export function inNeutralWords(session: JsonRecord, names: ProviderWords): JsonRecord {
  const neutral = providers.find((name) => names.providers[name] === session['provider']);
  return neutral === undefined ? session : { ...session, provider: neutral };
}

/** Where each provider is used. */
export const surfacesOf: Readonly<Record<Provider, readonly string[]>> = {
  provider_a: ['desktop', 'cli'],
  provider_b: surfaces,
  provider_c: ['cli'],
  provider_d: ['cli'],
};

/** Longest id of any provider, in characters. */
const maxIdLength = 128;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What becomes of a source session. A test holds the judge against the schema, over drawn sessions. */
export function sourceSessionAspect(session: unknown): Aspect {
  if (session === null || session === undefined) return open;
  const { faults, isOddTime } = judgeSession(session);
  const [first, ...others] = faults;
  if (first === undefined) return isOddTime ? open : accept;
  if (others.every(({ keyword }) => keyword === first.keyword)) return reject(first.clause, first.rule);
  // What breaks a must by itself does so beside whatever else is wrong.
  const outright = faults.find(({ clause }) => clauseOf(clause).level === 'must');
  return outright === undefined
    ? reject('source-session.invalid-is-refused', 'several rules')
    : reject(outright.clause, outright.rule);
}

/** Judges a source session by the rules of its provider, one fault for each rule that it breaks. */
export function judgeSession(session: unknown): SessionVerdict {
  if (!isRecord(session))
    return { faults: [fault('', 'type', session, 'source-session#/type')], isOddTime: false };
  const faults = [...fieldFaults(session), ...extraFields(session)];
  const { provider, surface, session_id: id } = session;
  if (!isProvider(provider)) return { faults, isOddTime: false };
  if (isSurface(surface) && !surfacesOf[provider].includes(surface))
    faults.push(fault('surface', 'enum', surface, ruleOf(provider, 'surface/enum')));
  if (typeof id !== 'string' || isTooLong(id)) return { faults, isOddTime: false };
  const { keyword, isOddTime = false } = judgeId(provider, surface, id);
  if (keyword !== undefined)
    faults.push(fault('session_id', keyword, id, ruleOf(provider, `session_id/${keyword}`)));
  return { faults, isOddTime };
}

function fieldFaults(session: JsonRecord): SessionFault[] {
  return Object.entries(fields).flatMap(([name, wrong]) => {
    const value = session[name];
    if (value === undefined) return fault(name, 'required', value, `source-session#/required/${name}`);
    const rule = `source-session#/properties/${name}`;
    if (typeof value !== 'string') return fault(name, 'type', value, `${rule}/type`);
    const keyword = wrong(value);
    return keyword === undefined ? [] : fault(name, keyword, value, `${rule}/${keyword}`);
  });
}

/** What holds of each field whoever the provider is. */
const fields: Readonly<Record<string, (value: string) => string | undefined>> = {
  provider: (value) => (isProvider(value) ? undefined : 'enum'),
  surface: (value) => (isSurface(value) ? undefined : 'enum'),
  session_id: (value) => (isTooLong(value) ? 'maxLength' : undefined),
};

function extraFields(session: JsonRecord): SessionFault[] {
  const extra = Object.keys(session).filter((name) => !Object.hasOwn(fields, name));
  return extra.map((name) =>
    fault(name, 'additionalProperties', session[name], 'source-session#/additionalProperties'),
  );
}

function judgeId(
  provider: Provider,
  surface: unknown,
  id: string,
): { readonly keyword?: string; readonly isOddTime?: boolean } {
  switch (provider) {
    case 'provider_a':
    case 'provider_c':
      return uuid.test(id) ? {} : { keyword: 'pattern' };
    case 'provider_b':
      if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id)) return { keyword: 'pattern' };
      return surface === 'cloud' && id.toLowerCase() === 'new' ? { keyword: 'not' } : {};
    case 'provider_d':
      return judgeTimedId(id);
  }
}

const timedId = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_(?:[0-9a-f]{6}|[0-9a-f]{8})$/;

function judgeTimedId(id: string): { readonly keyword?: string; readonly isOddTime?: boolean } {
  const [year, month, day, hour, minute, second] = timedId.exec(id)?.slice(1).map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return { keyword: 'pattern' };
  if (hour === undefined || minute === undefined || second === undefined) return { keyword: 'pattern' };
  const isEndOfDay = hour === 24 && minute === 0 && second === 0;
  const isOnClock = isEndOfDay || (hour <= 23 && minute <= 59 && second <= 60);
  const isReal = day >= 1 && day <= lastDayOf(year, month) && isOnClock;
  return isReal ? { isOddTime: year === 0 || hour === 24 || second === 60 } : { keyword: 'format' };
}

/** 0 for a month that does not exist. */
export function lastDayOf(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeapYear ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function fault(name: string, keyword: string, value: unknown, rule: string): SessionFault {
  const field = name === '' || keyword === 'additionalProperties' ? 'session' : name.replace('_', '-');
  return { slug: `${field}-${keyword}`, clause: refusalOf(keyword, value), keyword, rule };
}

/** The contract says of three kinds of session that they are refused; of the others that their form is wrong. */
function refusalOf(keyword: string, after: unknown): RefusalClause {
  if (typeof after === 'string' && after.includes('://')) return 'source-session.urls-are-refused';
  if (keyword === 'additionalProperties') return 'source-session.extra-fields-are-refused';
  return keyword === 'not' ? 'source-session.cloud-new-is-refused' : 'source-session.invalid-is-refused';
}

function ruleOf(provider: Provider, rule: string): string {
  const index = { provider_a: 0, provider_b: rule.endsWith('not') ? 2 : 1, provider_c: 3, provider_d: 4 }[
    provider
  ];
  return `source-session#/allOf/${index}/then/properties/${rule}`;
}

/** In characters, of which one beyond the basic plane is one. */
function isTooLong(id: string): boolean {
  return Array.from(id).length > maxIdLength;
}

function isProvider(value: unknown): value is Provider {
  return providers.some((provider) => provider === value);
}

function isSurface(value: unknown): value is string {
  return surfaces.some((surface) => surface === value);
}
