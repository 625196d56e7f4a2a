/** What every platform is created with. */
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Catalogue } from '../chat/catalogue.js';
import type { Forwarding } from '../chat/forwarding.js';
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
  /** A rejection is logged and the event reported again. */
  readonly onChatEvent: OnChatEvent;
  readonly pictures?: Pictures | undefined;
  /** Asked directly before each request. Absent: always. */
  readonly isActive?: (() => boolean) | undefined;
  /** Gets the `Date` header of each response of the platform. */
  readonly onDate?: ((header: string | undefined) => void) | undefined;
  readonly limits?: RateLimits | undefined;
  /** Undefined: one process has the store. */
  readonly forwarding?: Forwarding | undefined;
}
