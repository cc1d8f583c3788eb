import type { RefusalKind } from '../../../reference/model/refusal.ts';
import type { RouteName } from '../../../reference/model/routes.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';

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
