/** The project and wallet of sample events. No service knows them. */
import { DAY, later, type Instant } from '../base/clock.js';
import type { Measure } from './measures.js';
import type { PastValues } from './event.js';
import type { Project } from './project.js';
import { decimal, slug } from './scalars.js';
import { walletAddress } from './wallet.js';

export const SAMPLE = {
  slug: slug('sample'),
  name: 'Example',
  symbol: 'EXMP',
  mint: 'So11111111111111111111111111111111111111112',
} satisfies Project;
export const SAMPLE_WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
export const SAMPLE_PROPOSAL = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
/** The signature of the sample transaction. */
export const SAMPLE_SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/** Makes past values six days apart, the last one at `at`. */
export const samplePast = (measure: Measure, values: readonly string[], at: Instant): PastValues => ({
  [measure]: values.map((value, index) => [later(at, (index + 1 - values.length) * 6 * DAY), decimal(value)]),
});
