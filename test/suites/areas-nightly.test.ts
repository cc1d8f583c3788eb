import { testAreas } from './areas.ts';

testAreas('others');
