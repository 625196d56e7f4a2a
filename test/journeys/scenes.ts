/** Stories of chats in trouble, alerted by the tests that check them and by the demonstration that writes them down. */
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import { Permission } from '../stand-ins/discord/flags.js';
import { TIDE, type Watching } from './bot.js';
import type { ConnectedBot } from './connected-bot.js';

/** A moment of a story, in words. */
export type Narrate = (what: string) => void;
const quiet: Narrate = () => {};

/** As long as it takes at most until what happened is checked and alerted. */
const A_ROUND = 70;
/** Steps that a long poll of Telegram outlives. */
const STRIDE = 20;

const mint = async (bot: ConnectedBot, amount: string, project = 'tide'): Promise<void> =>
  void (await bot.sim({ kind: 'mint', project, amount }));

/** What the bot of each scene watches. */
export const SUPPLY: Watching = { target: TIDE, kinds: ['supply'] };

/** Telegram wants a pause of twelve hours, and the bot is started again within it. Returns when the pause was asked for and when it ends. */
export async function twelveHours(bot: ConnectedBot, narrate: Narrate = quiet) {
  const mend = bot.telegram.fail({
    fault: { kind: 'too-many', retryAfter: (12 * HOUR) / SECOND },
    method: 'sendMessage',
    chat: bot.group,
  });
  narrate('Telegram answers the next message with 429, retry_after 43200');
  await mint(bot, '101');
  await bot.pass(A_ROUND);
  mend();
  const refused = bot.telegram.calls('sendMessage').find(({ answer }) => answer?.ok === false);
  const asked = refused?.at ?? Number.NaN;
  narrate('twenty minutes later the bot is stopped; it is away for eleven hours');
  await bot.pass((20 * MINUTE) / SECOND, STRIDE);
  await bot.restart(11 * HOUR);
  narrate('it is back, and something else happens');
  await mint(bot, '102');
  await bot.pass((asked + 12 * HOUR - bot.clock.now()) / SECOND - (2 * MINUTE) / SECOND, STRIDE);
  const early = bot.telegram.calls('sendMessage').filter(({ at }) => at > asked && at < asked + 12 * HOUR);
  narrate('two minutes before the end nothing was tried; they pass');
  await bot.pass((4 * MINUTE) / SECOND);
  return { asked, until: asked + 12 * HOUR, early };
}

/** A group becomes a supergroup. `learnt`: the bot hears of it, or only finds out when it sends. Returns the new chat. */
export async function supergroup(bot: ConnectedBot, learnt: 'by message' | 'by sending', narrate: Narrate = quiet): Promise<number> {
  let to: number;
  if (learnt === 'by message') {
    to = bot.telegram.migrate(bot.group);
    narrate(`the group ${bot.group} becomes the supergroup ${to}; Telegram says so in both`);
    await bot.telegram.waitFor(() => bot.telegram.pending.length === 0);
    await bot.logged('chat.moved');
  } else {
    // What would tell of it never gets through, until an alert was sent.
    const mend = bot.telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'getUpdates', times: 'always' });
    bot.expects({ telegram: false });
    // The poll that waits already would still bring it.
    while (bot.telegram.polling) await bot.pass(5, 5);
    to = bot.telegram.migrate(bot.group);
    narrate(`the group ${bot.group} becomes the supergroup ${to}; the polls that would tell of it fail`);
    await mint(bot, '201');
    await bot.pass(A_ROUND);
    mend();
    await bot.pass((2 * MINUTE) / SECOND);
    await bot.telegram.waitFor(() => bot.telegram.polling && bot.telegram.pending.length === 0);
    bot.expects({ telegram: true });
  }
  narrate('something happens');
  await mint(bot, '202');
  await bot.pass(A_ROUND);
  return to;
}

/** The bot is removed from the server and from the group, misses something, and comes back. */
export async function kickedAndBack(bot: ConnectedBot, narrate: Narrate = quiet): Promise<void> {
  const { controls } = bot.discord;
  // Typed, so that the bot knows of which server the channel is.
  await bot.slash('watchlist');
  controls.kick(bot.guild);
  bot.telegram.kickBot(bot.group);
  narrate('the bot is removed from the server and from the group');
  await bot.telegram.waitFor(() => bot.telegram.pending.length === 0);
  const gone = () => bot.lines.filter(({ event }) => event === 'chat.gone').length;
  await bot.logged('chat.gone');
  while (gone() < 2) await bot.pass(1);
  await mint(bot, '301');
  await bot.sweep();
  await bot.pass(A_ROUND);
  await bot.sweep();
  narrate('something happens; neither place is tried, and what nobody watches is forgotten');
  const from = bot.lines.length;
  controls.invite(bot.guild);
  bot.telegram.addBot(bot.group);
  narrate('the bot is invited again to both');
  await bot.telegram.waitFor(() => bot.telegram.pending.length === 0);
  const back = () => bot.lines.slice(from).filter(({ event }) => event === 'chat.back').length;
  await bot.logged('chat.back', from);
  while (back() < 2) await bot.pass(1);
  await bot.pass(A_ROUND);
}

/**
 * Embed Links is taken from the bot in its channel, an alert is held, and the permission comes back, while the bot listens or while it is away.
 * Returns what was said meanwhile.
 */
export async function lostEmbedLinks(bot: ConnectedBot, mended: 'while it listens' | 'while it is away', narrate: Narrate = quiet) {
  const { controls } = bot.discord;
  const give = () => controls.setPermission({ channel: bot.channel, target: 'bot', inherit: Permission.EMBED_LINKS });
  controls.setPermission({ channel: bot.channel, target: 'bot', deny: Permission.EMBED_LINKS });
  narrate('a moderator denies the bot Embed Links in the channel');
  await mint(bot, '401');
  await bot.pass(A_ROUND);
  narrate('something happens; its first line arrives, the embed is held');
  const meanwhile = bot.alerted();
  const why = await bot.slash('why');
  const status = await bot.slash('status');
  // Somebody asked, so it was tried again; that is over before anything is mended.
  await bot.pass(2);
  if (mended === 'while it listens') {
    const mendedAt = bot.clock.now();
    give();
    narrate('the permission is given back');
    // The bot checks whether that is enough.
    await bot.discord.transcript.waitForCall(({ at, path }) => at >= mendedAt && path.includes('/members/'));
    await bot.pass(A_ROUND);
  } else {
    const stopping = bot.restart(MINUTE);
    give();
    narrate('the bot is started again; meanwhile the permission is given back');
    await stopping;
    await bot.pass((15 * MINUTE) / SECOND, STRIDE);
  }
  return { meanwhile, why, status };
}
