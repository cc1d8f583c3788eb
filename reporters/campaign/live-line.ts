import type { Progress } from '../../fuzz/campaign/campaign.ts';

/** Between two looks at a campaign, in ms: on a terminal, and where lines are kept. */
const terminalMs = 250;
const logMs = 15_000;

/** A line that says how far a campaign is, below whatever else is said. */
export interface LiveLine {
  readonly say: (text: string) => void;
  readonly follow: (progress: () => Progress) => void;
  readonly end: () => void;
}

/** Rewrites one line on a terminal; elsewhere a line now and then. */
export function liveLine(stream: NodeJS.WriteStream): LiveLine {
  const isLive = stream.isTTY;
  const clear = (): void => {
    if (isLive) stream.write('\r\u001b[2K');
  };
  let look: (() => Progress) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    if (look === undefined) return;
    clear();
    stream.write(
      progressText(look()).slice(0, isLive ? (stream.columns || 80) - 1 : undefined) + (isLive ? '' : '\n'),
    );
  };
  return {
    say(text) {
      clear();
      stream.write(`${text}\n`);
      if (isLive) show();
    },
    follow(progress) {
      look = progress;
      timer = setInterval(show, isLive ? terminalMs : logMs).unref();
    },
    end() {
      clearInterval(timer);
      clear();
      look = undefined;
    },
  };
}

/** Elapsed and left, cases a second, requests, answers by kind, failures. */
export function progressText({
  elapsedMs,
  leftMs,
  cases,
  requests,
  answers,
  findings,
  phase,
}: Progress): string {
  const seconds = elapsedMs / 1000;
  const kinds = [...answers].toSorted(([, one], [, other]) => other - one).slice(0, 5);
  return [
    `${seconds.toFixed(0)} s${leftMs === undefined ? '' : `, ${(leftMs / 1000).toFixed(0)} s left`}`,
    phase,
    `${(cases / Math.max(seconds, 0.001)).toFixed(0)} cases/s`,
    `${requests} requests`,
    kinds.map(([kind, count]) => `${kind}: ${count}`).join(' '),
    `${findings} failures`,
  ].join(' | ');
}
