/**
 * A Telegram that costs little: it takes every message, notes when it came, and keeps nothing else. It can enforce a rate over a sliding second
 * and add a round trip with jitter. What the bot may send is checked elsewhere, by the strict stand-in.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { answerCalls } from './calls.js';
import { takenOf } from './taken.js';

export interface Rules {
  /** Messages that any sliding second may hold; 0 enforces nothing. */
  readonly perSecond?: number;
  /** Milliseconds of a round trip. */
  readonly roundTrip?: number;
  /** Up to so many milliseconds more on the way in. */
  readonly jitter?: number;
}

export interface Answered {
  /** Milliseconds from the question to the first message in its chat. */
  readonly text: number;
  /** And to the first picture there, where one came. */
  readonly picture: number | undefined;
  readonly method: string;
}

interface Question {
  readonly at: number;
  readonly answered: (answer: Answered) => void;
  readonly picture: boolean;
  text?: { readonly ms: number; readonly method: string };
}

/** In one answer. */
const MAX_UPDATES = 100;
const COUNTS = /^(send(?!ChatAction)|edit|copy|forward)/u;
const now = (): number => performance.timeOrigin + performance.now();

let rules: Rules = {};
let arrivals: number[] = [];
let chats = new Map<number, number>();
let refused = 0;
let serial = 0;
let updates: { readonly update_id: number }[] = [];
let polled: (() => void) | undefined;
let polls = 0;
const watchers = new Set<() => void>();
const questions = new Map<number, Question>();

const bot = { id: 7_100_000_001, is_bot: true, first_name: 'Navwatch', username: 'navwatch_bot', can_join_groups: true };

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Seconds to wait where the sliding second is full; undefined where the message is taken. */
function full(at: number): number | undefined {
  const { perSecond = 0 } = rules;
  const first = perSecond === 0 ? undefined : arrivals[arrivals.length - perSecond];
  return first !== undefined && at - first < 1_000 ? 1 : undefined;
}

async function take(method: string, body: string, response: ServerResponse): Promise<void> {
  const { roundTrip = 0, jitter = 0 } = rules;
  const inward = Math.ceil(roundTrip / 2) + Math.random() * jitter;
  if (inward > 0) await wait(inward);
  const at = now();
  const seconds = full(at);
  if (Math.floor(roundTrip / 2) > 0) setTimeout(() => finish(), Math.floor(roundTrip / 2));
  else queueMicrotask(() => finish());
  const chat = Number(/"chat_id":\s*"?(-?\d+)|name="chat_id"\s+(-?\d+)/u.exec(body)?.slice(1).find(Boolean));
  serial += 1;
  const id = serial;
  if (seconds === undefined) {
    arrivals.push(at);
    chats.set(chat, (chats.get(chat) ?? 0) + 1);
    notice(chat, method, at);
    for (const watcher of watchers) watcher();
  } else refused += 1;
  function finish(): void {
    if (seconds !== undefined) {
      const description = `Too Many Requests: retry after ${seconds}`;
      answer(response, 429, { ok: false, error_code: 429, description, parameters: { retry_after: seconds } });
      return;
    }
    const photo = [{ file_id: `photo-${id}`, file_unique_id: `u${id}`, width: 90, height: 90, file_size: 1_000 }];
    const picture = /Photo|Media/u.test(method) ? { photo } : { text: 'text' };
    const message = { message_id: id, date: Math.floor(at / 1_000), chat: { id: chat, type: 'private', first_name: 'A' }, from: bot };
    answer(response, 200, { ok: true, result: { ...message, ...picture } });
  }
}

/** Whether a message is what somebody asked for. */
function notice(chat: number, method: string, at: number): void {
  const question = questions.get(chat);
  if (question === undefined) return;
  const ms = at - question.at;
  question.text ??= { ms, method };
  const isPicture = /Photo|Media/u.test(method);
  if (question.picture && !isPicture) return;
  questions.delete(chat);
  question.answered({ text: question.text.ms, picture: isPicture ? ms : undefined, method: question.text.method });
}

async function poll(body: string, response: ServerResponse): Promise<void> {
  const { offset = 0, timeout = 0 } = JSON.parse(body === '' ? '{}' : body) as { offset?: number; timeout?: number };
  updates = updates.filter(({ update_id: id }) => id >= offset);
  polls += 1;
  for (const watcher of watchers) watcher();
  if (updates.length === 0 && timeout > 0) {
    const over = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (polled = resolve)),
      wait(timeout * 1_000, undefined, { signal: over.signal }).catch(() => undefined),
    ]);
    over.abort();
  }
  answer(response, 200, { ok: true, result: updates.slice(0, MAX_UPDATES) });
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const method = (request.url ?? '').split('/')[2]?.split('?')[0] ?? '';
    const body = Buffer.concat(chunks).toString('latin1');
    if (COUNTS.test(method)) void take(method, body, response);
    else if (method === 'getUpdates') void poll(body, response);
    else if (method === 'getMe') answer(response, 200, { ok: true, result: bot });
    else if (method === 'getChatMember') answer(response, 200, { ok: true, result: { status: 'administrator', user: bot } });
    else answer(response, 200, { ok: true, result: /^get.*s$/u.test(method) ? [] : true });
  });
}

/** Resolves with whether it came true in time. */
async function until(holds: () => boolean, milliseconds: number): Promise<boolean> {
  if (holds()) return true;
  return new Promise((resolve) => {
    const end = (result: boolean): void => {
      watchers.delete(check);
      clearTimeout(late);
      resolve(result);
    };
    const check = (): void => {
      if (holds()) end(true);
    };
    const late = setTimeout(() => end(false), milliseconds);
    watchers.add(check);
  });
}

function say({ chat, from = chat, text }: { readonly chat: number; readonly from?: number; readonly text: string }): void {
  serial += 1;
  const length = text.split(/[\s]/u)[0]?.length ?? 0;
  const person = { id: from, is_bot: false, first_name: 'Anna' };
  const message = {
    ...{ message_id: serial, date: Math.floor(Date.now() / 1_000), text, from: person },
    chat: { id: chat, type: 'private', first_name: 'Anna' },
    entities: [{ type: 'bot_command', offset: 0, length }],
  };
  updates.push({ update_id: serial, ...{ message } });
  polled?.();
  polled = undefined;
}

const server = createServer({ keepAliveTimeout: 60_000 }, serve);
server.listen(0, '127.0.0.1', () =>
  answerCalls(
    { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    {
      rules: (next: Rules) => void (rules = next),
      reset() {
        arrivals = [];
        chats = new Map();
        refused = 0;
      },
      taken: () => takenOf({ arrivals, chats: chats.size, refused }),
      /** Resolves with whether so many chats had a message in time. */
      reached: async ({ count, milliseconds }: { count: number; milliseconds: number }) => until(() => chats.size >= count, milliseconds),
      /** Resolves when the bot has asked for updates. */
      polled: async () => until(() => polls > 0, 60_000),
      ask: async (what: { chat: number; text: string; picture?: boolean; milliseconds?: number }): Promise<Answered | undefined> =>
        new Promise((resolve) => {
          const late = setTimeout(() => {
            questions.delete(what.chat);
            resolve(undefined);
          }, what.milliseconds ?? 30_000);
          const answered = (result: Answered): void => {
            clearTimeout(late);
            resolve(result);
          };
          questions.set(what.chat, { at: now(), answered, picture: what.picture ?? false });
          say(what);
        }),
    },
  ),
);
