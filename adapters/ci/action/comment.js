// What the step of action.yml runs in a pull request: one comment, written once and then updated, of what differs from the results that the
// base branch kept. It never makes a job red: that is for the run.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { env } = process;
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const marker = `<!-- conform: ${(env['COMMENT_NAME'] ?? '').replaceAll(/[^\w. /-]/g, '_')} -->`;
const comments = `${env['GITHUB_API_URL']}/repos/${env['GITHUB_REPOSITORY']}/issues`;
const gone =
  '### Contract: nothing changed\n\nWhat an earlier state of this pull request broke or fixed is as before again.\n';
const mostPerPage = 100;

/** @typedef {{ readonly id: number, readonly body?: string, readonly user?: { readonly type?: string } }} Comment */

/** An answer that is no success. */
class Refused extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Says something of this step in the log, and beside the job. @param {'notice' | 'warning'} kind @param {string} text */
function say(kind, text) {
  const line = text.trim().replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${kind} title=conform::${line}\n`);
}

/** @param {string} method @param {string} path @param {object} [body] */
async function call(method, path, body) {
  const answer = await fetch(`${comments}/${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env['COMMENT_TOKEN']}`,
      'content-type': 'application/json',
    },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Refused(answer.status);
  return answer.json();
}

/** The comment that an earlier run wrote. @param {number} number @returns {Promise<Comment | undefined>} */
async function ownComment(number) {
  for (let page = 1; ; page += 1) {
    /** @type {Comment[]} */
    const all = await call('GET', `${number}/comments?per_page=${mostPerPage}&page=${page}`);
    const own = all.find(({ body = '', user }) => user?.type === 'Bot' && body.startsWith(marker));
    if (own !== undefined || all.length < mostPerPage) return own;
  }
}

/** Writes the comment, or updates it; none where there is nothing to tell. @param {number} number @param {string} text */
async function publish(number, text) {
  const own = await ownComment(number);
  if (own === undefined && text === '') return;
  const body = `${marker}\n${text === '' ? gone : text}`;
  if (own === undefined) await call('POST', `${number}/comments`, { body });
  else if (own.body !== body) await call('PATCH', `comments/${own.id}`, { body });
}

/** What the run changed, as Markdown; `undefined` where that cannot be told. @returns {string | undefined} */
function changes() {
  const [before, after] = [env['COMMENT_BEFORE'], env['COMMENT_REPORT']].map((folder) =>
    join(folder ?? '', 'results.ndjson'),
  );
  if (!existsSync(after ?? '')) return undefined;
  if (!existsSync(before ?? '')) {
    const base = env['GITHUB_BASE_REF'];
    say(
      'notice',
      `no comment: there are no results of ${base} yet, which a run of this job on ${base} keeps`,
    );
    return undefined;
  }
  const file = join(mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'conform-')), 'comment.md');
  const args = ['compare', `${before}`, `${after}`, '--format=comment', `--out=${file}`];
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: { ...env, CONFORM_COMMAND: 'conform' },
  });
  if (status === 0) return readFileSync(file, 'utf8');
  say('warning', `no comment: ${stderr}`);
  return undefined;
}

/** Why there is no comment, and what it would have said. @param {unknown} error @param {string} text */
function unpublished(error, text) {
  const isForbidden = error instanceof Refused && [401, 403, 404].includes(error.status);
  if (isForbidden)
    say(
      'notice',
      `no comment: the job may not write one (${error.message}); it needs the permission pull-requests: write, which a pull request of a fork never has. The summary shows it`,
    );
  else
    say(
      'warning',
      `no comment: ${error instanceof Error ? error.message : String(error)}; the summary shows it`,
    );
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '' && text !== '') appendFileSync(summary, `${text}\n`);
}

const { pull_request: { number = 0 } = {} } = JSON.parse(
  readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8'),
);
const text = changes();
if (text !== undefined) await publish(number, text).catch((error) => unpublished(error, text));
