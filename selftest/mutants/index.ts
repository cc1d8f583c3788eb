import { accessCellMutants } from './access/access-cell-mutants.ts';
import { accessMutants } from './access/access-mutants.ts';
import { lagMutants } from './access/lag-mutants.ts';
import { oddRequestMutants } from './access/odd-request-mutants.ts';
import type { Mutant } from './base/mutant.ts';
import { besideMutants } from './beside-mutants.ts';
import { messageCellMutants } from './cells/message-cells.ts';
import { pageCellMutants } from './cells/page-cells.ts';
import { wakingMutants } from './cells/waking-mutants.ts';
import { channelReadMutants } from './channel-read-mutants.ts';
import { contentRuleMutants } from './content-mutants.ts';
import { errorMutants } from './error-mutants.ts';
import { fileMutants } from './file-mutants.ts';
import { mentionAnswerMutants } from './mention-answer-mutants.ts';
import { mentionOrderMutants } from './mention-order-mutants.ts';
import { mentionOverrideMutants, mentionParameterMutants } from './mention-parameter-mutants.ts';
import { mentionReachMutants } from './mention-reach-mutants.ts';
import { messageMutants } from './message-mutants.ts';

import { overviewMutants } from './overview-mutants.ts';
import { pageRuleMutants } from './page-mutants.ts';
import { receiptRuleMutants } from './receipt-mutants.ts';
import { schemaMutants } from './schema-mutants.ts';
import { sendRuleMutants } from './send-mutants.ts';
import { sourceSessionMutants } from './source-session-mutants.ts';

export { mutant, refusing, type Mutant, type Startable } from './base/mutant.ts';
export type { Overlay } from './base/overlay.ts';
export { schemaMutants, type SchemaMutant } from './schema-mutants.ts';

/** Every server that breaks a clause of behaviour, written by hand. */
export const writtenMutants: readonly Mutant[] = Object.freeze([
  ...messageMutants,
  ...contentRuleMutants,
  ...sourceSessionMutants,
  ...receiptRuleMutants,
  ...fileMutants,
  ...pageRuleMutants,
  ...mentionReachMutants,
  ...mentionParameterMutants,
  ...mentionOverrideMutants,
  ...mentionOrderMutants,
  ...mentionAnswerMutants,
  ...overviewMutants,
  ...sendRuleMutants,
  ...besideMutants,
  ...channelReadMutants,
  ...wakingMutants,
  ...accessMutants,
  ...accessCellMutants,
  ...lagMutants,
  ...errorMutants,
  ...oddRequestMutants,
]);

/** Servers that break one rule of reading in one cell of the dimensions, and keep it everywhere else. */
export const cellMutants: readonly Mutant[] = Object.freeze(
  [...pageCellMutants, ...messageCellMutants].map((each) => ({
    ...each,
    area: 'population',
  })),
);

/** All of them: those written by hand, those that the schemas give, and those of one cell each. */
export const mutants: readonly Mutant[] = Object.freeze([
  ...writtenMutants,
  ...schemaMutants,
  ...cellMutants,
]);

const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));

/** The mutant with an id. @throws Error where none has it */
export function mutantNamed(id: string): Mutant {
  const mutant = byId.get(id);
  if (mutant === undefined) throw new Error(`there is no mutant "${id}"`);
  return mutant;
}
