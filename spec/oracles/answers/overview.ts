import { judgeEach, inconclusive, type Judgement } from '../values/judgement.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Each object that names a workspace names this one; an absent or null `workspace_id` is not compared. */
export function judgeSameWorkspace(objects: readonly JsonRecord[], workspaceId: string): Judgement {
  const named = objects.flatMap(({ workspace_id: named }) => (typeof named === 'string' ? [named] : []));
  return judgeEach(named, (each) =>
    isSameId(each, workspaceId) ? undefined : { expected: `workspace_id ${workspaceId}`, actual: each },
  );
}

/** The workspace shown is the one asked for; an absent or null `id` is not compared. */
export function judgeIsRequested({ id }: JsonRecord, workspaceId: string): Judgement {
  return judgeEach(typeof id === 'string' ? [id] : [], (shown) =>
    isSameId(shown, workspaceId)
      ? undefined
      : { expected: `the workspace ${workspaceId}`, actual: `the workspace ${shown}` },
  );
}

/** Nobody is among the members twice. */
export function judgeMembersOnce(members: readonly JsonRecord[]): Judgement {
  const ids = members.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const repeated = ids.find((each, at) => ids.findIndex((earlier) => isSameId(earlier, each)) < at);
  return {
    judged: 1,
    problems:
      repeated === undefined ? [] : [{ expected: 'every member once', actual: `${repeated} more than once` }],
  };
}

/**
 * The caller, whose membership is shown as active, is among the members. Whether the id of a member is that of a human, of a membership or
 * one of its own is not said: where one of the `humans` of the workspace is among them, it is that of a human.
 */
export function judgeCallerIsListed(
  { membership, members }: { readonly membership: JsonRecord; readonly members: readonly JsonRecord[] },
  humans: readonly string[],
): Judgement {
  const { id, human_user_id: human, status } = membership;
  if (status !== 'active') return inconclusive;
  const isListed = (each: unknown): boolean => typeof each === 'string' && hasId(members, each);
  const isOfHumans = humans.some(isListed);
  const isThere = isListed(human) || isListed(id) || (!isOfHumans && members.length > 0);
  const problem = {
    expected: 'the human of the machine among the members',
    actual: `${members.length} others`,
  };
  return { judged: 1, problems: isThere ? [] : [problem] };
}

/** Words that most would use for a member that is one no longer: what a server means by them is not shown, so that they tell nothing for sure. */
const former =
  /^(?:in-?active|removed|left|former|deleted|deactivated|disabled|suspended|revoked|ended|expired)$/i;

/**
 * A listed member that is shown in a state which seems to be none of a member breaks what is inferred of members that left; that there is
 * none keeps it not, as nobody may have left. Of the words for a state the contract shows `active` alone: where no member has it, the
 * server has words of its own and nothing is compared, and others may be active in another way.
 */
export function judgeFormer(members: readonly JsonRecord[]): Judgement {
  const statuses = members.flatMap(({ status }) => (typeof status === 'string' ? [status] : []));
  if (!statuses.includes('active')) return inconclusive;
  return judgeEach(
    statuses.filter((status) => former.test(status)),
    (status) => ({ expected: 'only members with status active', actual: `status ${status}` }),
  );
}

/** True when the id is among the ids of the objects. */
export function hasId(objects: readonly JsonRecord[], id: string): boolean {
  return objects.some((object) => typeof object['id'] === 'string' && isSameId(object['id'], id));
}

/** Two spellings of one UUID: letter case aside, they are equal. */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
