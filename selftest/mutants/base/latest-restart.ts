/** When the server was last restarted, in ms since 1970; 0 before. `note` stands in the place of `lostAtRestart`: nothing that the server keeps is lost. */
export function latestRestart(): { readonly note: () => number; readonly atMs: () => number } {
  let restartedMs = 0;
  return {
    note: () => {
      restartedMs = Date.now();
      return 0;
    },
    atMs: () => restartedMs,
  };
}
