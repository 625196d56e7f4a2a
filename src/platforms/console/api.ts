/** Serves the chat API of the console. */
import { Hono, type Context, type ErrorHandler } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Clock } from '../../base/clock.js';
import type { OperatorLogin } from '../../base/http-callers.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { address, chatNameSchema } from '../../chat/address.js';
import type { Catalogue } from '../../chat/catalogue.js';
import type { Chart, Pictures } from '../../chat/chart.js';
import type { MessagePreview, PreviewBlock, PreviewButton, Rendering, Renderings } from '../../chat/renderings.js';
import type { Reply } from '../../chat/reply.js';
import type { Panel } from '../../chat/status-strip.js';
import type { WatchedProjects } from '../../chat/watched-projects.js';
import type { Instant } from '../../domain/scalars.js';
import { StoreError, remedyOf } from '../../store/store.js';
import { safeName } from '../attachments.js';
import { MAX_MESSAGES, forApi, isoText, type ConsoleMessage, type ConversationLog } from './conversation-log.js';
import { forPage, streamChat } from './message-stream.js';
import { pictureFrame, pictureOf, valuesOf } from './picture.js';
import { NO_PICTURE, projectRoutes } from './project-routes.js';
import { questionLimit, questionOf, type ConsoleQuestions } from './questions.js';
import { bare, clean, line, type Html } from './render.js';
import { page } from './size-limits.js';

const SUGGESTIONS = 8;
/** The limit of open streams, over all chats. */
const MAX_STREAMS = 50;

const position = z.coerce.number('is no number').int('is no whole number').min(0, 'is below 0').optional();
const pageSchema = z.object({
  after: position,
  before: position,
  limit: z.coerce.number().int().min(1).max(MAX_MESSAGES).optional(),
  form: z.enum(['page']).optional(),
});
const completeSchema = z.object({ chat: chatNameSchema.default('main'), line: z.string().max(1_000).default('') });

export interface ConsoleApiDeps {
  readonly login: OperatorLogin;
  readonly conversations: ConversationLog;
  readonly asker: ConsoleQuestions;
  readonly catalogue: Catalogue;
  readonly panel: Panel;
  readonly watched: WatchedProjects;
  readonly pictures?: Pictures | undefined;
  readonly renderings: Renderings;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
}

export function api(deps: ConsoleApiDeps): Hono {
  const { login, conversations, catalogue, panel, log } = deps;
  const app = new Hono();
  app.use('*', async (c, next) => {
    await next();
    if (!c.res.headers.has('cache-control')) c.header('Cache-Control', 'no-store');
  });
  app.onError(errorResponse(log));

  app.get('/chats', (c) =>
    c.json({ chats: conversations.chats().map(({ at, ...chat }) => omitUndefined({ ...chat, at: at && isoText(at) })) }),
  );
  app.use('/chats/:chat/*', async (c, next) => {
    const name = chatNameSchema.safeParse(c.req.param('chat'));
    return name.success ? next() : c.json({ error: name.error.issues[0]?.message }, 400);
  });
  messageRoutes(app, deps);
  partRoutes(app, deps);
  streamRoute(app, deps);
  app.get('/complete', async (c) => {
    const query = completeSchema.safeParse(c.req.query());
    if (!query.success) return complain(c, 400, '"line" is the half-typed line, at most 1,000 characters; "chat" is the name of a chat.');
    const suggestions = await catalogue.complete(query.data.line, address('console', query.data.chat), SUGGESTIONS);
    return c.json({ suggestions });
  });
  app.get('/panel', async (c) => {
    const { service, feeds, ...figures } = await panel.read();
    // Only operators see the counts of calls and alerts of all chats, as with /metrics.
    return c.json({ service, feeds, ...(login.isOperator(c) ? figures : {}) });
  });
  projectRoutes(app, deps);
  app.all('*', (c) => complain(c, 404, 'There is nothing at this address. The chat API begins at /api/chats.'));
  return app;
}

/** Reads a conversation, and asks in it. */
function messageRoutes(app: Hono, { login, conversations, asker }: ConsoleApiDeps): void {
  app.get('/chats/:chat/messages', async (c) => {
    const query = pageSchema.safeParse(c.req.query());
    if (!query.success) return complain(c, 400, `"after" and "before" are message ids, "limit" is 1 to ${MAX_MESSAGES}.`);
    const { form, ...range } = query.data;
    const isBackwards = query.data.before !== undefined;
    const all = conversations.messages(c.req.param('chat'), { ...range, ...(isBackwards ? {} : { after: range.after ?? 0 }) });
    const messages = page(all, isBackwards ? 'last' : 'first');
    return c.json({ messages: form === 'page' ? await Promise.all(messages.map(forPage)) : messages.map(forApi) });
  });
  app.post('/chats/:chat/messages', questionLimit(tooLarge), async (c) => {
    const question = await questionOf(c.req);
    if ('says' in question) return complain(c, question.status, question.says);
    const answer = await asker.ask(c.req.param('chat'), { ...question, byOperator: login.isOperator(c) });
    return c.json({ replies: [forApi(answer)] });
  });
}

/** Serves what belongs to a message: its files, its picture with the values, and how other platforms would show it. */
function partRoutes(app: Hono, { conversations, pictures, renderings, clock, log }: ConsoleApiDeps): void {
  const messageAt = (chat: string, id: string) =>
    conversations.messages(chat, { after: Number(id) - 1, limit: 1 }).find((message) => message.id === Number(id));
  app.get('/chats/:chat/messages/:id/files/:place', (c) => {
    const { chat, id, place } = c.req.param();
    return download(messageAt(chat, id), Number(place)) ?? complain(c, 404, NO_FILE);
  });
  app.get('/chats/:chat/messages/:id/picture', async (c) => {
    const { chat, id } = c.req.param();
    const drawn = pictures && (await pictureOf({ pictures, log, chart: messageAt(chat, id)?.reply?.chart, theme: c.req.query('theme') }));
    return drawn ?? complain(c, 404, NO_PICTURE);
  });
  app.get('/chats/:chat/messages/:id/values', async (c) => {
    const { chat, id } = c.req.param();
    const values = pictures && (await valuesOf({ pictures, log, chart: messageAt(chat, id)?.reply?.chart, now: clock.now() }));
    return values === undefined ? complain(c, 404, NO_PICTURE) : c.json(values);
  });
  app.get('/chats/:chat/messages/:id/previews', async (c) => {
    const { chat, id } = c.req.param();
    const found = messageAt(chat, id);
    const previews = found && (await previewsOf(found, renderings));
    return previews === undefined ? complain(c, 404, NO_REPLY) : c.json({ previews });
  });
}

/** Streams new messages of a chat. */
function streamRoute(app: Hono, { conversations, clock, closing }: ConsoleApiDeps): void {
  let streams = 0;
  app.get('/chats/:chat/events', (c) => {
    const resumed = c.req.header('last-event-id') ?? '';
    const query = pageSchema.safeParse({ after: resumed === '' ? c.req.query('after') : resumed });
    if (!query.success) return complain(c, 400, 'Last-Event-ID and "after" are message ids.');
    if (streams >= MAX_STREAMS)
      return complain(c, 503, `${MAX_STREAMS} pages follow this bot already. Close some of them, then load this one again.`);
    streams += 1;
    const ended = (): void => void (streams -= 1);
    return streamChat(c, { conversations, clock, chat: c.req.param('chat'), after: query.data.after, closing, ended });
  });
}

const NO_REPLY = 'There is no reply with this number, so there is nothing to preview.';
const NO_FILE = 'This file is not kept any more; only the latest ones of a chat are. Ask again to get a fresh one.';
const complain = (c: Context, status: 400 | 404 | 413 | 503, error: string) => c.json({ error }, status);
const tooLarge = (c: Context, says: string) => complain(c, 413, says);

const KNOWN = /^(text\/csv|text\/plain|application\/json)$/u;

/** Sends the file of a message as a download. */
function download(message: ConsoleMessage | undefined, place: number): Response | undefined {
  const file = message?.reply?.files[place];
  if (file === undefined) return undefined;
  return new Response(file.text, {
    headers: {
      'Content-Type': KNOWN.test(file.type) ? `${file.type}; charset=utf-8` : 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${safeName(file.name, place)}"`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

interface Preview {
  readonly platform: string;
  readonly title: string;
  readonly html: string;
}

/** Renders a reply as HTML as each platform would show it, plain text last. Returns undefined for a message without a reply. */
async function previewsOf({ reply, at, text, kind }: ConsoleMessage, renderings: Renderings): Promise<readonly Preview[] | undefined> {
  if (reply === undefined) return undefined;
  const all = await renderings({ reply, now: at, isAlert: kind === 'alert' });
  const shown = await Promise.all(
    all.map(async (one) => ({ platform: one.platform, title: one.title, html: await platformHtml(one, reply, at) })),
  );
  return [...shown, { platform: 'text', title: 'Text', html: String(await html`<pre dir="auto">${bare(text)}</pre>`) }];
}

const platformHtml = async ({ messages }: Rendering, { chart }: Reply, now: Instant): Promise<string> =>
  String(await html`${messages.map((message) => messageHtml(message, chart, now))}`);

function messageHtml({ blocks, embed, picture, rows }: MessagePreview, chart: Chart | undefined, now: Instant): Html {
  const drawn = picture === undefined ? html`` : pictureFrame(chart, '');
  return html`<div class="bubble">
    ${picture === 'first' ? drawn : html``} ${blocks.map((block) => blockHtml(block, now))}
    ${picture === 'last' && embed === undefined ? drawn : html``}
    ${
      embed === undefined
        ? html``
        : html`<div class="embed" data-colour="${embed.colour}">
            ${embed.title === undefined ? html`` : html`<p class="title">${line(embed.title, now)}</p>`}
            ${embed.blocks.map((block) => blockHtml(block, now))} ${fieldsHtml(embed.fields, now)} ${picture === 'last' ? drawn : html``}
            ${embed.footer === undefined ? html`` : html`<p class="small">${line(embed.footer, now)}</p>`}
          </div>`
    }
    ${rows.map((row) => html`<div class="keys">${row.map(keyHtml)}</div>`)}
  </div>`;
}

function blockHtml(block: PreviewBlock, now: Instant): Html {
  if (block.kind === 'code') return html`<pre>${bare(block.text)}</pre>`;
  return html`<p class="${block.small === true ? 'small' : ''}" dir="auto">${line(block.line, now)}</p>`;
}

/** Discord requires a name for each field, so a blank one is not shown. */
const BLANK = /^[\s\p{Cf}]*$/u;

const fieldsHtml = (fields: NonNullable<MessagePreview['embed']>['fields'], now: Instant): Html =>
  fields.length === 0
    ? html``
    : html`<div class="embed-fields">
        ${fields.map(
          ({ name, value, inline }) =>
            html`<div class="${inline ? 'inline' : ''}">
              ${BLANK.test(name) ? html`` : html`<p><strong>${clean(name)}</strong></p>`} ${value.map((block) => blockHtml(block, now))}
            </div>`,
        )}
      </div>`;

const keyHtml = ({ label, kind, on = false, emphasis }: PreviewButton): Html =>
  html`<span class="${['key', kind, on ? 'on' : undefined, emphasis].filter((name) => name !== undefined).join(' ')}"
    ><bdi>${clean(label)}</bdi></span
  >`;

const isAborted = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE'));

/** The response to a failed request. */
export const errorResponse =
  (log: Log): ErrorHandler =>
  (error, c) => {
    const { path } = c.req;
    if (error instanceof HTTPException) return error.getResponse();
    if (isAborted(error)) {
      log.info('console.body-aborted', { path });
      // The client closed the connection.
      return c.json({ error: 'The request ended before its body was complete.' }, 400);
    }
    log.error('console.request-failed', { path, error });
    const remedy = error instanceof StoreError ? remedyOf(error) : 'The log says why. Try again in a minute.';
    return c.json({ error: `Nothing was read or saved. ${remedy}` }, 503);
  };
