/** All feeds, in the order of lists. Written by `npm run generate`. */
import type { Feed } from './feed.js';
import { growth } from './growth.js';
import { launches } from './launches.js';
import { movements } from './movements.js';
import { premium } from './premium.js';
import { proposals } from './proposals.js';
import { screens } from './screens.js';
import { supply } from './supply.js';
import { treasury } from './treasury.js';
import { vesting } from './vesting.js';
import { wallet } from './wallet.js';

export const FEEDS: readonly Feed[] = [
  growth,
  launches,
  movements,
  premium,
  proposals,
  screens,
  supply,
  treasury,
  vesting,
  wallet,
].toSorted((a, b) => a.order - b.order);

/** Undefined for a kind that no longer exists. */
export const feedOf = (id: string): Feed | undefined => FEEDS.find((feed) => feed.id === id);
