import { testAllTogether, testAreas } from './areas.ts';

testAreas('others');
testAllTogether();
