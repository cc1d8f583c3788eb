import { describeFenced, nightlyLines } from './fenced.ts';

describeFenced(nightlyLines);
