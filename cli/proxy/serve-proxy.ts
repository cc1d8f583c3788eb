import { InvalidTarget } from '../../harness/errors.ts';
import { type Front, startFront } from '../../harness/front/front.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import type { Target } from '../../harness/config/target.ts';
import { clientChecks, runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { lostFiles } from '../../harness/output/clean-file.ts';
import { shownLines, type Shown } from '../../harness/output/printable.ts';
import type { FindingEvent, FooterEvent, NoticeEvent } from '../../harness/results/generated/events.ts';
import { judgedHeader } from '../../harness/run/judged-stream.ts';
import { defaultSettleMs } from '../../harness/traffic/recorded-exchange.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { countOf } from '../../reporters/quantities.ts';
import { timelineText } from '../../reporters/story/timeline-text.ts';
import { behindOf, listening, upstreamOf } from '../serve/server-behind.ts';
import type { FrontOptions } from '../serve/front-options.ts';
import { commandLine } from '../shared/command-line.ts';
import { err, out, secrets } from '../shared/output.ts';
import type { ResultOptions } from '../shared/report-options.ts';
import { judgedScoring, printerOf, Results } from '../shared/results.ts';
import { untilInterrupted } from '../shared/time/time-limit.ts';
import { JudgeBeside } from './judge-beside.ts';
import { Metrics, serveMetrics } from './metrics.ts';
import { UnjudgedNotices } from './unjudged-notices.ts';

/** Options of `conform proxy`, as commander parses them. */
export interface ProxyCommandOptions extends FrontOptions, ResultOptions {
  readonly metrics?: number;
  readonly keep?: string;
  /** Given only with `keep`. */
  readonly keepMb?: number;
  readonly settleMs?: number;
  /** Of the longest chapter, in ms. */
  readonly every: number;
  /** False where what passes is only passed on. */
  readonly judge: boolean;
}

/** MB of histories that are kept where nobody says it. */
const usualKeepMb = 200;

/**
 * Stands before a server until it is interrupted, and judges what goes through; resolves to the exit code.
 * @throws InvalidTarget where an option is wrong, or a port is taken
 */
export async function serveProxy(options: ProxyCommandOptions): Promise<number> {
  // From now on: who reads that it listens may end it at once.
  const interrupted = untilInterrupted();
  if (options.keepMb !== undefined && options.keep === undefined)
    throw new InvalidTarget('--keep-mb is for --keep: name the folder that is to be no larger');
  const { target } = behindOf('proxy', options.target);
  secrets.learn(secretsOf(target));
  if (!options.judge) return passOnly(target, options, interrupted);
  await judgedScoring(options, 'server and clients');
  const results = await Results.open(
    options,
    printerOf({ ...options, verbose: true }, { isLive: false }).onEvent,
  );
  results.probe({ folders: { '--keep': options.keep } });
  const prefix = new URL(target.baseUrl).pathname.replace(/\/+$/, '');
  const metrics = new Metrics(prefix);
  const notice = (severity: NoticeEvent['severity'], text: string): void =>
    results.add({ type: 'notice', severity, text });
  const unjudged = new UnjudgedNotices((text) => notice('warning', text));
  const isStrict = options.strict === true;
  const served = await (options.metrics === undefined
    ? undefined
    : listening(serveMetrics(metrics, { port: options.metrics, host: options.host }), {
        port: options.metrics,
        host: options.host,
      }));
  const front = await listening(
    startFront(upstreamOf(target), {
      port: options.port,
      host: options.host,
      isRecording: () => judging.isRecording,
      onExchange: (exchange) => {
        metrics.exchange(exchange);
        judging.add(exchange);
      },
    }),
    options,
  ).catch((error: unknown) => {
    served?.close();
    throw error;
  });
  // Only now: a port that is taken would leave its process behind. No request comes before this line is done.
  const judging = new JudgeBeside(
    {
      // Credentials stay in this thread.
      target: {
        ...target,
        roles: {},
        hooks: {},
        connection: { headers: {}, ca: undefined, cert: undefined, key: undefined },
      },
      prefix,
      settleMs: options.settleMs ?? target.settleMs ?? defaultSettleMs,
      chapterMs: options.every,
      options: { ...options, report: [] },
      keep:
        options.keep === undefined
          ? undefined
          : { folder: options.keep, mostBytes: (options.keepMb ?? usualKeepMb) * 1e6 },
    },
    {
      onFinding: (finding) => {
        results.add(secrets.cleaned(finding));
        if (options.quiet !== true) out.write(shownFinding(finding));
      },
      onBreach: (breach) => metrics.breach(breach),
      onLost: (file, lost) => {
        lostFiles.set(file, lost);
        notice('warning', `${file} ${lost}, nor may those be complete that follow it`);
      },
      onSkipped: (count, why) => {
        metrics.skip(count);
        unjudged.add(count, why);
      },
    },
  );
  sayWhere(front, target, served === undefined ? '' : `; metrics at ${served.url}`);
  results.add(
    judgedHeader('proxy', target, {
      isStrict,
      command: commandLine('proxy', options.target === undefined ? {} : { target: options.target }),
      checks: runWideChecks.length + clientChecks.length,
    }),
  );
  await interrupted;
  await front.close();
  served?.close();
  const events = await judging.end();
  unjudged.end();
  // Only now it is known of all of them.
  const { exchanges, skipped, unanswered, others } = metrics;
  const went = `${countOf(exchanges, 'exchange')} went through`;
  const sum =
    others === 0
      ? `${went}, ${skipped} of them unjudged`
      : `${went}, ${others} of them to no call of the contract, and ${skipped} more unjudged`;
  // Of those nothing is known, and the report has no other word of them.
  if (unanswered > 0) notice('warning', `${sum}; ${unanswered} got no whole answer`);
  else notice('info', sum);
  for (const event of events) results.add(secrets.cleaned(event));
  const footer = events.at(-1) as FooterEvent;
  results.keep(footer, { isWhole: true });
  results.end();
  return footer.exitCode;
}

async function passOnly(
  target: Target,
  { port, host }: ProxyCommandOptions,
  interrupted: Promise<void>,
): Promise<number> {
  const front = await listening(startFront(upstreamOf(target), { port, host }), { port, host });
  sayWhere(front, target, '; nothing is judged');
  await interrupted;
  await front.close();
  return exitCodes.conforms;
}

function sayWhere({ baseUrl }: Front, target: Target, more: string): void {
  out.say(`${baseUrl}\n`);
  err.say(`on the way to ${target.baseUrl}${more}; stop it with Ctrl-C\n`);
}

/** A finding as it comes: what is wrong, and the requests that decide. */
function shownFinding(finding: FindingEvent): Shown {
  const { id, verdict, clause, expected, actual, timeline, exchanges } = finding;
  const requests =
    timeline === undefined
      ? exchanges.map(({ request }) => `${request.method} ${request.path}`)
      : timelineText(timeline);
  const lines = [`${id} ${verdict} ${clause}`, `  expected: ${expected}`, `  actual:   ${actual}`];
  return shownLines(secrets.clean(`${[...lines, ...requests.map((each) => `  ${each}`)].join('\n')}\n`));
}
