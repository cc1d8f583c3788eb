import type { PageRequest, StreamName } from '../../../reference/model/page-facts.ts';
import type { RefusalKind } from '../../../reference/model/refusal.ts';
import type { RouteName } from '../../../reference/model/routes.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import { type Overlay, overlayOf } from './overlay.ts';

/** Rules that say whether something is accepted. */
type JudgingRules = {
  [Name in keyof Rules]: Rules[Name] extends (...given: never[]) => boolean ? Name : never;
}[keyof Rules];
/** No call where the path names none. */
type AnsweredCall = RouteName | null;
type RuleJudge = (...given: readonly unknown[]) => boolean;

/** The contract's rule, which accepts only what `holds` of as well. */
export function only<Name extends JudgingRules>(name: Name, holds: Rules[Name]): Partial<Rules> {
  const [rule, further] = [contractRules[name] as RuleJudge, holds as RuleJudge];
  const changed: RuleJudge = (...given) => further(...given) && rule(...given);
  return { [name]: changed };
}

/** The contract's rule, which accepts what `holds` of besides. */
export function also<Name extends JudgingRules>(name: Name, holds: Rules[Name]): Partial<Rules> {
  const [rule, further] = [contractRules[name] as RuleJudge, holds as RuleJudge];
  const changed: RuleJudge = (...given) => further(...given) || rule(...given);
  return { [name]: changed };
}

/** The contract's rule, asked about something else than what was given. */
export function reading<Name extends JudgingRules>(
  name: Name,
  change: (...given: Parameters<Rules[Name]>) => Parameters<Rules[Name]>,
): Partial<Rules> {
  const rule = contractRules[name] as RuleJudge;
  return { [name]: (...given: Parameters<Rules[Name]>) => rule(...change(...given)) };
}

/** Refusals of a kind are answered with another status: in the calls named, or in all but those. */
export function refusedWith(
  status: number,
  kind: RefusalKind,
  of: { readonly on: readonly AnsweredCall[] } | { readonly notOn: readonly AnsweredCall[] },
): Partial<Rules> {
  const isMeant = (route: AnsweredCall): boolean =>
    'on' in of ? of.on.includes(route) : !of.notOn.includes(route);
  return {
    statusOfRefusal: (each, route) =>
      each === kind && isMeant(route) ? status : contractRules.statusOfRefusal(each, route),
  };
}

/** Cursors of a call are taken in one more form; they count as 0 unless `read` says otherwise, which rounds down. */
export function readingAfter(
  route: RouteName,
  form: RegExp,
  read: (text: string) => number | bigint = () => 0,
): Partial<Rules> {
  const readIn = (text: string): bigint => {
    const value = read(text);
    return typeof value === 'bigint' ? value : BigInt(Math.floor(value));
  };
  return {
    readAfter: (text, of) =>
      contractRules.readAfter(text, of) ?? (of === route && form.test(text) ? readIn(text) : undefined),
  };
}

/** Pages of one stream are read as if something else had been asked for. */
export function inStream(stream: StreamName, read: (asked: PageRequest) => PageRequest): Partial<Rules> {
  return { pageRead: (asked, of) => (of === stream ? read(asked) : asked) };
}

/** A cursor of 0 counts as none. */
export function zeroIsNone({ after, limit }: PageRequest): PageRequest {
  return { after: after === 0n ? undefined : after, limit };
}

/** With a cursor of 0 the limit is not looked at. */
export function zeroHasNoLimit({ after, limit }: PageRequest): PageRequest {
  return { after, limit: after === 0n ? 100 : limit };
}

/** Rules that show something of which the first that they are given is the record. */
type ShowingRules = {
  [Name in keyof Rules]: Rules[Name] extends (...given: never[]) => object ? Name : never;
}[keyof Rules];

/** What a rule shows, some of it otherwise: `change` says which fields. */
export function shown<Name extends ShowingRules>(
  name: Name,
  change: (...given: Parameters<Rules[Name]>) => Partial<ReturnType<Rules[Name]>>,
): Partial<Rules> {
  return {
    [name]: (...given: Parameters<Rules[Name]>) => ({ ...(given[0] as object), ...change(...given) }),
  };
}

/** What a server does by when it was last restarted, in ms since 1970 and 0 before; nothing that it keeps is lost in a restart. */
export function sinceRestart<Given>(
  make: (restartedMs: () => number, given: Given) => Partial<Rules> | Overlay,
): (given: Given) => Overlay {
  return (given) => {
    let latestMs = 0;
    const { rules, ...rest } = overlayOf<Given, Overlay>(
      make(() => latestMs, given),
      given,
    );
    const lostAtRestart = (): number => {
      latestMs = Date.now();
      return 0;
    };
    return { ...rest, rules: { ...rules, lostAtRestart } };
  };
}

/** Rows of a table of which each replaces the same rule. */
export function replacing<Name extends keyof Rules>(
  name: Name,
  rows: Readonly<Record<string, Rules[Name]>>,
): Readonly<Record<string, Partial<Rules>>> {
  return Object.fromEntries(Object.entries(rows).map(([row, rule]) => [row, { [name]: rule }]));
}
