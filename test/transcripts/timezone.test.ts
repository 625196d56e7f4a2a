/** A chat that has set its timezone reads no UTC in any reply, as the console and Telegram show it. */
import { expect, test } from 'vitest';
import { htmlOf } from '../../src/platforms/telegram/render.js';
import { openAppHarness } from '../support/app-harness.js';
import { changesTheChat, linesOf } from './lines.js';

const ZONES = [
  ['Europe/Berlin', 'CET'],
  ['Asia/Kolkata', 'IST'],
  ['America/St_Johns', 'NST'],
] as const;

/** Replies with times that no transcript has. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  alerts: ['/alerts tide premium below -10 until 7d', '/alerts tide premium'],
  mute: ['/mute tide supply 2h', '/mute 3h', '/mute', '/watchlist', '/alerts tide'],
  premium: ['/premium tide 1D', '/premium tide at:2026-11-01T14:00'],
  refresh: ['/status'],
  supply: ['/supply tide events'],
  treasury: ['/treasury tide nav at:2030-01-01'],
};

const PRESS = /^\[(.+)\]$/u;
/** The list of timezones to choose from. */
const CHOICE = /\/settings timezone UTC/u;

const inUtc = (text: string): readonly string[] => text.split('\n').filter((line) => /\bUTC\b/u.test(line) && !CHOICE.test(line));

test.each(ZONES)('every command in a chat in %s', { timeout: 180_000 }, async (zone, name) => {
  const shared = await openAppHarness();
  const shown: string[] = [];
  for (const command of shared.registry.catalogue.commands) {
    if (command.name === 'settings') continue;
    const harness = changesTheChat(command) ? await openAppHarness() : shared;
    await harness.say(`/settings timezone ${zone}`);
    let actions: readonly { readonly label: string; readonly line: string }[] = [];
    for (const line of [...linesOf(command), ...(MORE[command.name] ?? [])]) {
      if (line.startsWith('/settings')) continue;
      const label = PRESS.exec(line)?.[1];
      const { reply, text } = await harness.say(label === undefined ? line : (actions.find((one) => one.label === label)?.line ?? line));
      ({ actions } = reply);
      const texts = [text, htmlOf(reply, harness.clock.now())];
      expect(texts.flatMap(inUtc), line).toEqual([]);
      expect(reply.chart?.kind === 'xy' ? JSON.stringify([reply.chart.title, reply.chart.subtitle]) : '', line).not.toContain('UTC');
      shown.push(...texts);
    }
  }
  expect(shown.join('\n').split(` ${name}`).length).toBeGreaterThan(100);
});
