/**
 * Conversations of ten turns and more on the page, on Telegram and on Discord, as the messages arrive there. A file shows the page's words, and of the
 * others the first line and the buttons where they differ. `npm run transcripts` writes them, and a person reads the difference.
 */
import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { Answerer, Inbound } from '../../src/chat/inbound.js';
import { bareText } from '../../src/chat/plain-text.js';
import type { Reply } from '../../src/chat/reply.js';
import { createDiscord } from '../../src/platforms/discord/discord.js';
import { createTelegram } from '../../src/platforms/telegram/telegram.js';
import { openStore } from '../../src/store/open.js';
import { Permission } from '../stand-ins/discord/flags.js';
import { textOf } from '../stand-ins/discord/shown.js';
import { startDiscord } from '../stand-ins/discord/start.js';
import { startTelegram } from '../stand-ins/telegram/server.js';
import { openAppHarness, type AppHarness } from '../support/app-harness.js';

interface Talk {
  /** Where it is said: with the bot alone, or among others, where the bot is mentioned. */
  readonly place: 'private' | 'group';
  /** In a group `↩` replies to the last message of the bot, and `~` addresses nobody. */
  readonly lines: readonly string[];
}

const CONVERSATIONS: Readonly<Record<string, Talk>> = {
  'a trader': {
    place: 'private',
    lines: [
      'is tide cheap?',
      'and alder?',
      '1 month',
      'top discounts',
      'compare tide and alder',
      'heron disc since october',
      'who is buying pass on spindrift',
      'when does the spindrift vote end',
      'will tide pump',
      'thx',
    ],
  },
  'a newcomer': {
    place: 'private',
    lines: [
      'hello',
      'what is an ownership coin',
      'how much money does alder have?',
      'how long does it last',
      'what is nav',
      'who owns it',
      'more',
      'is it a scam',
      'any new coins coming out',
      'thank you so much',
    ],
  },
  'a moderator': {
    place: 'group',
    lines: [
      'tell us when tide drops more than 10% below nav',
      '/alerts tide watch premium<-10',
      'tell us when tide drops more than 10% below nav',
      'mute tide until tomorrow 9am',
      'no pings between 11pm and 7am',
      'digest every morning at 9',
      'what are we watching',
      'why was there no alert about tide',
      'which alerts went out today',
      'stop watching tide',
    ],
  },
  'someone who asks for several things': {
    place: 'private',
    lines: [
      'watch everything except heron',
      'mute tide and show heron premium',
      'mute tide and alder for 2h and 30 minutes',
      'mute tide until 25:00',
      'mute everything except tide',
      'tell me when tide drops below nav or above 20%',
      'tell me when tide price moves 10% in an hour',
      'alert me when the fail price of tide drops below 0.1',
      'remind me tomorrow',
      'is tide cheap?',
      'what about its runway',
      '/wach alder',
    ],
  },
  'a follower of lists': {
    place: 'private',
    lines: [
      'top discounts',
      'the second one',
      'runway of #3',
      'compare tide and alder',
      'and heron',
      'watch tide and alder',
      '/watch tide',
      'tell me when tide drops 10% below nav',
      'no, -15',
      'for alder instead',
      'yes',
      'never mind',
      'mute tide until friday',
      'mute heron for 2 days',
      'is foobar cheap?',
      'premium of tide in september',
      '/alerts tide premium<-12',
      'any news',
      'glossary',
    ],
  },
  'a phone typist': {
    place: 'private',
    lines: [
      'premum tide',
      '/price alder',
      'hrn runway',
      'tide mints',
      '/premium last month tide',
      'wat is twap',
      '/odds spin',
      'unusually cheap alert for tide',
      'asdf',
      'gm',
    ],
  },
  'a group admin': {
    place: 'group',
    lines: [
      'gm',
      '/watch tide',
      '~ tide looks cheap today, right?',
      'is tide cheap?',
      '↩ lol',
      '↩ and alder?',
      '↩ we should mute tide for a day',
      'mute tide for a day',
      'what are we watching',
      'thanks',
    ],
  },
  'a non-native speaker': {
    place: 'private',
    lines: [
      'good day, please how much costs tide now?',
      'it is under the nav or over?',
      'please explain me what means nav',
      'how many months has alder money',
      'show me please the big transfers of heron',
      'make me a message when tide is under 5 percent of nav',
      'which projects are most cheap',
      'what was the premium of tide before one month',
      'what votes are now open',
      'thank you very much for help',
    ],
  },
  'follow-ups over lists': {
    place: 'private',
    lines: [
      'top discounts',
      'more',
      'next page',
      'live proposals',
      'and spindrift?',
      'movements of heron',
      'more',
      'only 1 week',
      'holders of tide',
      'and alder?',
      'its runway',
    ],
  },
  'a sceptic': {
    place: 'private',
    lines: [
      'is alder cheap?',
      'why?',
      'where does that come from',
      'how is nav calculated',
      'how old is this data',
      'what is the treasury of alder',
      'who says that',
      'is it a rug',
      'are you sure',
      'is the service working',
    ],
  },
};

const plain = (text: string): readonly string[] =>
  text
    .replaceAll(/\*\*|`|\\|^> |\u200b/gmu, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What somebody sees after a line; undefined for silence. */
type Say = (line: string) => Promise<{ readonly text: string; readonly buttons: readonly string[] } | undefined>;

interface Played {
  readonly app: AppHarness;
  readonly place: Talk['place'];
}

/** The answers of the bot, so that silence can be told from an answer on its way. */
function listening(app: AppHarness) {
  const answers: Reply[] = [];
  const heard = new Set<() => void>();
  const answer: Answerer = async (inbound: Inbound) => {
    const { reply } = await app.ask(inbound);
    answers.push(reply);
    for (const look of heard) look();
    return reply;
  };
  const next = async (count: number): Promise<Reply> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = answers[count];
        if (found === undefined) return;
        heard.delete(look);
        resolve(found);
      };
      heard.add(look);
      look();
    });
  return { answer, next, answers };
}

const silentLog = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const onChatEvent = async (): Promise<void> => {};
const [FOLLOWS, ASIDE] = ['↩ ', '~ '];

async function onTelegram({ app, place }: Played, closing: (() => Promise<void>)[]): Promise<Say> {
  const telegram = await startTelegram({ token: '7100000001:secret', clock: app.clock, privacyMode: false });
  const { answer, next, answers } = listening(app);
  const limits = { token: { max: 1_000_000, per: 1 }, chat: () => [] };
  const platform = createTelegram({
    ...{ token: '7100000001:secret', apiRoot: telegram.url, catalogue: app.registry.catalogue, answer, limits, onChatEvent },
    ...{ store: await openStore('memory://'), clock: app.clock, log: silentLog },
  });
  closing.push(
    async () => platform.stop(),
    async () => telegram.close(),
  );
  const ada = telegram.person({ first_name: 'Ada' });
  const chat = place === 'private' ? telegram.privateChat(ada) : telegram.supergroup({ owner: ada });
  platform.start();
  await telegram.waitFor(() => telegram.polling);
  return async (line) => {
    const [before, asked] = [telegram.posted(chat).length, answers.length];
    const last = telegram.posted(chat).at(-1);
    const isAside = line.startsWith(ASIDE);
    if (place === 'private' || line.startsWith('/')) telegram.say({ chat, from: ada, text: line });
    else if (line.startsWith(FOLLOWS))
      telegram.say({ chat, from: ada, text: line.slice(2), ...(last === undefined ? {} : { replyTo: last }) });
    else telegram.say({ chat, from: ada, text: isAside ? line.slice(2) : `@navwatch_bot ${line}` });
    if (isAside) await telegram.waitFor(() => telegram.pending.length === 0 && telegram.polling);
    if (isAside || (await next(asked)).audience === 'nobody') return undefined;
    const [post] = await telegram.waitFor(() => telegram.posted(chat).length > before && telegram.posted(chat).slice(before));
    return post && { text: post.text, buttons: post.buttons.flat().map(({ text }) => text) };
  };
}

async function onDiscord({ app, place }: Played, closing: (() => Promise<void>)[]): Promise<Say> {
  const discord = await startDiscord({ token: 'planted.secret.token', clock: app.clock });
  const { controls, applicationId } = discord;
  const { answer, next, answers } = listening(app);
  const platform = createDiscord({
    ...{ token: 'planted.secret.token', apiUrl: discord.url, catalogue: app.registry.catalogue, answer, onChatEvent, mentions: true },
    ...{ store: await openStore('memory://'), clock: app.clock, log: silentLog, requestsPerSecond: 1_000 },
  });
  closing.push(
    async () => platform.stop(),
    async () => discord.close(),
  );
  const guild = controls.addGuild({ name: 'Harbour' });
  const user = controls.addUser({ name: 'Ada' });
  controls.addMember({ guild, user, roles: [controls.addRole({ guild, permissions: Permission.MANAGE_CHANNELS })] });
  const channel = place === 'private' ? controls.openDirect(user) : controls.addChannel({ guild, name: 'alerts' });
  platform.start();
  await controls.gateway.ready();
  const posted = () => controls.messages(channel).filter(({ author }) => author === applicationId);
  return async (line) => {
    const [before, asked] = [posted().length, answers.length];
    const last = posted().at(-1)?.id;
    if (place === 'private') controls.say({ channel, user, content: line });
    else if (line.startsWith(ASIDE)) controls.say({ channel, user, content: line.slice(2) });
    else if (line.startsWith(FOLLOWS))
      controls.say({ channel, user, content: line.slice(2), ...(last === undefined ? {} : { replyTo: last }) });
    else controls.say({ channel, user, content: `<@${applicationId}> ${line}` });
    if (line.startsWith(ASIDE) || (await next(asked)).audience === 'nobody') return undefined;
    const post = await controls.waitFor(() => posted()[before]);
    return { text: textOf(post), buttons: post.rows.flat().flatMap(({ label }) => label ?? []) };
  };
}

test.each(Object.entries(CONVERSATIONS))('%s talks with the bot in all three places', async (name, { place, lines }) => {
  const app = await openAppHarness({ access: { open: true, listed: [], operators: [] } });
  const closing: (() => Promise<void>)[] = [];
  const others = { Telegram: await onTelegram({ app, place }, closing), Discord: await onDiscord({ app, place }, closing) };
  const [turns, dead, differing]: [string[], string[], string[]] = [[], [], []];
  for (const line of lines) {
    const addressing = place === 'private' || line.startsWith('/') ? undefined : line.startsWith(FOLLOWS) ? 'reply to answer' : 'mention';
    const said = line.startsWith(FOLLOWS) ? line.slice(2) : line;
    const ask = app.ask({ ask: { line: said }, chat: address('console', 'talk'), ...(addressing === undefined ? {} : { addressing }) });
    const reply = line.startsWith(ASIDE) ? undefined : (await ask).reply;
    const isSilent = reply === undefined || reply.audience === 'nobody';
    const buttons = isSilent ? '' : reply.actions.map(({ label }) => `[${label}]`).join(' ');
    const page = isSilent ? '' : bareText(reply, app.clock.now());
    if (!isSilent) dead.push(...(await app.deadButtons(reply)));
    const parts = [`> ${line}`, isSilent ? '(silence)' : `${page}\n${buttons}`.trim()];
    for (const [where, say] of Object.entries(others)) {
      const seen = await say(line);
      if ((seen === undefined) !== isSilent) differing.push(`${where}: ${line}`);
      if (seen === undefined) continue;
      if (plain(seen.text)[0] !== plain(page)[0] || seen.buttons.join() !== reply?.actions.map(({ label }) => label).join())
        parts.push([`${where}: ${plain(seen.text)[0] ?? ''}`, seen.buttons.map((label) => `[${label}]`).join(' ')].join('\n').trim());
    }
    turns.push(parts.join('\n\n'));
  }
  for (const close of closing) await close();
  expect({ dead, differing }).toEqual({ dead: [], differing: [] });
  await expect(`${turns.join('\n\n')}\n`).toMatchFileSnapshot(`conversations/${name.replaceAll(' ', '-')}.md`);
});
