import type { Change, Send } from '../operation.ts';
import type { World } from './world.ts';

/** A restart of the server that may have fallen between two times. */
export function restartBetween({ changes }: World, fromMs: number, toMs: number): Change | undefined {
  return changes.find(
    ({ change, startedMs, endedMs }) => change === 'restart' && endedMs > fromMs && startedMs < toMs,
  );
}

/**
 * Whether a feed may have become another one meanwhile for what names its reader through a human or a machine: a membership or a machine was
 * ended or given back, and it was the reader's, as far as anybody knows. An access takes neither from its agent. Of what was recorded on its
 * way nobody knows.
 */
export function mayHaveMoved(
  { changes, principals, history }: Pick<World, 'changes' | 'principals' | 'history'>,
  reader: string | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): boolean {
  if (history.facts.isPartial === true) return true;
  const [human, machine] =
    reader === undefined ? [] : [principals.humanOf(reader), principals.machineOf(reader)];
  const isOfAnother = (subject: string | undefined): boolean =>
    subject !== undefined &&
    human !== undefined &&
    machine !== undefined &&
    ![reader, ...principals.everBehind(reader ?? '')].includes(subject);
  return changes.some(
    ({ change, detail = '', subject, startedMs, endedMs }) =>
      change === 'deactivate' &&
      !detail.startsWith('access ') &&
      endedMs > fromMs &&
      startedMs < toMs &&
      !isOfAnother(subject),
  );
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
