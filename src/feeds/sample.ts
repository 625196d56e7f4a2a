/** The project and wallet of sample events, unknown to any service. */
import type { Project } from '../domain/project.js';
import { slug } from '../domain/scalars.js';
import { walletAddress } from '../domain/wallet.js';

export const SAMPLE = { slug: slug('sample'), name: 'Example', symbol: 'EXMP' } satisfies Project;
export const SAMPLE_WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
