import { checksOf } from '../arrange/checks-of.ts';
import { mentionAnswerChecks } from './answers.ts';
import { changeChecks } from './changes.ts';
import { everybodyChecks } from './everybody.ts';
import { oddParameterChecks } from './odd-parameters.ts';
import { manyChannelsChecks } from './many-channels.ts';
import { mentionOverrideChecks } from './overrides.ts';
import { mentionPagingChecks } from './paging.ts';
import { mentionParameterChecks } from './parameters.ts';
import { mentionRepetitionChecks } from './repetition.ts';
import { mentionRestartChecks } from './restart.ts';
import { mentionScopeChecks } from './scope.ts';
import { mentionTargetChecks } from './targets.ts';

/** What `GET /v0/mentions` lists, for whom, in which order, and how it is asked for. */
export const mentionsChecks = checksOf('mentions', {
  answers: mentionAnswerChecks,
  parameters: mentionParameterChecks,
  'odd-parameters': oddParameterChecks,
  overrides: mentionOverrideChecks,
  targets: mentionTargetChecks,
  scope: mentionScopeChecks,
  'many-channels': manyChannelsChecks,
  everybody: everybodyChecks,
  changes: changeChecks,
  paging: mentionPagingChecks,
  repetition: mentionRepetitionChecks,
  restart: mentionRestartChecks,
});
