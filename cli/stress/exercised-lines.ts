import type { Exercised } from '../../stress/run/exercised.ts';

/** What a run really put to the test, in lines; what never happened is said. */
export function exercisedLines(exercised: Exercised, restartsAsked: number): readonly string[] {
  const { sends, reads, readsBesideSends, sendsBesideSends, polls } = exercised;
  const { repeatedKeys, keysAtOnce, unanswered, restarts, acrossRestarts } = exercised;
  const missing = [
    ...(sendsBesideSends === 0 ? ['two sends at once'] : []),
    ...(readsBesideSends === 0 ? ['reading beside sends'] : []),
    ...(polls === 0 ? ['polls that are held back'] : []),
    ...(repeatedKeys === 0 ? ['using a key again'] : []),
    ...(keysAtOnce === 0 ? ['two sends at once under one key'] : []),
    ...(unanswered === 0 ? ['sends without an answer'] : []),
    ...(restartsAsked > 0 && acrossRestarts === 0 ? ['anything across a restart'] : []),
  ];
  return [
    `${sends} sends (${sendsBesideSends} beside another), ${reads} reads (${readsBesideSends} beside sends), ${polls} polls held back`,
    `${repeatedKeys} sends under a key used before (${keysAtOnce} while that was on its way), ${unanswered} sends without an answer`,
    ...(restarts === 0 ? [] : [`${restarts} restarts, crossed by ${acrossRestarts} operations`]),
    ...(missing.length === 0 ? [] : [`not put to the test: ${missing.join(', ')}`]),
  ];
}
