import { testAreas } from './areas.ts';

testAreas('first');
