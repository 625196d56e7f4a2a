/** Every feed's check, where one operation behind it answers oddly: events, their message on every surface, and the watermark read back. */
import { compose, type ComposedEvent } from '../../../src/alerts/delivery/compose-message.js';
import type { Analytics } from '../../../src/analytics/analytics.js';
import { AnalyticsError } from '../../../src/analytics/errors.js';
import { DEFAULT_TEMPLATES, makeLinks } from '../../../src/domain/links.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import type { Feed, Subject } from '../../../src/feeds/feed.js';
import { FEEDS } from '../../../src/feeds/index.js';
import type { Target } from '../fuzz.js';
import { openFuzzedBot } from '../bot.js';
import { harmless } from '../harmless.js';
import { joined, split } from '../samples.js';
import { openOddService } from '../service.js';
import { NOON } from '../../simulator/box.js';

const LIFETIME = 60;
const MAX_COMPOSED = 12;
const LINKS = makeLinks(DEFAULT_TEMPLATES);
const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

function subjectOf({ scope }: Feed): Subject {
  if (scope === 'global') return 'all';
  return scope === 'project' ? { slug: slug('tide'), name: 'Tidewater' } : { address: walletAddress(WALLET) };
}

export async function feeds(): Promise<Target> {
  const service = await openOddService();
  const bot = await openFuzzedBot({ serviceUrl: service.url, start: NOON }, LIFETIME);
  const check = async (feed: Feed, watermark: unknown, analytics: Analytics) =>
    feed.check(subjectOf(feed), watermark, { analytics, options: { priority: 'poll', maxAge: 0, ifFailing: 'refuse' } });
  const before = new Map<string, unknown>();
  const inputs: string[] = [];
  for (const feed of FEEDS) {
    const { analytics } = await bot.next();
    service.taken();
    const { watermark } = await check(feed, undefined, analytics);
    for (const [row, body] of service.taken()) {
      const head = `${feed.id} ${row}`;
      inputs.push(joined(head, body));
      // From a time when this list was empty, so that each of its rows is new.
      service.replace({ row, body: '{"data":[]}' });
      const earlier = await check(feed, undefined, (await bot.next()).analytics).catch(() => ({ watermark }));
      before.set(head, earlier.watermark);
      service.replace(undefined);
    }
  }
  return {
    name: 'feeds',
    json: true,
    headed: true,
    inputs,
    mayKeepMb: 120,
    async run(input) {
      const { head, body } = split(input);
      const [id = '', row = ''] = head.split(' ');
      const feed = FEEDS.find((one) => one.id === id);
      if (feed === undefined) return 'no such feed';
      const { analytics, clock } = await bot.next();
      service.replace({ row, body });
      try {
        const first = await check(feed, before.get(head), analytics);
        // As the store keeps it.
        const second = await check(feed, JSON.parse(JSON.stringify(first.watermark)), analytics);
        const ids = new Set(first.events.map((event) => event.id));
        const repeated = second.events.find((event) => ids.has(event.id));
        if (repeated !== undefined) throw new Error(`the event ${repeated.id.slice(0, 100)} is found twice`);
        const found = [...first.events, ...first.measurements.map(({ event }) => event)].slice(0, MAX_COMPOSED);
        const [one, ...others] = found.map((event): ComposedEvent => ({
          member: { event: event.id, entry: event.wallet ?? event.project ?? 'all', queuedAt: clock.now() },
          event,
          content: feed.content(event, { now: clock.now() }),
          silent: false,
        }));
        if (one === undefined) return 'no events';
        await harmless(compose({ links: LINKS, id: 'D1', events: [one] }));
        if (others.length > 0) await harmless(compose({ links: LINKS, id: 'D1', events: [one, ...others] }));
        return 'events';
      } catch (error) {
        if (error instanceof AnalyticsError) return error.trouble;
        throw error;
      } finally {
        service.replace(undefined);
      }
    },
    idle: async () => bot.current().clock.next(),
    async close() {
      await bot.close();
      await service.close();
    },
  };
}
