import { otherAllowed, testAllowed } from './allowed.ts';

testAllowed(otherAllowed);
