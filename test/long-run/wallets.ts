/** Keys of wallets that the world knows as it knows any. */
import { keys } from '../../src/simulator/world/world-inputs.js';

export const walletAddresses = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => keys('navwatch').address('long run', index));
