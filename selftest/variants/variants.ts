import { cacheVariants } from './reading/caches.ts';
import { credentialVariants } from './conditions/credentials.ts';
import { cursorVariants } from './reading/cursors.ts';
import { envelopeVariants } from './answers/envelopes.ts';
import { feedVariants } from './reading/feeds.ts';
import { fileVariants } from './sending/files.ts';
import { inputVariants } from './sending/inputs.ts';
import { machineVariants } from './conditions/machines.ts';
import { messageVariants } from './sending/messages.ts';
import { nameVariants } from './answers/names.ts';
import { overviewVariants } from './reading/overview.ts';
import { ownWordVariants } from './answers/own-words.ts';
import { pageVariants } from './reading/pages.ts';
import { precisionVariants } from './answers/precision.ts';
import { receiptVariants } from './reading/receipts.ts';
import { refusalVariants } from './answers/refusals.ts';
import { repeatVariants } from './reading/repeats.ts';
import { replicaVariants } from './reading/replicas.ts';
import { sendVariants } from './sending/sends.ts';
import { sequenceVariants } from './sending/sequences.ts';
import { stackVariants } from './conditions/stacks.ts';
import { successVariants } from './answers/successes.ts';
import { timestampVariants } from './answers/timestamps.ts';
import { troubleVariants } from './conditions/trouble.ts';
import type { Variant } from './base/variant.ts';
import { visibilityVariants } from './reading/visibility.ts';
import { waitingVariants } from './reading/waiting.ts';
import { wireVariants } from './answers/wire.ts';

/**
 * Every variant, in the order in which they are laid over each other: what changes the shape of an answer comes after
 * what changes its contents, and what makes bytes of it last.
 */
export const variants: readonly Variant[] = Object.freeze([
  ...sequenceVariants,
  ...visibilityVariants,
  ...replicaVariants,
  ...cursorVariants,
  ...pageVariants,
  ...sendVariants,
  ...repeatVariants,
  ...messageVariants,
  ...receiptVariants,
  ...fileVariants,
  ...feedVariants,
  ...machineVariants,
  ...waitingVariants,
  ...refusalVariants,
  ...credentialVariants,
  ...inputVariants,
  ...ownWordVariants,
  ...overviewVariants,
  ...nameVariants,
  ...successVariants,
  ...precisionVariants,
  ...timestampVariants,
  ...cacheVariants,
  ...envelopeVariants,
  ...troubleVariants,
  ...stackVariants,
  ...wireVariants,
]);
