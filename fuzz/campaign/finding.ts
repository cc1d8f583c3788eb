import type { CallName } from '../../spec/calls/index.ts';
import type { NeedName } from '../../harness/config/capabilities.ts';
import type { BrokenVerdict, Phase } from '../../harness/results/generated/events.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { CaseRequest } from '../cases/case-request.ts';
import type { FamilyName } from '../cases/family.ts';
import type { Kept } from '../judge/answer-excerpt.ts';
import type { CaseFailure } from '../judge/failure.ts';
import type { Investigated, Repeats } from './investigate.ts';

/** A failure of an earlier campaign: tried first, and known from the start. */
export interface KnownFailure {
  /** Where it was read, for people. */
  readonly name: string;
  readonly request: CaseRequest;
  readonly failure: CaseFailure;
  /** Whether it showed every time: of any other nobody knows that it is gone where it does not show. */
  readonly isSure: boolean;
  /** What it was found with, where that is known. */
  readonly had?: readonly NeedName[] | undefined;
  /** Why it cannot be tried at this target, in the words of a person. */
  readonly whyUntried?: string;
}

/** A failure that was found, tried again and made small. */
export interface Finding extends Kept, Omit<Investigated, 'exchanges' | 'isUncontrolled'> {
  readonly root: string;
  readonly verdict: BrokenVerdict;
  readonly phase: Phase;
  readonly family: FamilyName | 'corpus';
  /** Number of the case in the campaign, from 0, and below it for baseline requests. */
  readonly caseIndex: number;
  /** Fields that it carries and that had an effect, as what a target has. */
  readonly proved: readonly NeedName[];
  /** How often it repeats at the end of the campaign, where it was tried. */
  readonly again?: Repeats;
  /** True for what the corpus knew already, whichever request shows it. */
  readonly isKnown: boolean;
  /** Clauses that the same answers break, the one of the failure first. */
  readonly clauses: readonly ClauseId[];
  /** Roots of what the first of these answers broke beside it. */
  readonly companions: readonly string[];
  /** Calls that show it. */
  readonly calls: readonly CallName[];
  /** When the first of them came, in ms since the beginning. */
  readonly firstMs: number;
  /** Cases that showed it, this one included. */
  readonly sightings: number;
}
