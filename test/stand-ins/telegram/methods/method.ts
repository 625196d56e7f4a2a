/** What a method gets and gives. */
import type { Params } from '../params.js';
import type { World } from '../world.js';

export interface MethodCall {
  readonly world: World;
  readonly params: Params;
  /** Aborted when the caller goes away or the stand-in closes. */
  readonly signal: AbortSignal;
}

/** Returns the result, or throws a `Refusal`. */
export type Method = (asked: MethodCall) => unknown;
