import type { EndedCall } from '../hooks/hook-protocol.ts';
import type { HistoryRecorder } from './history-recorder.ts';

/** Notes in the history what a call of a hook changed. */
export function noteHook(
  recorder: HistoryRecorder,
  { name, input, startedMs, endedMs, isDone }: EndedCall,
): void {
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const token = fields['token'];
  const subject = subjectFields.map((field) => fields[field]).find((value) => typeof value === 'string');
  recorder.change({
    client: 'operator',
    change: name,
    subject: typeof token === 'string' ? recorder.agentOf(token, 'unnamed') : (subject as string | undefined),
    detail: detailOf(fields),
    startedMs,
    endedMs,
    isDone,
  });
}

/** Where the inputs of the hooks name what is changed. */
const subjectFields = ['agent_id', 'machine_id', 'human_user_id', 'id'];

function detailOf({
  kind,
  action,
  active,
  per_second: limit,
}: Readonly<Record<string, unknown>>): string | undefined {
  const words = [kind, action].filter((value) => typeof value === 'string');
  if (typeof active === 'boolean') words.push(active ? 'active' : 'inactive');
  if (limit !== undefined) words.push(limit === null ? 'lifted' : 'limited');
  return words.length === 0 ? undefined : words.join(' ');
}
