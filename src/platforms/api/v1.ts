/** The handlers of `/api/v1`. Each parses its request with its operation's schema. */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { nearestWord } from '../../base/edit-distance.js';
import { limitedBody } from '../../base/http.js';
import { memoize } from '../../base/bounded-cache.js';
import { both, either } from '../../base/sentence-lists.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { ChatData, SentAlert, UnknownFilter, WatchedChat } from '../../chat/chat-data.js';
import { lineText } from '../../chat/plain-text.js';
import type { Panel } from '../../chat/status-strip.js';
import { correctionLine } from '../../domain/event.js';
import { instantSchema } from '../../domain/scalars.js';
import { crossingOf, iso } from '../program-data.js';
import type { ApiKey } from './keys.js';
import { alertsOperation, askOperation, formOf, watchlistsOperation, type AlertData } from './operations.js';
import { Problem } from './problems.js';
import type { ApiQuestions } from './questions.js';

/** The value is in bytes. A line of 4,096 characters fits, with its JSON. */
const MAX_BODY = 32 * 1024;
/** The value is in characters. No valid query string is longer. */
const MAX_QUERY = 2_000;

export interface V1Deps {
  readonly questions: ApiQuestions;
  readonly data: ChatData;
  readonly catalogue: Pick<Catalogue, 'commands'>;
  readonly panel: Panel;
  /** Rejects with a `Problem`. */
  readonly keyOf: (c: Context) => ApiKey;
}

export function v1({ questions, data, catalogue, panel, keyOf }: V1Deps): Hono {
  const app = new Hono();
  const tooLarge = (): never => {
    throw new Problem('too-large', `A request has at most ${MAX_BODY / 1024} KB. Send a shorter line.`);
  };
  app.post('/ask', limitedBody({ maxSize: MAX_BODY, onError: tooLarge }), async (c) => {
    const key = keyOf(c);
    const { line, chat } = await bodyOf(c, askOperation.body);
    return c.json({ reply: await questions.ask(key, { ask: { line }, chat, mayChange: true }) });
  });
  app.get('/watchlists', (c) => {
    const key = keyOf(c);
    const { chat, cursor, limit } = queryOf(c, watchlistsOperation.query);
    const all = key.chat === undefined && chat === undefined ? data.chats() : [questions.chat(key, chat)];
    const after = cursor === undefined ? undefined : cursorOf(cursor, watchlistCursor).chat;
    const from = all.filter((one) => after === undefined || one > after);
    const page = from.slice(0, limit);
    const last = page.at(-1);
    const next = from.length > page.length && last !== undefined ? cursorText({ chat: last }) : undefined;
    return c.json(omitUndefined({ watchlists: page.map((one) => watchlistData(data.watched(one))), next }));
  });
  app.get('/alerts', async (c) => c.json(await alertPage(keyOf(c), queryOf(c, alertsOperation.query), { questions, data })));
  app.get('/status', async (c) => {
    const key = keyOf(c);
    const { store, service, feeds, budget, deliveries } = await panel.read();
    return c.json({
      store,
      service,
      kinds: feeds.map(({ id, watched, failing, oldestCheck }) =>
        omitUndefined({ kind: id, watched, failing, oldestCheck: oldestCheck === undefined ? undefined : iso(oldestCheck) }),
      ),
      // These counts are of all chats, so a key for one chat does not get them.
      ...(key.chat === undefined ? { budget: omitUndefined(budget), deliveries } : {}),
    });
  });
  app.get('/commands', (c) => {
    keyOf(c);
    return c.body(commandsText(catalogue.commands), 200, { 'Content-Type': 'application/json' });
  });
  return app;
}

/** Cached, because commands do not change while the bot runs. */
const commandsText = memoize((commands: Catalogue['commands']): string =>
  JSON.stringify({
    commands: commands.map(({ name, summary, reads = false, options, examples }) => ({
      ...{ name, summary, reads, examples },
      options: options.map(({ name: option, summary: help, required, choices }) =>
        omitUndefined({ name: option, summary: help, required, choices }),
      ),
    })),
  }),
);

async function alertPage(
  key: ApiKey,
  { chat, cursor, limit, since, project, kind }: z.output<typeof alertsOperation.query>,
  { questions, data }: Pick<V1Deps, 'questions' | 'data'>,
) {
  if (key.chat === undefined && chat === undefined)
    throw new Problem('invalid', '"chat" is missing: this key sees every chat. GET /api/v1/watchlists lists them.');
  const address = questions.chat(key, chat);
  const filters = await data.filters(address, { project, kind });
  if ('unknown' in filters) throw new Problem('invalid', unknownText(filters));
  const { alerts, hasMore } = await data.alerts(address, {
    ...{ ...filters, limit },
    since: since === undefined ? undefined : instantSchema.parse(Date.parse(since)),
    before: cursor === undefined ? undefined : cursorOf(cursor, alertCursor),
  });
  const last = alerts.at(-1);
  const next = hasMore && last !== undefined ? cursorText({ at: last.sentAt, id: alertId(last) }) : undefined;
  return omitUndefined({ alerts: alerts.map((one) => alertData(one)), next });
}

/** Describes an unknown filter. The text repeats nothing that the client sent. */
const unknownText = ({ unknown, nearest }: UnknownFilter): string =>
  unknown === 'kind'
    ? `There is no such alert kind. ${nearest.length === 1 ? `Did you mean ${nearest[0]}?` : `Kinds: ${nearest.join(', ')}.`}`
    : `There is no such project. ${nearest.length === 0 ? 'Give its slug, symbol or name.' : `Did you mean ${either(nearest)}?`}`;

const alertId = ({ delivery, event }: SentAlert): string => `${delivery} ${event.id}`;

const JSON_TYPE = /^application\/json\s*(;|$)/iu;

async function bodyOf<T extends z.ZodObject>(c: Context, schema: T): Promise<z.output<T>> {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? ''))
    throw new Problem('wrong-type', 'The body is JSON, so send the header "Content-Type: application/json".');
  const text = await c.req.text();
  return parsed(schema, jsonOf(text));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid', 'The body is not JSON. Send, for example, {"line": "/premium tide"}.');
  }
}

function queryOf<T extends z.ZodObject>(c: Context, schema: T): z.output<T> {
  const { search } = new URL(c.req.url);
  if (search.length > MAX_QUERY) throw new Problem('invalid', `The query has more than ${MAX_QUERY} characters.`);
  if (Object.values(c.req.queries()).some(({ length }) => length > 1)) throw new Problem('invalid', 'Give each parameter once.');
  return parsed(schema, c.req.query());
}

/** Parses a request. The problem's detail names the first invalid field and repeats nothing that the client sent. */
function parsed<T extends z.ZodObject>(schema: T, value: unknown): z.output<T> {
  const names = Object.keys(schema.shape);
  const unknown = typeof value === 'object' && value !== null ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (unknown !== undefined) {
    const near = nearestWord(unknown.slice(0, 50), names);
    throw new Problem(
      'invalid',
      `There is no such parameter here. ${near === undefined ? '' : `Did you mean ${near}? `}It takes ${both(names)}.`,
    );
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [name = ''] = read.error.issues[0]?.path ?? [];
  const form = formOf(String(name));
  throw new Problem(
    'invalid',
    form === undefined ? 'Send a JSON object, such as {"line": "/premium tide"}.' : `"${String(name)}" must be ${form}.`,
  );
}

const watchlistCursor = z.object({ chat: z.string() });
const alertCursor = z.object({ at: instantSchema, id: z.string() });

const cursorText = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function cursorOf<T>(text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw new Problem('invalid', '"cursor" is not one of this list. Start without it.');
  }
}

export const watchlistData = ({ away, entries, ...chat }: WatchedChat) => ({
  ...chat,
  ...(away === undefined ? {} : { away: { ...away, since: iso(away.since) } }),
  entries: entries.map(({ since, ...entry }) => ({ ...entry, since: iso(since) })),
});

/** Cached, because the same alerts are often requested again. */
const alertData = memoize(({ event, delivery, sentAt, correction }: SentAlert): AlertData => {
  const { id, feed, stage, topic, project, wallet, occurredAt, detectedAt, headline, size, crossings, links, entry, rule } = event;
  return {
    ...{ id, delivery, kind: feed, stage, topic },
    ...omitUndefined({ project, wallet, watched: entry, rule }),
    ...(occurredAt === undefined ? {} : { occurredAt: iso(occurredAt) }),
    detectedAt: iso(detectedAt),
    sentAt: iso(sentAt),
    text: lineText(headline, detectedAt),
    figures: omitUndefined(size),
    ...(crossings === undefined ? {} : { crossings: crossings.map(crossingOf) }),
    ...(correction === undefined ? {} : { correction: correctionData(correction) }),
    links: links.map(({ label, url }) => ({ label, url })),
  };
});

function correctionData({ correction: { was, now, dates }, at }: NonNullable<SentAlert['correction']>) {
  const values = dates === undefined ? { was, now } : { was: iso(dates.was), now: iso(dates.now) };
  return { at: iso(at), ...omitUndefined(values) };
}

/** Returns a text such as "Corrected: was 120, now 118". */
export const correctionText = ({ correction, at }: NonNullable<SentAlert['correction']>): string =>
  lineText(correctionLine(correction), at);
