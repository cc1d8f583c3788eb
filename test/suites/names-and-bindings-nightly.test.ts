import { cheapAmong } from '../../selftest/run/sample.ts';
import { allChecks } from '../../suites/index.ts';
import { testNames } from './names-and-bindings.ts';

testNames(cheapAmong(allChecks));
