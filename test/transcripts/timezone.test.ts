/** A chat that has set its timezone reads no UTC in any reply, as the console and Telegram show it. */
import { expect, test } from 'vitest';
import { htmlOf } from '../../src/platforms/telegram/render.js';
import { address } from '../../src/chat/address.js';
import { openAppHarness } from '../support/app-harness.js';
import { runs } from '../support/properties.js';
import { linesOf } from './lines.js';

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

test('every command in a chat that has set its timezone', async () => {
  const harness = await openAppHarness();
  const shown = new Map<string, string[]>();
  const commands = harness.registry.catalogue.commands.filter(({ name }) => name !== 'settings');
  for (const [turn, command] of commands.entries()) {
    // Each command in one timezone, and neighbours in different ones.
    for (const [zone, name] of [...ZONES, ...ZONES].slice(turn % ZONES.length).slice(0, runs(ZONES.length, 1))) {
      const chat = address('console', `${command.name}-${name}`.toLowerCase());
      const say = async (line: string) => harness.ask({ ask: { line }, chat });
      await say(`/settings timezone ${zone}`);
      let actions: readonly { readonly label: string; readonly line: string }[] = [];
      for (const line of [...linesOf(command), ...(MORE[command.name] ?? [])]) {
        if (line.startsWith('/settings')) continue;
        const label = PRESS.exec(line)?.[1];
        const { reply, text } = await say(label === undefined ? line : (actions.find((one) => one.label === label)?.line ?? line));
        ({ actions } = reply);
        const texts = [text, htmlOf(reply, harness.clock.now())];
        expect(texts.flatMap(inUtc), line).toEqual([]);
        expect(reply.chart?.kind === 'xy' ? JSON.stringify([reply.chart.title, reply.chart.subtitle]) : '', line).not.toContain('UTC');
        shown.set(name, [...(shown.get(name) ?? []), ...texts]);
      }
    }
  }
  for (const [, name] of ZONES) expect((shown.get(name) ?? []).join('\n').split(` ${name}`).length).toBeGreaterThan(20);
});
