// What the step of action.yml runs: the gate, and a campaign if one is asked for. Inputs come in variables; each stays one
// argument, attached to its option, whatever it holds. The exit code goes into an output: reports are uploaded before the job ends by it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const verdicts = {
  0: 'conforms',
  1: 'fails',
  2: 'misconfigured',
  3: 'inconclusive',
  4: 'suite-bug',
  130: 'interrupted',
};
const targetOptions = ['target', 'base-url', 'channel'];
const gateOptions = [...targetOptions, 'baseline', 'require', 'requirements'];

const folder = mkdtempSync(join(process.env['RUNNER_TEMP'] ?? tmpdir(), 'conform-'));

/** @param {string} option */
function inputOf(option) {
  return (process.env[`GATE_${option.toUpperCase().replaceAll('-', '_')}`] ?? '').trim();
}

/** @param {readonly string[]} options those of them that are given */
function given(options) {
  return options.filter((option) => inputOf(option) !== '').map((option) => `--${option}=${inputOf(option)}`);
}

/** The words of a line, with quotes around blanks, or `undefined` where a quote is not closed. @param {string} line */
function wordsOf(line) {
  const word = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
  if (/["']/.test(line.replaceAll(word, ''))) return undefined;
  return (line.match(word) ?? []).map((each) => each.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** @param {string} name of the files */
function reports(name) {
  const file = (/** @type {string} */ suffix) => join(folder, suffix);
  const html = name === 'conform' ? 'report.html' : `${name}.html`;
  const junit = name === 'conform' ? 'junit.xml' : `${name}.xml`;
  return [`junit=${file(junit)}`, `sarif=${file(`${name}.sarif`)}`, `html=${file(html)}`].map(
    (report) => `--report=${report}`,
  );
}

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function conform(args) {
  // What is printed to be typed again is for whoever reads the log: this checkout is not theirs.
  const env = { ...process.env, CONFORM_COMMAND: 'conform' };
  const child = spawn(process.execPath, [main, ...args], { stdio: 'inherit', env });
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass).on('SIGHUP', pass);
  const [code] = await once(child, 'close');
  return code ?? 130;
}

/** @param {string} why */
function misconfigured(why) {
  process.stderr.write(`conform: ${why}\n`);
  return 2;
}

async function gate() {
  const [more, moreFuzz] = [wordsOf(inputOf('args')), wordsOf(inputOf('fuzz-args'))];
  if (more === undefined || moreFuzz === undefined)
    return misconfigured('a quote in the input `args` or `fuzz-args` is not closed');
  const inputs = given(['target', 'base-url']);
  const isNamedIn = (/** @type {readonly string[]} */ words) =>
    words.some((word) => /^--(?:target|base-url)(?:=|$)/.test(word));
  if (inputs.length === 0 && !isNamedIn(more) && (process.env['CONFORM_BASE_URL'] ?? '') === '')
    return misconfigured('no server is given: set the input `base-url` or `target`');
  const time = inputOf('fuzz-time');
  // Another one than the run's would be fuzzed.
  if (time !== '' && inputs.length === 0 && isNamedIn(more) && !isNamedIn(moreFuzz))
    return misconfigured(
      'the campaign of `fuzz-time` takes nothing from `args`: name the server in the input `base-url` or `target`, or in `fuzz-args` too',
    );
  // What comes last counts: the outputs of this action are read from these results.
  const code = await conform([
    'run',
    ...more,
    ...given(gateOptions),
    `--out=${results}`,
    ...reports('conform'),
  ]);
  if (code === 0 && footer().end === undefined)
    return misconfigured('no run came of the input `args`, which asks for something else, as --help does');
  if (time === '' || code > 1) return code;
  const campaign = [`--time=${time}`, `--out=${join(folder, 'campaign')}`, ...reports('campaign')];
  const fuzzCode = await conform(['fuzz', ...moreFuzz, ...given(targetOptions), ...campaign]);
  return code === 0 ? fuzzCode : code;
}

const results = join(folder, 'results.ndjson');

/** The last line of the results; without anything where the run has no end, or was ended while it wrote. */
function footer() {
  try {
    const last = JSON.parse(readFileSync(results, 'utf8').trimEnd().split('\n').at(-1) ?? '{}');
    return last.type === 'footer' ? last : {};
  } catch {
    return {};
  }
}

/** How many checks came to what; nothing where the run has no end. */
function counts() {
  const { checks } = footer();
  if (checks === undefined) return {};
  const { passed, failed, warned, inconclusive, notApplicable = 0 } = checks;
  return { passed, failed, warned, inconclusive, 'not-applicable': notApplicable };
}

/** The pull request that started this; `undefined` where none did. */
function pullRequest() {
  const path = process.env['GITHUB_EVENT_PATH'] ?? '';
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).pull_request : undefined;
}

/**
 * What the steps behind this one need for a comment: where a pull request looks for results of its base branch, or under which name a
 * branch keeps its own. The folder has the same path in both, as the cache wants it.
 */
function comparison() {
  const name = inputOf('comment');
  if (name === '' || !existsSync(results)) return {};
  const inKey = (/** @type {string} */ text) => text.replaceAll(/[^\w./-]/g, '_');
  const kept = join(process.env['RUNNER_TEMP'] ?? tmpdir(), 'conform-before', inKey(name));
  // Keys are looked up by how they begin: what stands between the parts is in none of them.
  const keyOf = (/** @type {string} */ branch) => `conform-results:${inKey(name)}:${inKey(branch)}:`;
  if (pullRequest() !== undefined) return { kept, 'look-for': keyOf(process.env['GITHUB_BASE_REF'] ?? '') };
  const { end, exitCode, reason, trouble } = footer();
  // What came to nothing is nothing to hold others against.
  if (end !== 'complete' || exitCode > 1 || (reason ?? trouble?.text) !== undefined) return {};
  if (process.env['GITHUB_REF_TYPE'] !== 'branch') return {};
  mkdirSync(kept, { recursive: true });
  copyFileSync(results, join(kept, 'results.ndjson'));
  const run = `${process.env['GITHUB_RUN_ID']}-${process.env['GITHUB_RUN_ATTEMPT']}`;
  return { kept, 'keep-as': `${keyOf(process.env['GITHUB_REF_NAME'] ?? '')}${run}` };
}

/** Whether a pull request of a fork started this, which gets no secrets: the variables of tokens are there, and all empty. */
function isWithoutSecrets() {
  if (process.env['GITHUB_EVENT_NAME'] !== 'pull_request') return false;
  const { head, base } = pullRequest() ?? {};
  if (head?.repo?.full_name === base?.repo?.full_name) return false;
  const tokens = Object.entries(process.env).filter(([name]) => /^CONFORM_\w+_TOKEN$/.test(name));
  return tokens.length > 0 && tokens.every(([, value]) => value === '');
}

/** Neither red nor green: nothing was tested. */
function skip() {
  const why =
    'a pull request of a fork gets no secrets, so that the server was not tested; a maintainer can run it on a branch';
  process.stdout.write(`::notice title=conform::${why}\n`);
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined) appendFileSync(summary, `# Not tested\n\n${why}\n`);
  return { verdict: 'skipped', 'exit-code': 0 };
}

function artifact() {
  const letters = folder.slice(-6);
  return inputOf('artifact') || `conform-${process.env['GITHUB_JOB'] ?? 'job'}-${letters}`;
}

async function judged() {
  const code = await gate();
  const verdict = verdicts[code] ?? 'suite-bug';
  return { verdict, 'exit-code': code, report: folder, artifact: artifact(), ...counts(), ...comparison() };
}

const outputs = isWithoutSecrets() ? skip() : await judged();
// A value is one line: another would be an output of its own.
const lines = Object.entries(outputs).map(
  ([name, value]) => `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`,
);
appendFileSync(process.env['GITHUB_OUTPUT'] ?? '/dev/stdout', lines.join(''));
