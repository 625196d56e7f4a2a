/** What rarely coincides, and reminders of ends that move. */
import { runs } from '../support/properties.js';
import { testFamilies } from './families.js';
import { FIRST_PAIR, FIRST_REMIND } from './scenario/make.js';

testFamilies([
  { what: 'paired', first: FIRST_PAIR, seeds: runs(120, 24), leastExpected: 2.5 },
  { what: 'reminded', first: FIRST_REMIND, seeds: runs(10, 6), leastExpected: 1 },
]);
