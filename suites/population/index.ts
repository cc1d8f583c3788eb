import { checksOf } from '../arrange/checks-of.ts';
import { longestChecks } from './longest.ts';
import { presenceChecks } from './presence.ts';

/** Messages of every kind, read in every form. */
export const populationChecks = checksOf('population', { presence: presenceChecks, longest: longestChecks });
