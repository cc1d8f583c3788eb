import { markerLength } from './case-request.ts';

/** Digits of the number of a chapter, and of a message in it. */
const chapterDigits = 4;
const messageDigits = 5;
/** Begins the numbers of messages that no case sends: no case comes so far. */
const arranged = 'z';

/**
 * The markers by which the messages of a campaign are told, all of one length: the campaign's own characters, the number of
 * the chapter, that of the message, and a full stop. Nothing in it is touched by normalisation, but a change of letter case is seen.
 */
export class Markers {
  readonly runId: string;
  readonly #arranged: RegExp;
  #chapters = 0;

  /** `runId` has six characters of a-z and 0-9. */
  constructor(runId: string) {
    this.runId = runId;
    this.#arranged = new RegExp(
      `${runId}[0-9a-z]{${chapterDigits}}${arranged}[0-9a-z]{${messageDigits - 1}}\\.`,
      'i',
    );
  }

  /** The markers of a chapter: to every other one its messages are somebody else's. */
  ofChapter(): ChapterMarkers {
    this.#chapters += 1;
    return new ChapterMarkers(this.runId + digitsOf(this.#chapters, chapterDigits));
  }

  /** True of the content of a message that no case sent. */
  isArranged(content: string | undefined): boolean {
    return content !== undefined && content.length < mostArranged && this.#arranged.test(content);
  }
}

/** What is sent beside the cases is short. */
const mostArranged = 100;

/** The markers of one chapter. */
export class ChapterMarkers {
  /** Begins each of them, and no other of the campaign. */
  readonly runId: string;
  #last = 0;
  #lastArranged = 0;

  constructor(runId: string) {
    this.runId = runId;
  }

  next(): string {
    this.#last += 1;
    return this.#marker(digitsOf(this.#last, messageDigits));
  }

  /** A marker for a message that no case sends: everybody may look at that one. */
  nextArranged(): string {
    this.#lastArranged += 1;
    return this.#marker(arranged + digitsOf(this.#lastArranged, messageDigits - 1));
  }

  #marker(number: string): string {
    return `${this.runId}${number}.`.padStart(markerLength, 'f');
  }
}

function digitsOf(number: number, length: number): string {
  return number.toString(36).padStart(length, '0').slice(-length);
}
