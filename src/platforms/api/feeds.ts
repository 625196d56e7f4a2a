/** Serves `/feeds/<token>/calendar.ics` and `/feeds/<token>/alerts.atom`. The token is the only protection and must not appear in a log or a response. */
import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { RecentMap } from '../../base/bounded-cache.js';
import { MINUTE, type Clock, type Instant } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import type { Address } from '../../chat/address.js';
import type { ChatData } from '../../chat/chat-data.js';
import { FEED_KINDS, type FeedKind } from '../../chat/feed-addresses.js';
import { ifUnreadable, type Collection, type Store } from '../../store/store.js';
import { MAX_ALERTS, atomText } from './atom.js';
import { calendarSchema, icsText, updated, type ChatCalendarDocument } from './calendar.js';
import { FILES, type FeedTokens } from './feed-tokens.js';
import { Problem } from './problems.js';

interface FeedsDeps {
  readonly data: ChatData;
  readonly store: Store;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
}

interface FeedRoutesDeps {
  readonly feeds: Feeds;
  readonly tokens: FeedTokens;
  readonly isEnabled: boolean;
}

interface Written {
  readonly text: string;
  readonly tag: string;
  readonly at: Instant;
}

/** A feed is rendered at most once in this time. */
const WRITTEN_FOR = MINUTE;
const MAX_WRITTEN = 200;
/** How long an app may use its copy, in seconds. */
const MAX_AGE = 300;

const TYPES: Readonly<Record<FeedKind, string>> = {
  calendar: 'text/calendar; charset=utf-8',
  alerts: 'application/atom+xml; charset=utf-8',
};

export function feedRoutes({ feeds, tokens, isEnabled }: FeedRoutesDeps): Hono {
  const app = new Hono();
  const answer = async (c: Context, kind: FeedKind): Promise<Response> => {
    const found = isEnabled ? tokens.find(c.req.param('token') ?? '') : undefined;
    if (found?.kind !== kind)
      throw new Problem('not-found', 'This address is not valid any more. Ask for a new one in the chat with /feeds.');
    const { text, tag } = await feeds.written(found.chat, kind);
    // The explicit type keeps browsers from showing the text as a page.
    const headers = { ETag: tag, 'Cache-Control': `private, max-age=${MAX_AGE}`, 'X-Content-Type-Options': 'nosniff' };
    if (isKnown(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, 'Content-Type': TYPES[kind] });
  };
  app.get(`/:token/${FILES.calendar}`, async (c) => answer(c, 'calendar'));
  app.get(`/:token/${FILES.alerts}`, async (c) => answer(c, 'alerts'));
  app.all('/:token/:file', (c) => {
    if (!FILE_NAMES.has(c.req.param('file'))) throw new Problem('not-found', 'There is nothing at this address.');
    c.header('Allow', 'GET, HEAD');
    throw new Problem('wrong-method', 'A calendar and a feed are only read. Send GET.');
  });
  app.all('*', () => {
    throw new Problem('not-found', 'There is nothing at this address.');
  });
  return app;
}

const FILE_NAMES: ReadonlySet<string> = new Set(Object.values(FILES));

/** A weak comparison, as the header asks for. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.length <= 2_000 && header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));

/** Renders calendars and feeds, and keeps the documents `calendar/<chat>`. */
export class Feeds {
  readonly #deps: FeedsDeps;
  readonly #written = new RecentMap<string, Written>(MAX_WRITTEN);
  readonly #writer = lanes();
  readonly #documents: Collection<ChatCalendarDocument>;

  constructor(deps: FeedsDeps) {
    this.#deps = deps;
    this.#documents = deps.store.collection({ prefix: 'calendar', schema: calendarSchema, version: 1 });
  }

  /** Renders a feed. Requests for the same one share the text. */
  async written(chat: Address, kind: FeedKind): Promise<Written> {
    const { clock, data } = this.#deps;
    const key = `${kind} ${chat}`;
    return this.#writer.run(key, async () => {
      const now = clock.now();
      const before = this.#written.get(key);
      if (before !== undefined && now >= before.at && now - before.at < WRITTEN_FOR) return before;
      const present = data.present(chat);
      // An unreachable chat has no events. Its feed stays valid for its return.
      const text = kind === 'calendar' ? await this.#calendar(chat, present, now) : await this.#alerts(chat, present);
      const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
      const written = { text, tag, at: now };
      this.#written.set(key, written);
      return written;
    });
  }

  async forget(chat: Address): Promise<void> {
    for (const kind of FEED_KINDS)
      await this.#writer.run(`${kind} ${chat}`, async () => {
        this.#written.delete(`${kind} ${chat}`);
        if (kind === 'calendar') await this.#documents.delete(chat);
      });
  }

  async #calendar(chat: Address, present: Address | undefined, now: Instant): Promise<string> {
    const before = (await this.#documents.get(chat).catch(ifUnreadable)) ?? { chat, events: {} };
    const moments = present === undefined ? NOTHING : await this.#deps.data.moments(present);
    const events = updated(before.events, moments, now);
    if (events !== before.events) await this.#documents.set(chat, { chat, events });
    return icsText({ chat, events }, moments);
  }

  async #alerts(chat: Address, present: Address | undefined): Promise<string> {
    const { data, publicUrl = 'https://navwatch.invalid/' } = this.#deps;
    const { alerts } = present === undefined ? { alerts: [] } : await data.alerts(present, { limit: MAX_ALERTS });
    return atomText({ chat, alerts, link: publicUrl });
  }
}

const NOTHING = { moments: [], isUnread: () => false, isCut: false };
