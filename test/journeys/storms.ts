/** What would be a flood of messages elsewhere: a figure that wavers around a line, hundreds of events at once, and what an outage leaves behind. */
import { HOUR, MINUTE, SECOND, instant } from '../../src/base/clock.js';
import { createWorld } from '../../src/simulator/world/world.js';
import { ask, asked } from './surfaces.js';
import type { Narrate } from './scenes.js';
import { TIDE, type Watching } from './bot.js';
import type { ConnectedBot } from './connected-bot.js';

const quiet: Narrate = () => {};

/** What the bot of each storm watches. */
export const OF_PREMIUM: Watching = { target: TIDE, kinds: ['premium'] };
export const OF_SUPPLY: Watching = { target: TIDE, kinds: ['supply'] };
export const OF_HAPPENINGS: Watching = { target: TIDE, kinds: ['supply', 'proposals'] };

/** Steps that a long poll of Telegram outlives. */
const STRIDE = 20;

/** Tide's premium at will, through its price; NAV moves by the hour, and nobody makes it. */
function premiumOf(bot: ConnectedBot) {
  const world = createWorld({ seed: 'navwatch', pace: 0.001 });
  const tide = world.find('tide');
  if (tide === undefined) throw new Error('there is no tide');
  return {
    async set(percent: number): Promise<void> {
      const at = bot.clock.now();
      const { navPerShare = '' } = world.treasury.nav({ who: tide, when: at, asOf: at }) ?? {};
      await bot.sim({ kind: 'price', project: 'tide', price: (Number(navPerShare) * (1 + percent / 100)).toFixed(6) });
    },
  };
}

/** With this half an hour and more takes a third of the checks. */
export const SELDOM = { POLL_MIN_SECONDS: '180' };
/** With this a premium is checked every twenty seconds, so that the story is short. */
export const OFTEN = { POLL_MIN_SECONDS: '10' };
const LOOKED_AT = 20;

/** The premium crosses a line so many times, and each time by less than the dead-band. Returns the premiums that it took, in percent. */
export async function wavering(
  bot: ConnectedBot,
  { times = 40, narrate = quiet }: { times?: number; narrate?: Narrate } = {},
): Promise<readonly number[]> {
  await ask(bot, asked('alerts', { target: 'tide', kind: 'premium', action: 'only', rule: 'above 25 band 2' }));
  const premium = premiumOf(bot);
  await premium.set(22);
  await bot.pass(3 * LOOKED_AT, STRIDE);
  narrate('the premium stands at 22%; the rule is "above 25%, dead-band 2 pts"');
  const took = Array.from({ length: times }, (_, index) => (index % 2 === 0 ? 25.4 + (index % 5) / 10 : 24.6 - (index % 7) / 10));
  for (const percent of took) {
    await premium.set(percent);
    await bot.pass(LOOKED_AT, STRIDE);
    narrate(`the premium stands at ${percent.toFixed(1)} %`);
  }
  await bot.pass(LOOKED_AT, STRIDE);
  return took;
}

/** So many mints within ten seconds. */
export async function flood(
  bot: ConnectedBot,
  { events = 300, narrate = quiet }: { events?: number; narrate?: Narrate } = {},
): Promise<void> {
  await bot.pass((2 * MINUTE) / SECOND, STRIDE);
  const seconds = 10;
  for (let second = 0; second < seconds; second += 1) {
    const share = Array.from({ length: events / seconds }, (_, index) => ({
      kind: 'mint',
      project: 'tide',
      amount: `${1_000 + second * 100 + index}.5`,
    }));
    await bot.sim(share);
    await bot.pass(1);
  }
  narrate(`${events} mints in ${seconds} seconds`);
  await bot.pass((5 * MINUTE) / SECOND, 5);
}

export const HAPPENINGS = 12;
export type Away = 'the service' | 'the platforms' | 'the bot';

/** Twelve things happen, evenly apart, while a part of the whole is away for so many hours. */
export async function outage(
  bot: ConnectedBot,
  away: Away,
  { hours = 6, narrate = quiet }: { hours?: number; narrate?: Narrate } = {},
): Promise<void> {
  await bot.pass((2 * MINUTE) / SECOND, STRIDE);
  const back = await takeAway(bot, away);
  narrate(`${away} ${away.endsWith('s') ? 'are' : 'is'} away from now on`);
  const apart = (hours * HOUR) / HAPPENINGS;
  if (away === 'the bot') await bot.restart(hours * HOUR);
  for (let step = 0; step < HAPPENINGS; step += 1) {
    // What happened while nobody could see it is dated back: the service dates what happened, not what was seen.
    const at = away === 'the bot' ? instant(bot.clock.now() - hours * HOUR + (step + 0.5) * apart) : undefined;
    const when = at === undefined ? {} : { at };
    await bot.sim(
      step === 5
        ? { kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 36_000, ...when }
        : { kind: step % 2 === 0 ? 'mint' : 'burn', project: 'tide', amount: `${2_000 + step}.5`, ...when },
    );
    if (away !== 'the bot') await bot.pass(apart / SECOND, STRIDE);
  }
  narrate(`${HAPPENINGS} things happened in ${hours} hours`);
  await back();
  narrate(`${away} ${away.endsWith('s') ? 'are' : 'is'} back`);
  await bot.pass((12 * MINUTE) / SECOND, STRIDE);
}

async function takeAway(bot: ConnectedBot, away: Away): Promise<() => Promise<void>> {
  if (away === 'the service') {
    await bot.sim({ kind: 'down' });
    // The pauses between two tries must pass while the clock stands.
    bot.hurry(2 * SECOND);
    return async () => {
      await bot.sim({ clear: true });
      bot.hurry();
    };
  }
  if (away === 'the platforms') {
    const telegram = bot.telegram.fail({ fault: { kind: 'bad-gateway' }, method: 'sendMessage', times: 'always' });
    const discord = bot.discord.controls.faults.next(
      { kind: 'status', status: 503 },
      { method: 'POST', path: '/messages', times: 1_000_000 },
    );
    return async () => {
      telegram();
      discord.clear();
    };
  }
  return async () => {};
}

/** Everything that the messages on the page alerted: what stands in them, and what they only count, page by page behind their buttons. */
export async function behind(bot: ConnectedBot): Promise<string> {
  const alerts = await bot.alerts();
  const pages: string[] = [...alerts];
  for (const alert of alerts) {
    let [, line] = /\[Show all[^\]]*: (\/history [^\]]+)\]/u.exec(alert) ?? [];
    while (line !== undefined) {
      const page = await bot.say(line);
      pages.push(page);
      [, line] = /\[Next[^\]]*: (\/history [^\]]+)\]/u.exec(page) ?? [];
    }
  }
  return pages.join('\n');
}
