import { markerLength } from './case-request.ts';

/**
 * The markers by which the messages of a campaign are told, all of one length: the campaign's own eight characters, then a
 * number. ASCII letters and digits only, which no normalisation touches but a change of letter case does.
 */
export class Markers {
  readonly runId: string;
  readonly #arranged = new Set<string>();
  #last = 0;

  /** `runId` has eight characters of a-z and 0-9. */
  constructor(runId: string) {
    this.runId = runId;
  }

  next(): string {
    this.#last += 1;
    return this.runId + this.#last.toString(36).padStart(markerLength - this.runId.length, '0');
  }

  /** A marker for a message that no case sends: everybody may look at that one. */
  nextArranged(): string {
    const marker = this.next();
    this.#arranged.add(marker);
    return marker;
  }

  /** True of the content of a message that was arranged before the first case. */
  isArranged(content: string | undefined): boolean {
    const marker = this.in(content);
    return marker !== undefined && this.#arranged.has(marker);
  }

  /** The marker of this campaign in a text, however the text around it has changed. */
  in(content: string | undefined): string | undefined {
    if (content === undefined) return undefined;
    let at = content.indexOf(this.runId);
    if (at < 0) {
      // A server may change the letter case of what it keeps: the message is still known by its marker.
      at = content.length > 10_000 ? -1 : content.toLowerCase().indexOf(this.runId);
      if (at < 0) return undefined;
    }
    return content.slice(at, at + markerLength).toLowerCase();
  }
}
