/** All targets, by name. */
import type { Target } from '../fuzz.js';
import { commands } from './commands.js';
import { discord } from './discord.js';
import { feeds } from './feeds.js';
import { exports, watchlistFiles } from './files.js';
import { completion, lines } from './lines.js';
import { page } from './page.js';
import { api, mcp } from './programs.js';
import { responses } from './responses.js';
import { settings } from './settings.js';
import { telegram } from './telegram.js';
import { webhookAddresses } from './webhook-addresses.js';

export const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  responses,
  feeds,
  commands,
  lines,
  completion,
  discord,
  telegram,
  'watchlist-files': watchlistFiles,
  exports,
  settings,
  page,
  api,
  mcp,
  'webhook-addresses': webhookAddresses,
};
