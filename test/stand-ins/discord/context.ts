/** What the parts of the stand-in share: the world, who is alerted of changes, and how messages look. */
import type { Clock } from '../../../src/base/clock.js';
import type { Bus } from './bus.js';
import type { Nonces } from './nonces.js';
import type { MessageView } from './wire-message.js';
import type { World } from './world.js';

/** Tells the connected clients of an event, if they asked for it. */
export type Dispatch = (event: {
  readonly name: string;
  readonly data: unknown;
  readonly intent: number;
  readonly content?: boolean;
}) => void;

export interface StandInContext {
  readonly token: string;
  readonly clock: Clock;
  readonly world: World;
  readonly bus: Bus;
  readonly view: MessageView;
  readonly nonces: Nonces;
  readonly uploadBytes: number;
  readonly dispatch: Dispatch;
}
