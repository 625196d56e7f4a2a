/** Calls HEARTBEAT_URL every minute while all is well. */
import { MINUTE, SECOND, type Clock } from '../base/clock.js';
import { withDeadline } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import type { BotState } from './bot-state.js';

export interface HeartbeatCalls {
  /** It never rejects. */
  tick(state: BotState): Promise<void>;
  /** Ends a call under way. */
  stop(): void;
}

export interface HeartbeatCallsDeps {
  /** The address is secret. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The default is the real one. */
  readonly get?: (url: string, signal: AbortSignal) => Promise<{ readonly status: number }>;
}

const PATIENCE = 10 * SECOND;
/** This is longer than a rate limit usually delays a delivery. */
const STUCK = 15 * MINUTE;

/** The result is empty if all is well. It is pure. */
export function ailments({ ready, feeds, queue, now }: Pick<BotState, 'ready' | 'feeds' | 'queue' | 'now'>): readonly string[] {
  return [
    ...(ready ? [] : ['not-ready']),
    ...(feeds.some(({ staleSince }) => staleSince !== undefined) ? ['feeds-stale'] : []),
    ...(queue.oldest !== undefined && now - queue.oldest > STUCK ? ['deliveries-stuck'] : []),
  ];
}

export function createHeartbeatCalls({ url, clock, log, get = getOnce }: HeartbeatCallsDeps): HeartbeatCalls {
  const stopping = new AbortController();
  let last = 'well';
  let missed = 0;

  /** It is logged once per change. */
  const note = (what: string, detail: Readonly<Record<string, unknown>>): void => {
    if (what === 'well') {
      if (last !== 'well') log.info('heartbeat.resumed', { missed });
      missed = 0;
    } else {
      missed += 1;
      if (what !== last) log.warn('heartbeat.missed', detail);
    }
    last = what;
  };

  return {
    async tick(state) {
      const because = ailments(state);
      if (because.length > 0) return note(because.join(), { because });
      if (stopping.signal.aborted) return;
      try {
        const { status } = await withDeadline({ clock, milliseconds: PATIENCE, stops: [stopping.signal] }, async (signal) =>
          get(url, signal),
        );
        // A redirect is not followed: it may lead anywhere.
        if (status >= 200 && status < 300) note('well', {});
        else note(`status ${status}`, { because: ['refused'], status });
      } catch (cause) {
        if (!stopping.signal.aborted) note('unreachable', { because: ['unreachable'], cause });
      }
    },
    stop: () => stopping.abort(),
  };
}

async function getOnce(url: string, signal: AbortSignal): Promise<{ readonly status: number }> {
  // oxlint-disable-next-line no-restricted-globals -- not the analytics service: one call a minute, whose redirect is not followed
  const response = await fetch(url, { signal, redirect: 'manual', headers: { 'user-agent': 'Navwatch' } });
  await response.body?.cancel();
  return response;
}
