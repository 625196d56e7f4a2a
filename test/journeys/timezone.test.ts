/** The alerts of every kind, live messages, edits and summaries show the timezone of their chat, on Telegram and on the page. */
import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../src/base/clock.js';
import { FEEDS } from '../../src/feeds/index.js';
import { runs } from '../support/properties.js';
import { TIDE } from './bot.js';
import { openConnectedBot, type ConnectedBot } from './connected-bot.js';

type Zone = readonly [zone: string, name: string];

const BERLIN: Zone = ['Europe/Berlin', 'CET'];
const KOLKATA: Zone = ['Asia/Kolkata', 'IST'];
const ST_JOHNS: Zone = ['America/St_Johns', 'NST'];

/** Of the group on Telegram and of the chat on the page. */
const PLACES = [
  { group: ST_JOHNS, page: KOLKATA },
  { group: KOLKATA, page: BERLIN },
  { group: BERLIN, page: ST_JOHNS },
];

/** With the earlier texts of edited messages. */
const onTelegram = ({ telegram, group }: ConnectedBot): readonly string[] =>
  [...telegram.posted(group), ...telegram.edits(group).map(({ after }) => after)].flatMap(({ text, buttons }) => [
    text,
    ...buttons.flat().map((button) => button.text),
  ]);

const inUtc = (texts: readonly string[]): readonly string[] => texts.filter((text) => /\bUTC\b/u.test(text));

test.each(PLACES.slice(0, runs(PLACES.length, 1)))(
  'a group in $group.0 and a chat in $page.0 are each alerted in their own time',
  async ({ group, page }) => {
    const bot = await openConnectedBot({ watching: { target: TIDE, kinds: FEEDS.map(({ id }) => id) } });
    const both = async (line: string): Promise<void> => {
      await bot.say(line);
      await bot.write(line);
    };
    await bot.say(`/settings timezone ${page[0]}`);
    await bot.write(`/settings timezone ${group[0]}`);
    await bot.pass(70, 35);
    for (const { id } of FEEDS) {
      await both(`/alerts test ${id}`);
      await bot.pass(5);
    }
    await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
    await bot.sim({ kind: 'movement', project: 'tide', amount: '18400.25', counterparty: 'Quill Counsel', note: 'second audit' });
    await bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 60, liveSeconds: 600 });
    await bot.pass(900, 60);
    await both('/mute 1h');
    for (const amount of ['1200', '1300', '1400']) await bot.sim({ kind: 'mint', project: 'tide', amount });
    await bot.pass((1.2 * HOUR) / SECOND, 360);
    const alerts = await bot.alerts();
    for (const words of ['Example minted', 'minted 486,211', 'Fund the second audit', 'Catching up']) {
      expect(alerts.join('\n')).toContain(words);
      expect(onTelegram(bot).join('\n')).toContain(words);
    }
    expect(inUtc([...alerts, ...onTelegram(bot)])).toEqual([]);
    expect(alerts.join('\n')).toContain(` ${page[1]}`);
    expect(onTelegram(bot).join('\n')).toContain(` ${group[1]}`);
    // Neither has the other's.
    expect(alerts.join('\n')).not.toContain(` ${group[1]}`);
    expect(onTelegram(bot).join('\n')).not.toContain(` ${page[1]}`);
  },
);
