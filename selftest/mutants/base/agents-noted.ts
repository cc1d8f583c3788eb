import { contractRules, type Rules } from '../../../reference/rules/rules.ts';

/** Tells whether an agent whose messages were listed in a feed is without access now; `note` is the contract's rule otherwise. */
export function authorsOfFeeds(): {
  readonly note: Pick<Rules, 'isSelfAuthored'>;
  readonly isOut: (id: unknown) => boolean;
} {
  const authors = new Map<unknown, Parameters<Rules['isSelfAuthored']>[2]>();
  const note: Pick<Rules, 'isSelfAuthored'> = {
    isSelfAuthored: (entry, reader, author) => {
      authors.set(entry.authorId, author);
      return contractRules.isSelfAuthored(entry, reader, author);
    },
  };
  return { note, isOut: (id) => authors.get(id)?.()?.hasAccess === false };
}

/** Tells of the second sender that each reader hears of; only agents of the name that the role of the reader has hear of any. */
export function secondSender(): (
  entry: { readonly authorId: string },
  reader: { readonly id: string; readonly displayName: string },
) => boolean {
  const heard = new Map<string, Set<string>>();
  return ({ authorId }, { id, displayName }) => {
    if (displayName !== 'Reader agent' || authorId === id) return false;
    const senders = (heard.get(id) ?? new Set()).add(authorId);
    heard.set(id, senders);
    return [...senders][1] === authorId;
  };
}
