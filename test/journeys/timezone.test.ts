/** The alerts of every kind, live messages, edits and summaries show the timezone of their chat, on Telegram and on the page. */
import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../src/base/clock.js';
import { FEEDS } from '../../src/feeds/index.js';
import { TIDE } from './bot.js';
import { openConnectedBot, type ConnectedBot } from './connected-bot.js';

const ZONES = [
  ['Europe/Berlin', 'CET'],
  ['Asia/Kolkata', 'IST'],
  ['America/St_Johns', 'NST'],
] as const;

/** With the earlier texts of edited messages. */
const onTelegram = ({ telegram, group }: ConnectedBot): readonly string[] =>
  [...telegram.posted(group), ...telegram.edits(group).map(({ after }) => after)].flatMap(({ text, buttons }) => [
    text,
    ...buttons.flat().map((button) => button.text),
  ]);

const inUtc = (texts: readonly string[]): readonly string[] => texts.filter((text) => /\bUTC\b/u.test(text));

test.each(ZONES)(
  'a chat in %s is alerted in its own time',
  async (zone, name) => {
    const bot = await openConnectedBot({ watching: { target: TIDE, kinds: FEEDS.map(({ id }) => id) } });
    const both = async (line: string): Promise<void> => {
      await bot.say(line);
      await bot.write(line);
    };
    await both(`/settings timezone ${zone}`);
    await bot.pass(70, 10);
    for (const { id } of FEEDS) {
      await both(`/alerts test ${id}`);
      await bot.pass(5);
    }
    await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
    await bot.sim({ kind: 'movement', project: 'tide', amount: '18400.25', counterparty: 'Quill Counsel', note: 'second audit' });
    await bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 60, liveSeconds: 600 });
    await bot.pass(900, 10);
    await both('/mute 1h');
    for (const amount of ['1200', '1300', '1400']) await bot.sim({ kind: 'mint', project: 'tide', amount });
    await bot.pass((1.2 * HOUR) / SECOND, 30);
    const alerts = await bot.alerts();
    for (const words of ['Sample: ', 'minted 486,211', 'Fund the second audit', 'Catching up']) {
      expect(alerts.join('\n')).toContain(words);
      expect(onTelegram(bot).join('\n')).toContain(words);
    }
    expect(inUtc([...alerts, ...onTelegram(bot)])).toEqual([]);
    for (const shown of [alerts, onTelegram(bot)]) expect(shown.join('\n')).toContain(` ${name}`);
  },
  120_000,
);
