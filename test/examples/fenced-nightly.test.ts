import { nightlyPages } from '../docs/excused.ts';
import { describeFenced } from './fenced.ts';

describeFenced((page) => nightlyPages.test(page));
