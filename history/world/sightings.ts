import type { Read } from '../operation.ts';
import type { Item } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import { Page } from './page.ts';
import { Place } from './sight.ts';

/** What the reads of one stream showed, taken in one after another. */
export class Sightings {
  /** Every place, in the order in which they were first shown. */
  readonly places: Place[] = [];
  /** Messages that were shown at several places. */
  readonly repeated = new Set<string>();
  readonly #byId = new Map<string, Place>();

  /** Takes a read into account. */
  add(read: Read): Page {
    let before: Place | undefined;
    const places = read.items.map((item) => {
      const place = before?.follower?.item === item ? before.follower : this.#placeOf(item, read);
      if (place === undefined) return place;
      place.show(item, read);
      if (before !== undefined && before.follower !== place) before.follower = place;
      before = place;
      return place;
    });
    return new Page(
      read,
      places.every((place) => place !== undefined) ? places : places.filter((place) => place !== undefined),
    );
  }

  /** All places of a message. */
  placesOf(id: string): readonly Place[] {
    const places: Place[] = [];
    for (let place = this.#byId.get(id); place !== undefined; place = place.other) places.push(place);
    return places;
  }

  #placeOf(item: Item, read: Read): Place | undefined {
    const { id } = item.message;
    if (!isPlaced(item) || id === undefined) return undefined;
    const first = this.#byId.get(id);
    for (let place = first; place !== undefined; place = place.other)
      if (place.sequence === item.sequence) return place;
    if (first !== undefined) this.repeated.add(id);
    const made = new Place(read, item, id, first);
    this.#byId.set(id, made);
    this.places.push(made);
    return made;
  }
}

function isPlaced(item: Item): item is Item & { readonly sequence: Sequence } {
  return item.sequence !== undefined;
}
