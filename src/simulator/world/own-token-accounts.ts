/** Accounts with the own token; also among holders (§2.11), accounts and native holdings (§2.13). */
import { rawOf } from './amounts.js';
import type { Character } from './invented-projects.js';
import type { WorldScene } from './world-inputs.js';

export interface OwnedAccount {
  readonly name: 'Performance package' | 'Main treasury';
  readonly address: string;
  /** Raw. */
  readonly tokens: bigint;
}

export const ownedAccounts = ({ keys }: WorldScene, who: Character): readonly OwnedAccount[] => [
  { name: 'Performance package', address: keys.address('package', who.slug), tokens: rawOf(who.locked) },
  { name: 'Main treasury', address: keys.address('treasury', who.slug), tokens: rawOf(who.ownTokens) },
];
