/** Serves the API of the operator view, whose writes are JSON. */
import { addAbortSignal, type Readable } from 'node:stream';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Clock } from '../../base/clock.js';
import { addressSchema } from '../../chat/address.js';
import { MAX_LINE } from '../../chat/inbound.js';
import { OPERATED_STATES, type OperatedChat, type Operator } from '../../chat/operator-view.js';
import type { Reply } from '../../chat/reply.js';
import { plainText } from '../../chat/plain-text.js';
import { isoText } from './conversation-log.js';
import { renderMessage } from './render.js';
import { bounded } from './size-limits.js';

const MAX_BODY = 16 * 1024;
const MAX_SEARCH = 100;
const MAX_PAGE = 10_000;

const wanted = addressSchema.max(200);
const chatsSchema = z.object({
  search: z.string().max(MAX_SEARCH).default(''),
  state: z.enum(OPERATED_STATES).optional(),
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
});
const runSchema = z.object({ address: wanted, line: z.string().trim().min(1).max(MAX_LINE) });

export interface OperatorApiDeps {
  readonly operator: Operator;
  readonly pages: readonly { readonly platform: string; readonly title: string }[];
  readonly clock: Clock;
  /** Aborts the exports under way. */
  readonly closing: AbortSignal;
}

export function operatorApi({ operator, pages, clock, closing }: OperatorApiDeps): Hono {
  const app = new Hono();
  const card = async (reply: Reply | undefined, id: number): Promise<string | undefined> => {
    if (reply === undefined) return undefined;
    const at = clock.now();
    // Charts and files are served by message, and this reply is not one.
    const shown = bounded({ ...reply, chart: undefined, files: [] });
    return renderMessage({ id, at, kind: 'reply', text: plainText(shown, at), reply: shown });
  };

  app.get('/pages', (c) => c.json({ pages: pages.map(({ platform, title }) => ({ title, path: `/operator/${platform}` })) }));
  app.get('/chats', async (c) => {
    const given = Object.entries(c.req.query()).filter(([, value]) => value !== '');
    const query = chatsSchema.safeParse(Object.fromEntries(given));
    if (!query.success)
      return complain(
        c,
        400,
        `"search" has at most ${MAX_SEARCH} characters, "state" is one of ${OPERATED_STATES.join(', ')}, "page" counts from 1.`,
      );
    const { chats, ...rest } = await operator.chats(query.data);
    return c.json({ ...rest, page: query.data.page, chats: chats.map(forPage) });
  });
  app.get('/chat', async (c) => {
    const address = wanted.safeParse(c.req.query('address'));
    const found = address.success ? await operator.chat(address.data) : undefined;
    if (!address.success || found === undefined) return complain(c, 404, UNKNOWN);
    const [watchlist, history] = [await operator.run(address.data, '/watchlist', BY), await operator.run(address.data, '/history', BY)];
    return c.json({
      chat: { ...forPage(found), missing: found.missing, edits: found.edits.map((edit) => ({ ...edit, at: isoText(edit.at) })) },
      watchlist: await card(watchlist, WATCHLIST_CARD),
      history: await card(history, HISTORY_CARD),
    });
  });
  app.get('/watchlists', (c) => c.json({ refused: operator.refusedFiles() }));
  app.get('/export', async (c) => {
    const made = await operator.exported();
    if (typeof made === 'string') return complain(c, 409, made);
    const { name, file } = made;
    c.header('Content-Type', 'application/gzip');
    c.header('Content-Disposition', `attachment; filename="${name}"`);
    c.header('Cache-Control', 'no-store');
    return c.body(webStream(addAbortSignal(closing, file)));
  });
  app.post('/run', bodyLimit({ maxSize: MAX_BODY, onError: (c) => complain(c, 413, RUN_SAYS) }), async (c) => {
    const order = runSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success || !isJson(c)) return complain(c, 400, RUN_SAYS);
    const reply = await operator.run(order.data.address, order.data.line, BY);
    if (reply === undefined) return complain(c, 404, UNKNOWN);
    return c.json({ html: await card(reply, RESULT_CARD), text: plainText(reply, clock.now()) });
  });
  return app;
}

/** The author in the edit records of a chat. */
const BY = 'operator, logged in';
const [WATCHLIST_CARD, HISTORY_CARD, RESULT_CARD] = [1, 2, 3];

const isJson = (c: Context): boolean => /^application\/json\s*(;|$)/iu.test(c.req.header('content-type') ?? '');

/** Wraps `file` as a web stream. If the reader cancels, `file` is destroyed. */
function webStream(file: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown> = file[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next: IteratorResult<unknown, unknown> = await chunks.next();
      if (next.done === true) controller.close();
      else if (next.value instanceof Uint8Array) controller.enqueue(next.value);
    },
    cancel: () => void file.destroy(),
  });
}

const UNKNOWN = 'There is no such chat. Search for it in the list.';
const RUN_SAYS = `Send JSON, for example {"address": "discord/1", "line": "/mute 24h"}; a line has at most ${MAX_LINE} characters.`;
const complain = (c: Context, status: 400 | 404 | 409 | 413, error: string) => c.json({ error }, status);

const forPage = ({ lastAlertAt, address, platform, state, because, entries, watches, waiting }: OperatedChat) =>
  omitUndefined({
    address,
    platform,
    state,
    because,
    entries,
    watches,
    waiting,
    lastAlertAt: lastAlertAt === undefined ? undefined : isoText(lastAlertAt),
  });
