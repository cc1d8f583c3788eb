import { contractRules, type Rules } from '../../../reference/rules/rules.ts';

/** Rules that say whether something is accepted. */
type Judging = {
  [Name in keyof Rules]: Rules[Name] extends (...given: never[]) => boolean ? Name : never;
}[keyof Rules];
type Judge = (...given: readonly unknown[]) => boolean;

/** The contract's rule, which accepts only what `holds` of as well. */
export function only<Name extends Judging>(name: Name, holds: Rules[Name]): Partial<Rules> {
  const [rule, further] = [contractRules[name] as Judge, holds as Judge];
  const changed: Judge = (...given) => further(...given) && rule(...given);
  return { [name]: changed };
}

/** The contract's rule, which accepts what `holds` of besides. */
export function also<Name extends Judging>(name: Name, holds: Rules[Name]): Partial<Rules> {
  const [rule, further] = [contractRules[name] as Judge, holds as Judge];
  const changed: Judge = (...given) => further(...given) || rule(...given);
  return { [name]: changed };
}

/** The contract's rule, asked about something else than what was given. */
export function reading<Name extends Judging>(
  name: Name,
  change: (...given: Parameters<Rules[Name]>) => Parameters<Rules[Name]>,
): Partial<Rules> {
  const rule = contractRules[name] as Judge;
  return { [name]: (...given: Parameters<Rules[Name]>) => rule(...change(...given)) };
}
