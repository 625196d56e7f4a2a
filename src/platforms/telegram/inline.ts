/** Answers inline queries: texts for one person to post in any chat. */
import { createHash } from 'node:crypto';
import { GrammyError, type Api } from 'grammy/web';
import type { InlineKeyboardMarkup, InlineQueryResultArticle, InlineQueryResultCachedPhoto } from 'grammy/types';
import { SECOND, type Clock } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import type { Catalogue, CommandEntry } from '../../chat/catalogue.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import { bareText, lineText } from '../../chat/plain-text.js';
import type { Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import type { Prepared } from '../attachments.js';
import { truncateLine } from '../truncate.js';
import { addressOf } from './address.js';
import { inWords, isStale } from './outcome.js';
import { captionOf, htmlOf, renderOne } from './render.js';
import type { InlineQuery } from './incoming-update.js';

export interface InlineDeps {
  readonly api: Api;
  readonly answer: Answerer;
  readonly lines: InlineLines;
  readonly prepare: (reply: Reply) => Prepared;
  /** Uploads a picture and returns its `file_id`; if undefined, results have no pictures. */
  readonly pictureId: ((bytes: Uint8Array) => Promise<string | undefined>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/** A query is answered only if the person stops typing for this long. */
const TYPED_ON_WITHIN = 0.4 * SECOND;
const PICTURE_WITHIN = 3 * SECOND;
/** Telegram may repeat an answer for so many seconds. An answer stays fresh for longer. */
const CACHED_FOR = 30;
const MAX_NAME = 64;
/** The value is in characters. */
const MAX_HINT = 60;
const HINT = 'Type a project, a command or a question';
/** The start parameter of the button that opens a private chat with the bot. */
const START = 'inline';

interface Answered {
  readonly line: string;
  readonly reply: Reply;
}

export class Inline {
  readonly #deps: InlineDeps;
  readonly #latest = new Map<number, string>();
  readonly #working = new Set<Promise<void>>();

  constructor(deps: InlineDeps) {
    this.#deps = deps;
  }

  /** Answers in the background. A restart drops the query. */
  take(query: InlineQuery): void {
    const { stopping, log } = this.#deps;
    this.#latest.set(query.from.id, query.id);
    const done = this.#work(query)
      .catch((error: unknown) => {
        if (!stopping.aborted) log[isStale(error) ? 'debug' : 'warn']('telegram.inline-not-answered', { error: inWords(error) });
      })
      .finally(() => {
        this.#working.delete(done);
        if (this.#latest.get(query.from.id) === query.id) this.#latest.delete(query.from.id);
      });
    this.#working.add(done);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#working);
  }

  async #ask(line: string, { from }: InlineQuery): Promise<Answered> {
    const { stopping, answer } = this.#deps;
    const inbound: Inbound = {
      chat: addressOf({ chat: from.id }),
      // An inline query must not change anything, because every typed letter sends one.
      from: { id: `telegram/${from.id}`, name: truncateLine(from.first_name, MAX_NAME).trim() || 'somebody', manages: async () => false },
      ask: { line },
      circles: [`telegram/chat/${from.id}`, `telegram/user/${from.id}`],
      withoutButtons: true,
      signal: stopping,
    };
    return { line, reply: await answer(inbound) };
  }

  async #answersTo(query: InlineQuery): Promise<readonly Answered[]> {
    const { lines } = this.#deps;
    const chat = addressOf({ chat: query.from.id });
    const all = await Promise.all((await lines.of(query.query, chat)).map(async (line) => this.#ask(line, query)));
    if (all.some(isAnswer) || all.length === 0) return all;
    const completed = await lines.completed(query.query, chat);
    return [...(await Promise.all(completed.map(async (line) => this.#ask(line, query)))), ...all];
  }

  /** Returns undefined if the picture is not ready in time. Never rejects. */
  async #pictureOf(reply: Reply): Promise<string | undefined> {
    const { pictureId, clock, prepare, log } = this.#deps;
    if (pictureId === undefined || reply.chart === undefined) return undefined;
    const sent = prepare(reply)
      .picture.then(async (picture) => picture && pictureId(picture.bytes))
      .catch((error: unknown) => {
        log.warn('telegram.inline-picture-not-kept', { error: inWords(error) });
        return undefined;
      });
    return within(clock, PICTURE_WITHIN, sent);
  }

  async #resultsOf({ line, reply }: Answered) {
    const now = this.#deps.clock.now();
    const picture = await this.#pictureOf(reply);
    return { text: textResult(line, reply, now), photo: picture === undefined ? undefined : photoResult({ line, reply, picture }, now) };
  }

  async #work(query: InlineQuery): Promise<void> {
    const { clock, stopping, api } = this.#deps;
    await clock.sleep(TYPED_ON_WITHIN, stopping);
    if (this.#latest.get(query.from.id) !== query.id) return;
    const all = await this.#answersTo(query);
    const found = await Promise.all(all.filter(isAnswer).map(async (one) => this.#resultsOf(one)));
    if (stopping.aborted || this.#latest.get(query.from.id) !== query.id) return;
    const refusal = all.find((one) => !isAnswer(one))?.reply;
    const hint = refusal === undefined ? HINT : truncateLine(lineText(refusal.finding, clock.now(), refusal.zone), MAX_HINT).trim();
    const options = {
      is_personal: true,
      cache_time: CACHED_FOR,
      ...(found.length > 0 ? {} : { button: { text: hint || HINT, start_parameter: START } }),
    };
    const texts = found.map(({ text }) => text);
    const withPictures = found.flatMap(({ photo, text }) => (photo === undefined ? [text] : [photo, text]));
    try {
      await api.answerInlineQuery(query.id, withPictures, options);
    } catch (error) {
      if (withPictures.length === texts.length || !(error instanceof GrammyError) || isStale(error)) throw error;
      // Telegram refuses an expired `file_id`, so the texts are sent alone.
      await api.answerInlineQuery(query.id, texts, options);
    }
  }
}

/** Leaves out refusals, which nobody would want to post. */
const isAnswer = ({ reply }: Answered): boolean => !(reply.tone === 'warning' && reply.audience === 'asker');

export interface InlineLines {
  /** Returns the command lines that the query may mean, at most three. Never rejects. */
  of(query: string, chat: Address): Promise<readonly string[]>;
  /** Returns completed command lines, at most three. Never rejects. */
  completed(query: string, chat: Address): Promise<readonly string[]>;
}

const MAX_LINES = 3;
/** The command for an empty query. */
const FIRST = 'overview';
/** The commands for a query that is only a project's name. */
const VIEWS = ['premium', 'project', 'proposals'] as const;
/** The commands that cost API calls and take minutes. */
const NOT_INLINE: ReadonlySet<string> = new Set(['refresh']);

/** Only commands that change nothing and are cheap: a query is sent with every letter. */
const isInline = ({ name, group = 'asking' }: CommandEntry): boolean => group === 'asking' && !NOT_INLINE.has(name);

export function inlineLines(catalogue: Catalogue): InlineLines {
  const known = new Map(catalogue.commands.filter(isInline).map((command) => [command.name, command]));

  function commandIn(query: string) {
    const [head = '', ...rest] = query.trim().replace(/^\//u, '').split(/\s+/u);
    return { head, rest: rest.join(' '), command: known.get(head.toLowerCase()) };
  }

  const completed: InlineLines['completed'] = async (query, chat) => {
    const { rest, command } = commandIn(query);
    if (command === undefined) return [];
    return (await catalogue.complete(`/${command.name} ${rest}`, chat, MAX_LINES)).map(({ insert }) => insert.trim());
  };

  return {
    completed,
    async of(query, chat) {
      const { head, rest, command } = commandIn(query);
      if (head === '') return known.has(FIRST) ? [`/${FIRST}`] : [];
      if (command === undefined) {
        const project = await ofProject(query.trim(), chat);
        return project.length > 0 ? project : read(query, chat);
      }
      const isWhole = rest !== '' || !command.options.some(({ required }) => required);
      return isWhole ? [`/${command.name} ${rest}`.trim()] : completed(query, chat);
    },
  };

  /** Returns the command lines that a sentence such as "is tide cheap" may mean. */
  async function read(sentence: string, chat: Address): Promise<readonly string[]> {
    const lines = (await catalogue.readings?.(sentence, chat, MAX_LINES)) ?? [];
    return lines.filter((line) => known.has(/^\/(\w+)/u.exec(line)?.[1] ?? ''));
  }

  async function ofProject(partial: string, chat: Address): Promise<readonly string[]> {
    const views = VIEWS.filter((name) => known.has(name));
    const [command] = views;
    const option = command && known.get(command)?.options.find(({ completes }) => completes)?.name;
    if (command === undefined || option === undefined) return [];
    const [project] = await catalogue.completeOption({ command, option, partial, chat }, 1);
    return project === undefined ? [] : views.map((name) => `/${name} ${project.value}`);
  }
}

/** The characters that fit one line on a narrow phone. */
const MAX_TITLE = 64;
const MAX_DESCRIPTION = 120;
const IN_A_ROW = 2;

/** https://core.telegram.org/bots/api#inlinequeryresultarticle */
function textResult(line: string, reply: Reply, now: Instant): InlineQueryResultArticle {
  const words = wordsOf(reply);
  return {
    type: 'article',
    id: idOf(`text ${line}`),
    ...headOf(words, { line, now }),
    input_message_content: { message_text: renderOne(words, now), parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
    ...linksOf(reply),
  };
}

export interface PictureResult {
  readonly line: string;
  readonly reply: Reply;
  /** The picture's `file_id`. */
  readonly picture: string;
}

/** https://core.telegram.org/bots/api#inlinequeryresultcachedphoto */
function photoResult({ line, reply, picture }: PictureResult, now: Instant): InlineQueryResultCachedPhoto {
  const words = wordsOf(reply);
  return {
    type: 'photo',
    id: idOf(`photo ${line}`),
    photo_file_id: picture,
    ...headOf(words, { line, now }),
    caption: htmlOf(captionOf(words, now), now),
    parse_mode: 'HTML',
    show_caption_above_media: true,
    ...linksOf(reply),
  };
}

const wordsOf = (reply: Reply): Reply => ({ ...reply, actions: [], fields: [], files: [], mentions: [] });

function headOf(words: Reply, { line, now }: { readonly line: string; readonly now: Instant }) {
  const [, ...rest] = bareText(words, now).split('\n');
  return {
    title: truncateLine(lineText(words.finding, now, words.zone), MAX_TITLE).trim() || line,
    description: truncateLine(rest.join(' · '), MAX_DESCRIPTION).trim(),
  };
}

/** Telegram takes ids of at most 64 bytes. */
const idOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

function linksOf({ links }: Reply): { readonly reply_markup?: InlineKeyboardMarkup } {
  if (links.length === 0) return {};
  const buttons = links.map(({ label, url }) => ({ text: truncateLine(label, MAX_TITLE).trim() || new URL(url).host, url }));
  const rows = Array.from({ length: Math.ceil(buttons.length / IN_A_ROW) }, (_, row) =>
    buttons.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW),
  );
  return { reply_markup: { inline_keyboard: rows } };
}
