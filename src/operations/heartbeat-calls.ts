/** Calls HEARTBEAT_URL every minute while all is well. */
import { MINUTE, SECOND, type Clock } from '../base/clock.js';
import { withDeadline } from '../base/deadline.js';
import type { Log } from '../base/log.js';
import type { BotState } from './bot-state.js';

export interface HeartbeatCalls {
  /** Never rejects. */
  tick(state: BotState): Promise<void>;
  /** Aborts a call under way. */
  stop(): void;
}

export interface HeartbeatCallsDeps {
  /** The URL is secret and must not be logged. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces the HTTP request, for tests. */
  readonly get?: (url: string, signal: AbortSignal) => Promise<{ readonly status: number }>;
}

const PATIENCE = 10 * SECOND;
/** Longer than a rate limit usually delays a delivery. */
const STUCK = 15 * MINUTE;

/** Returns what is wrong; empty if all is well. */
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

  /** Logs the result once per change. */
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
        // A redirect counts as a failure and is not followed, because it may lead anywhere.
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
