import { checksOf } from '../arrange/checks-of.ts';
import { errorFormChecks } from './forms.ts';
import { limitChecks } from './limits.ts';

/** With which status what is refused. */
export const errorsChecks = checksOf('errors', { limits: limitChecks, forms: errorFormChecks });
