import type { PageRead } from '../../harness/stream/page.ts';

/** Follows a stream by its cursors while `work` goes on, and once more when it is done; a page, then a pause. */
export async function follow<Page extends PageRead>(
  readPage: (after: bigint) => Promise<Page>,
  start: bigint,
  work: Promise<unknown>,
  pause: () => Promise<void>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let isDone = false;
  const done = (): void => void (isDone = true);
  work.then(done, done);
  for (let after = start, wasDone = false; !wasDone;) {
    wasDone = isDone;
    const page = await readPage(after);
    pages.push(page);
    after = page.nextAfter ?? after;
    await pause();
  }
  return pages;
}
