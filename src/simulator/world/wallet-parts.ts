/** Dependencies of the wallet book. */
import type { Character } from './invented-projects.js';
import type { Facts } from './injected-facts.js';
import type { launchBook } from './launches.js';
import type { proposalBook } from './proposals.js';
import type { WorldScene } from './world-inputs.js';
import type { supplies } from './supply.js';
import type { RefreshJob } from './wallet-jobs.js';

export interface WalletParts {
  readonly scene: WorldScene;
  readonly projects: readonly Character[];
  readonly supply: ReturnType<typeof supplies>;
  readonly proposals: ReturnType<typeof proposalBook>;
  readonly launches: ReturnType<typeof launchBook>;
  readonly facts: Facts;
  readonly refreshes: () => readonly RefreshJob[];
}
