/** Minutes, hours, days and crowds, more events than a chat keeps, and events that expire. */
import { runs } from '../support/properties.js';
import { testFamilies } from './families.js';
import { FIRST_EXPIRY, FIRST_FLOOD } from './scenario/make.js';

testFamilies([
  { what: 'long', first: 1, seeds: runs(70, 12), leastExpected: 3 },
  { what: 'flooded', first: FIRST_FLOOD, seeds: runs(4, 2), leastExpected: 900 },
  { what: 'expiring', first: FIRST_EXPIRY, seeds: runs(24, 4), leastExpected: 2 },
]);
