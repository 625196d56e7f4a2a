/** What every platform that people log in to is given: the neutral side of the bot, and the world. */
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { Answerer } from '../chat/inbound.js';
import type { Pictures } from '../chat/pictures.js';
import type { OnChatNews } from '../chat/platform.js';
import type { Store } from '../store/store.js';

export interface PlatformNeeds {
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** A rejection is logged and told again. The news of a chat holds for every topic of it, unless it names a topic. */
  readonly onChatNews: OnChatNews;
  /** Draws the pictures of answers; without it their words stand alone. */
  readonly pictures?: Pictures | undefined;
}
