import { credentialVariants } from './credentials.ts';
import { cursorVariants } from './cursors.ts';
import { envelopeVariants } from './envelopes.ts';
import { inputVariants } from './inputs.ts';
import { messageVariants } from './messages.ts';
import { overviewVariants } from './overview.ts';
import { pageVariants } from './pages.ts';
import { refusalVariants } from './refusals.ts';
import { sendVariants } from './sends.ts';
import { sequenceVariants } from './sequences.ts';
import { timestampVariants } from './timestamps.ts';
import { troubleVariants } from './trouble.ts';
import type { Variant } from './variant.ts';
import { visibilityVariants } from './visibility.ts';
import { waitingVariants } from './waiting.ts';
import { wireVariants } from './wire.ts';

/**
 * Every variant, in the order in which they are laid over each other: what changes the shape of an answer comes after
 * what changes its contents, and what makes bytes of it last.
 */
export const variants: readonly Variant[] = Object.freeze([
  ...sequenceVariants,
  ...visibilityVariants,
  ...cursorVariants,
  ...pageVariants,
  ...sendVariants,
  ...messageVariants,
  ...waitingVariants,
  ...refusalVariants,
  ...credentialVariants,
  ...inputVariants,
  ...overviewVariants,
  ...timestampVariants,
  ...envelopeVariants,
  ...troubleVariants,
  ...wireVariants,
]);
