import { expect, test } from 'vitest';
import { Permission, USUAL_BOT_PERMISSIONS } from '../stand-ins/discord/flags.js';
import { FEEDS } from '../../src/feeds/index.js';
import { TIDE } from '../alerts/harness.js';
import { openConnectedBot, read } from './connected-bot.js';

test('a board names the permission to pin before it is stored, is posted and pinned once, and kept up to date over a restart', async () => {
  const bot = await openConnectedBot({ watching: { target: TIDE, kinds: FEEDS.map(({ id }) => id) } });
  const { discord, guild, telegram, group } = bot;
  const boards = () => bot.discord.controls.messages(bot.channel).filter((one) => read(one).includes('Board: 1 project'));
  const groupBoards = () => bot.posted('Board: 1 project');
  await bot.pass(70, 35);
  expect(read(await bot.slash('board', { action: 'on' }))).toContain("I can't pin here: I need Pin Messages.");
  expect((await bot.write('/board on')).text).toContain('I need the administrator right "Pin Messages"');
  await bot.pass(60, 20);
  expect([boards().length, groupBoards().length]).toEqual([0, 0]);

  discord.controls.setBotPermissions(guild, USUAL_BOT_PERMISSIONS | Permission.PIN_MESSAGES);
  telegram.setBot(group, 'administrator');
  expect(read(await bot.slash('board', { action: 'on' }))).toContain('Board: on, pinned');
  expect((await bot.write('/board on')).text).toContain('Board: on, pinned');
  await bot.pass(120, 20);
  expect(boards()).toMatchObject([{ pinned: true, silent: true }]);
  expect(groupBoards()).toMatchObject([{ pinned: true, silent: true }]);
  const before = read(boards()[0]!);
  expect(before).toMatch(/TIDE \$[\d.]+ · [−+][\d.]+% to NAV · NAV \$/u);

  await bot.restart();
  await bot.pass(1_200, 60);
  expect([boards().length, groupBoards().length]).toEqual([1, 1]);
  expect(boards()[0]!.edits).toBeGreaterThan(0);
  expect(boards()[0]!.edits).toBeLessThanOrEqual(7);

  // People delete it: it is posted and pinned again.
  telegram.remove({ chat: group, id: groupBoards()[0]!.id });
  await bot.pass(4_000, 200);
  expect(groupBoards()).toMatchObject([{ pinned: true }]);

  await bot.slash('board', { action: 'off' });
  await bot.pass(60, 20);
  expect(boards()).toEqual([]);
  expect(bot.discord.controls.messages(bot.channel).some((one) => read(one).includes('Board off'))).toBe(true);
});
