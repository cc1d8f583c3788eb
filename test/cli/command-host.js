// Runs one command after another as a process of its own would run each; what is loaded stays loaded.
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import './note-peak-memory.js';

/** What earlier commands left in memory is collected where there is more than this. */
const tidyBytes = 150_000_000;

const turns = new AsyncLocalStorage();
let turn = 0;
/** Undefined while no command runs. */
let running;

const exit = process.exit.bind(process);
// A timer that a command left, which would have ended with its process, ends nothing here.
process.exit = (code) => {
  const from = turns.getStore();
  if (from === undefined || (from === turn && running !== undefined)) exit(code);
};

process.on('disconnect', () => exit());
process.on('message', ({ main, args, cwd, env, endLine }) => {
  turn += 1;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  running = { endLine, listeners: listenersNow(), isSettled: false };
  if (env.HOSTILE_PEAK !== undefined) forgetPeak();
  // Nothing but the command itself keeps the process from its end.
  process.channel?.unref();
  const begun = turns.run(turn, () => import(`${pathToFileURL(main).href}?turn=${turn}`));
  // Where it fails, nobody handles that, as in a process of its own.
  void begun.then(() => (running.isSettled = true));
});

// Here a process of its own would end.
process.on('beforeExit', () => {
  if (running === undefined) return;
  const { endLine, listeners, isSettled } = running;
  running = undefined;
  process.exitCode ??= isSettled ? 0 : 13;
  process.emit('exit', process.exitCode);
  const code = process.exitCode;
  for (const [emitter, event, kept] of listeners())
    for (const listener of emitter.rawListeners(event))
      if (!kept.includes(listener)) emitter.removeListener(event, listener);
  process.chdir('/');
  process.channel?.ref();
  process.stdout.write(endLine);
  process.stderr.write(endLine);
  process.send?.({ code, keptKb: process.memoryUsage.rss() / 1024 });
});

/** Who listens now; what this returns says so again of each event that anybody listens to by then. */
function listenersNow() {
  const emitters = [process, process.stdout, process.stderr];
  const known = new Map(emitters.map((each) => [each, byEvent(each)]));
  return () =>
    emitters.flatMap((each) =>
      each.eventNames().map((event) => [each, event, known.get(each)?.get(event) ?? []]),
    );
}

function byEvent(emitter) {
  return new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]));
}

/** Lets the kernel measure the peak of the memory from now on, where it can; it takes 40 ms of a core. */
function forgetPeak() {
  if (process.memoryUsage.rss() > tidyBytes) globalThis.gc?.();
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // No such file system.
  }
}
