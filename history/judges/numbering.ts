import type { Place } from '../world/sight.ts';
import type { Stream } from '../world/stream.ts';
import { judgeOf, messageRoot } from '../anomalies/findings.ts';

/** Where a number was seen first. */
interface Numbered {
  readonly stream: Stream;
  readonly place: Place;
}

/**
 * The numbers of mentions are those of the workspace, whoever's feed lists them: one that stands for a message in one feed stands for
 * no other message in another. That a message has one number is not said: its targets may have one each.
 */
export const numbering = judgeOf(['shared-number'], (findings, world) => {
  const known = new Map<string, Numbered>();
  for (const stream of world.streams.values()) {
    if (!stream.isFeed) continue;
    // Places that others of the same feed dispute are a matter of that feed.
    for (const place of stream.places) {
      const { workspace } = place.item.message;
      if (workspace === undefined) continue;
      const name = `${place.sequence} of ${workspace}`;
      const before = known.get(name);
      if (before === undefined) known.set(name, { stream, place });
      if (before === undefined || before.stream === stream) continue;
      const { id, knownBy, item } = before.place;
      findings.hold('mention.sequence.workspace-wide', id === place.id, () => ({
        name: 'shared-number',
        expected: `${stream.name}: another number than ${place.sequence} for message ${place.id}: in ${before.stream.name} message ${id} has it`,
        actual: `message ${place.id} at ${place.sequence}`,
        witness: [knownBy, place.knownBy, ...[item, place.item].map(({ message }) => world.causeOf(message))],
        decides: place.knownBy,
        root: `mention ${place.sequence} of ${workspace}`,
        dependsOn: [messageRoot(item.message), messageRoot(place.item.message)],
      }));
    }
  }
});
