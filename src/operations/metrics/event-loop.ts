/** How late the event loop is. Sampled only while somebody scrapes. */
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import { MINUTE, SECOND } from '../../base/clock.js';

/** Milliseconds between samples; part of every measured delay. */
const RESOLUTION = 20;
/** Without a scrape for so long, sampling ends. */
const UNREAD = 5 * MINUTE;
/** Two scrapers read the same window. */
const MIN_WINDOW = 10 * SECOND;
const QUANTILES = [0.5, 0.99];

export function eventLoopMetrics(registry: Registry): { read(): void; stop(): void } {
  const lag = new Gauge({
    name: 'navwatch_event_loop_lag_seconds',
    help: 'Lateness of the event loop since the scrape before, by quantile; 1 is the worst.',
    labelNames: ['quantile'],
    registers: [registry],
  });
  let sampler: IntervalHistogram | undefined;
  let end: NodeJS.Timeout | undefined;
  let begun = performance.now();
  const stop = (): void => {
    clearTimeout(end);
    sampler?.disable();
    sampler = undefined;
  };
  return {
    stop,
    read() {
      clearTimeout(end);
      end = setTimeout(stop, UNREAD).unref();
      if (sampler === undefined) {
        sampler = monitorEventLoopDelay({ resolution: RESOLUTION });
        sampler.enable();
        begun = performance.now();
        return lag.reset();
      }
      if (sampler.count === 0) return;
      const { max } = sampler;
      for (const quantile of QUANTILES) lag.set({ quantile: String(quantile) }, lateBy(sampler.percentile(quantile * 100)));
      lag.set({ quantile: '1' }, lateBy(max));
      if (performance.now() - begun < MIN_WINDOW) return;
      sampler.reset();
      begun = performance.now();
    },
  };
}

/** From nanoseconds between two samples. */
const lateBy = (gap: number): number => Math.max(0, gap / 1e9 - RESOLUTION / SECOND);
