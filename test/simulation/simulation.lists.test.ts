/** Global lists that mislead, exceptions in chats that watch everything, and saved screens. */
import { runs } from '../support/properties.js';
import { testFamilies } from './families.js';
import { FIRST_EXCEPTIONS, FIRST_LISTS, FIRST_SCREENED } from './scenario/make.js';

testFamilies([
  { what: 'misled', first: FIRST_LISTS, seeds: runs(30, 6), leastExpected: 8 },
  { what: 'excepted', first: FIRST_EXCEPTIONS, seeds: runs(24, 8), leastExpected: 1.5 },
  { what: 'screened', first: FIRST_SCREENED, seeds: runs(10, 4), leastExpected: 2 },
]);
