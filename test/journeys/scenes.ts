/** Stories of chats in trouble, told by the tests that check them and by the demonstration that writes them down. */
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import { Permission } from '../stand-ins/discord/flags.js';
import type { Two } from './two.js';

/** A moment of a story, in words. */
export type Tell = (what: string) => void;
const quiet: Tell = () => {};

/** As long as it takes at most until what happened is looked at and told. */
const A_ROUND = 70;
/** Steps that a long poll of Telegram outlives. */
const STRIDE = 20;

const mint = async (two: Two, amount: string, project = 'tide'): Promise<void> => void (await two.sim({ kind: 'mint', project, amount }));

const watchOnTelegram = async (two: Two) => two.write('/watch tide');
const watchOnDiscord = async (two: Two) => two.slash('watch', { target: 'tide' });
/** Checks of these would take most of the time of a scene that mints. */
const OTHER_KINDS = ['proposals', 'growth', 'premium', 'treasury', 'movements', 'vesting', 'launches'];
async function onlySupplyOnDiscord(two: Two): Promise<void> {
  for (const kind of OTHER_KINDS) await two.slash('alerts', { target: 'tide', kind, action: 'off' });
}

/** Telegram wants a pause of twelve hours, and the bot is started anew within it. Returns when the pause was asked for and when it ends. */
export async function twelveHours(two: Two, tell: Tell = quiet) {
  await watchOnTelegram(two);
  for (const kind of OTHER_KINDS) await two.write(`/alerts tide ${kind} off`);
  await onlySupplyOnDiscord(two);
  const mend = two.telegram.fail({
    fault: { kind: 'too-many', retryAfter: (12 * HOUR) / SECOND },
    method: 'sendMessage',
    chat: two.group,
  });
  tell('Telegram answers the next message with 429, retry_after 43200');
  await mint(two, '101');
  await two.pass(A_ROUND);
  mend();
  const refused = two.telegram.calls('sendMessage').find(({ answer }) => answer?.ok === false);
  const asked = refused?.at ?? Number.NaN;
  tell('twenty minutes later the bot is stopped; it is away for eleven hours');
  await two.pass((20 * MINUTE) / SECOND, STRIDE);
  await two.restart(11 * HOUR);
  tell('it is back, and something else happens');
  await mint(two, '102');
  await two.pass((asked + 12 * HOUR - two.clock.now()) / SECOND - (2 * MINUTE) / SECOND, STRIDE);
  const early = two.telegram.calls('sendMessage').filter(({ at }) => at > asked && at < asked + 12 * HOUR);
  tell('two minutes before the end nothing was tried; they pass');
  await two.pass((4 * MINUTE) / SECOND);
  return { asked, until: asked + 12 * HOUR, early };
}

/** A group becomes a supergroup. `learnt`: the bot hears of it, or only finds out when it sends. Returns the new chat. */
export async function supergroup(two: Two, learnt: 'by message' | 'by sending', tell: Tell = quiet): Promise<number> {
  await watchOnTelegram(two);
  let to: number;
  if (learnt === 'by message') {
    to = two.telegram.migrate(two.group);
    tell(`the group ${two.group} becomes the supergroup ${to}; Telegram says so in both`);
    await two.telegram.waitFor(() => two.telegram.pending.length === 0);
    await two.logged('chat.moved');
  } else {
    // What would tell of it never gets through, until an alert was sent.
    const mend = two.telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'getUpdates', times: 'always' });
    two.expects({ telegram: false });
    // The poll that waits already would still bring it.
    while (two.telegram.polling) await two.pass(5, 5);
    to = two.telegram.migrate(two.group);
    tell(`the group ${two.group} becomes the supergroup ${to}; the polls that would tell of it fail`);
    await mint(two, '201');
    await two.pass(A_ROUND);
    mend();
    await two.pass((2 * MINUTE) / SECOND);
    await two.telegram.waitFor(() => two.telegram.polling && two.telegram.pending.length === 0);
    two.expects({ telegram: true });
  }
  tell('something happens');
  await mint(two, '202');
  await two.pass(A_ROUND);
  return to;
}

/** The bot is removed from the server and from the group, misses something, and comes back. */
export async function kickedAndBack(two: Two, tell: Tell = quiet): Promise<void> {
  const { controls } = two.discord;
  await watchOnDiscord(two);
  await watchOnTelegram(two);
  controls.kick(two.guild);
  two.telegram.kickBot(two.group);
  tell('the bot is removed from the server and from the group');
  await two.telegram.waitFor(() => two.telegram.pending.length === 0);
  const gone = () => two.lines.filter(({ event }) => event === 'chat.gone').length;
  await two.logged('chat.gone');
  while (gone() < 2) await two.pass(1);
  await mint(two, '301');
  await two.sweep();
  await two.pass(A_ROUND);
  await two.sweep();
  tell('something happens; neither place is tried, and what nobody watches is forgotten');
  const from = two.lines.length;
  controls.invite(two.guild);
  two.telegram.addBot(two.group);
  tell('the bot is invited again to both');
  await two.telegram.waitFor(() => two.telegram.pending.length === 0);
  const back = () => two.lines.slice(from).filter(({ event }) => event === 'chat.back').length;
  await two.logged('chat.back', from);
  while (back() < 2) await two.pass(1);
  await two.pass(A_ROUND);
}

/**
 * Embed Links is taken from the bot in its channel, an alert is held, and the permission comes back, while the bot listens or while it is away.
 * Returns what was said meanwhile.
 */
export async function lostEmbedLinks(two: Two, mended: 'while it listens' | 'while it is away', tell: Tell = quiet) {
  const { controls } = two.discord;
  const give = () => controls.setPermission({ channel: two.channel, target: 'bot', inherit: Permission.EMBED_LINKS });
  await watchOnDiscord(two);
  await onlySupplyOnDiscord(two);
  controls.setPermission({ channel: two.channel, target: 'bot', deny: Permission.EMBED_LINKS });
  tell('a moderator denies the bot Embed Links in the channel');
  await mint(two, '401');
  await two.pass(A_ROUND);
  tell('something happens; its first line arrives, the embed is held');
  const meanwhile = two.told();
  const why = await two.slash('why');
  const status = await two.slash('status');
  // Somebody asked, so it was tried again; that is over before anything is mended.
  await two.pass(2);
  if (mended === 'while it listens') {
    const mendedAt = two.clock.now();
    give();
    tell('the permission is given back');
    // The bot looks whether that is enough.
    await two.discord.transcript.waitForCall(({ at, path }) => at >= mendedAt && path.includes('/members/'));
    await two.pass(A_ROUND);
  } else {
    const stopping = two.restart(MINUTE);
    give();
    tell('the bot is started anew; meanwhile the permission is given back');
    await stopping;
    await two.pass((15 * MINUTE) / SECOND, STRIDE);
  }
  return { meanwhile, why, status };
}
