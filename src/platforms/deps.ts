/** What every platform is created with: the ports of the bot, and the clock, store and log. */
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { Answerer } from '../chat/inbound.js';
import type { Pictures } from '../chat/pictures.js';
import type { OnChatEvent } from '../chat/platform.js';
import type { Store } from '../store/store.js';
import type { RateLimits } from './limiter/limiter.js';

export interface PlatformDeps {
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** A rejection is logged and the event is reported again. It holds for every topic of a chat, unless it names a topic. */
  readonly onChatEvent: OnChatEvent;
  /** Draws the pictures of answers. Absent: answers have text only. */
  readonly pictures?: Pictures | undefined;
  /** Instead of the rate limits that follow from the platform's settings. */
  readonly limits?: RateLimits | undefined;
}
