/** The marker of any run, whichever it was. */
export const anyMarker = /cf-[0-9a-f]{16}-[0-9]+\./;

/** Finds the markers of a run: its id, and a number behind it with a dot, or in the letters and digits of a campaign. */
export function markerPattern(runId: string, flags = ''): RegExp {
  return new RegExp(`${runId.replaceAll(/[^\w-]/g, '')}(?:-\\d+\\.|[0-9a-z]{1,16})`, flags);
}
