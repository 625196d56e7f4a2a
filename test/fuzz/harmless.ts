/** Rejects a reply that breaks a promise on any surface: markup from outside, a ping, a limit of the platform, a character that steers. */
import { instant } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { plainText } from '../../src/chat/plain-text.js';
import { createHash } from 'node:crypto';
import type { Actions } from '../../src/platforms/button-payloads.js';
import { renderMessage } from '../../src/platforms/console/render.js';
import { messageOf } from '../../src/platforms/discord/message.js';
import { htmlOf, MAX_TEXT, partsOf, renderOne } from '../../src/platforms/telegram/render.js';
import { readMessage } from '../stand-ins/discord/message-form.js';
import { textOf } from '../stand-ins/discord/shown.js';
import { format } from '../stand-ins/telegram/text/format.js';

const STEERING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u;
const TAGS = new Set(
  'a article bdi button code dd details div dl dt figcaption figure footer form h3 h4 header img input label li ol option p picture pre select small source span strong summary table tbody td textarea th thead time tr ul'.split(
    ' ',
  ),
);
const NOW = instant(Date.UTC(2026, 10, 20, 12));

/** As the store would keep them. */
const ACTIONS: Actions = {
  payload: async (line, mostBytes) =>
    Buffer.byteLength(line) <= mostBytes ? line : `#${createHash('sha256').update(line).digest('base64url').slice(0, 20)}`,
  line: async () => undefined,
};

function require(isSo: boolean, says: string, shown: unknown): void {
  if (!isSo) throw new Error(`${says}: ${JSON.stringify(shown).slice(0, 400)}`);
}

async function onDiscord(reply: Reply): Promise<void> {
  const body = await messageOf(reply, ACTIONS);
  try {
    readMessage('MessageCreateRequestSchema', JSON.parse(JSON.stringify(body)));
  } catch (error) {
    throw new Error(`Discord refuses a message: ${JSON.stringify(error).slice(0, 600)}`, { cause: error });
  }
  require(body.allowed_mentions.parse.length === 0 && body.allowed_mentions.users === undefined, 'a message mentions', body);
  const shown = textOf({ content: body.content, embeds: JSON.parse(JSON.stringify(body.embeds)) });
  require(!STEERING.test(shown), 'a message turns text around', shown);
  const bare = shown.replaceAll(/```[^]*?```|`[^`]*`|<t:-?\d+:\w>/gu, '').replaceAll(/\[(?:\\.|[^\]\\])+\]\(<https:[^>)\s]+>\)/gu, '');
  require(!/(?<!\\)(?:<[@#]|@everyone|@here|\]\()/u.test(bare), 'a message has markup from outside', bare);
}

function onTelegram(reply: Reply): void {
  for (const html of [renderOne(reply, NOW), ...partsOf(reply, NOW).map((part) => htmlOf(part, NOW))]) {
    const { text, entities } = format({ text: html, parseMode: 'HTML', entities: undefined, person: () => undefined });
    require(text.length <= MAX_TEXT, 'a message is too long', text.length);
    require(!STEERING.test(text), 'a message turns text around', text);
    for (const entity of entities) {
      require(!['text_mention', 'mention', 'url', 'email'].includes(entity.type), `a message has a ${entity.type} from outside`, text);
      if (entity.type === 'text_link') require(entity.url.startsWith('https://'), 'a message links elsewhere', entity.url);
    }
  }
}

async function onPage(reply: Reply): Promise<void> {
  const html = await renderMessage({ id: 1, at: NOW, kind: 'reply', text: '', reply });
  for (const [tag, name = ''] of html.matchAll(/<\/?([a-z!][^\s>/]*)(?:"[^"]*"|[^">])*>/giu)) {
    require(TAGS.has(name.toLowerCase()), 'the page has an element from outside', tag);
    const attributes = tag.replaceAll(/"[^"]*"/gu, '""');
    require(!/\son\w+\s*=|\sstyle\s*=/iu.test(attributes), 'the page has an attribute from outside', tag);
    const [, target = 'https:'] = /\s(?:href|src)="([^"]*)"/u.exec(tag) ?? [];
    require(/^(?:https:|\/api\/|api\/)/u.test(target), 'the page links elsewhere', tag);
  }
  require(!STEERING.test(html), 'the page turns text around', html);
}

export async function harmless(reply: Reply): Promise<void> {
  await onDiscord(reply);
  onTelegram(reply);
  await onPage(reply);
  require(!plainText(reply, NOW).includes('undefined'), 'text has undefined', plainText(reply, NOW));
  require(!/\bNaN\b|\[object /u.test(plainText(reply, NOW)), 'text has NaN', plainText(reply, NOW));
}
