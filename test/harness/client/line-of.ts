import { curlOf } from '../../../harness/client/curl-line.ts';

/** The line of an exchange that has one. */
export function lineOf(...given: Parameters<typeof curlOf>): string {
  const made = curlOf(...given);
  if ('whyNoCurl' in made) throw new Error(`no line: ${made.whyNoCurl}`);
  return made.curl;
}
