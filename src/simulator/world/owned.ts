/**
 * Where a project holds its own token. The same accounts stand among its holders (§2.11), in its account lists and where the native token is
 * held (§2.13): an owner among the holders is one of the project's own when its address is registered as an account.
 */
import { rawOf } from './amounts.js';
import type { Character } from './cast.js';
import type { WorldScene } from './scene.js';

export interface OwnedAccount {
  readonly name: 'Performance package' | 'Main treasury';
  readonly address: string;
  /** Own tokens in it, raw. */
  readonly tokens: bigint;
}

/** The accounts of a project in which its own token lies; together they hold all that does not circulate. */
export const ownedAccounts = ({ keys }: WorldScene, who: Character): readonly OwnedAccount[] => [
  { name: 'Performance package', address: keys.address('package', who.slug), tokens: rawOf(who.locked) },
  { name: 'Main treasury', address: keys.address('treasury', who.slug), tokens: rawOf(who.ownTokens) },
];
