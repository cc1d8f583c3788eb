import { checksOf } from '../arrange/checks-of.ts';
import { pageFieldChecks } from './pages.ts';

/** What a page says of itself and of what follows. */
export const pageChecks = checksOf('page', {
  pages: pageFieldChecks,
});
