// Loaded into a command by `node --import`: every one to three seconds its thread stands still for 200 to 800 ms, as on a machine that
// is busy with something else.
const stillMs = { least: 200, most: 800 };
const everyMs = { least: 1000, most: 3000 };

const between = ({ least, most }: { readonly least: number; readonly most: number }): number =>
  least + Math.random() * (most - least);

function stall(): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nobody, 0, 0, between(stillMs));
  setTimeout(stall, between(everyMs)).unref();
}

setTimeout(stall, between(everyMs)).unref();
