import { allowed, testAllowed } from './allowed.ts';

testAllowed(allowed);
