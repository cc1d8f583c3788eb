import type { Change, Read, Send } from '../operation.ts';
import type { World } from './world.ts';

/** A restart of the server that may have fallen between two times. */
export function restartBetween({ changes }: World, fromMs: number, toMs: number): Change | undefined {
  return changes.find(
    ({ change, startedMs, endedMs }) => change === 'restart' && endedMs > fromMs && startedMs < toMs,
  );
}

/** From one time to another, in ms. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Whether a reader may have been away meanwhile: its access, its membership or its machine was ended or given back, or that of somebody, as
 * far as anybody knows. What it was shown before need not be shown to it again.
 */
export function mayHaveLeft(
  world: Pick<World, 'changes' | 'principals'>,
  reader: string | undefined,
  span: Span,
): boolean {
  return endedOf(world, reader, span).length > 0;
}

/**
 * Whether a feed may have become another one meanwhile for what names its reader through a human or a machine: a membership or a machine was
 * ended or given back, and it was the reader's, as far as anybody knows. An access takes neither from its agent. Of what was recorded on its
 * way nobody knows.
 */
export function mayHaveMoved(
  world: Pick<World, 'changes' | 'principals' | 'history'>,
  reader: string | undefined,
  span: Span,
): boolean {
  return (
    world.history.facts.isPartial === true || endedOf(world, reader, span).some((each) => !isAccess(each))
  );
}

function isAccess({ detail = '' }: Change): boolean {
  return detail.startsWith('access ');
}

/** What was ended or given back between two times, and may have been a reader's. */
function endedOf(
  { changes, principals }: Pick<World, 'changes' | 'principals'>,
  reader: string | undefined,
  { fromMs, toMs }: Span,
): readonly Change[] {
  const [human, machine] =
    reader === undefined ? [] : [principals.humanOf(reader), principals.machineOf(reader)];
  const isOfAnother = (change: Change): boolean =>
    change.subject !== undefined &&
    reader !== undefined &&
    (isAccess(change) || (human !== undefined && machine !== undefined)) &&
    ![reader, ...principals.everBehind(reader)].includes(change.subject);
  return changes.filter(
    (each) =>
      each.change === 'deactivate' && each.endedMs > fromMs && each.startedMs < toMs && !isOfAnother(each),
  );
}

/** Nobody is sent away and called back within this time, in ms. */
export const leastAwayMs = 10_000;

/** What listed an agent its mentions shortly before some time and after it, so that it was there meanwhile; `undefined` where nothing did. */
export function servedAround(
  { streams }: Pick<World, 'streams'>,
  id: string,
  { fromMs, toMs }: Span,
): readonly [Read, Read] | undefined {
  let before: Read | undefined;
  let after: Read | undefined;
  for (const { isFeed, pages } of streams.values())
    for (const { read, startedMs, endedMs } of isFeed ? pages : []) {
      if (read.agentId !== id) continue;
      if (endedMs <= fromMs && endedMs > (before?.endedMs ?? -Infinity)) before = read;
      if (startedMs >= toMs && startedMs < (after?.startedMs ?? Infinity)) after = read;
    }
  const isNear =
    before !== undefined && after !== undefined && after.startedMs - before.endedMs < leastAwayMs;
  return isNear ? [before as Read, after as Read] : undefined;
}

/**
 * Whether a principal may have been out of use when a send was taken: its access, its membership or its machine had ended and was not
 * given back, or that of somebody whom the operator did not name.
 */
export function mayBeOut(
  { changes, principals }: Pick<World, 'changes' | 'principals'>,
  id: string,
  { startedMs, endedMs }: Pick<Send, 'startedMs' | 'endedMs'>,
): boolean {
  const own = [id, ...principals.everBehind(id)];
  const about = changes.filter(
    ({ change, subject }) => change === 'deactivate' && (subject === undefined || own.includes(subject)),
  );
  const isBack = (ended: Change): boolean =>
    about.some(
      ({ subject, detail = '', ...given }) =>
        subject === ended.subject &&
        detail.endsWith(' active') &&
        given.startedMs >= ended.endedMs &&
        given.endedMs < startedMs,
    );
  return about.some(
    (each) => each.detail?.endsWith(' active') !== true && each.startedMs < endedMs && !isBack(each),
  );
}
