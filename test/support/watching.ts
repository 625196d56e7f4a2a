/** A harness whose chat watches something, asked what its entries want. */
import { kindsOff } from '../../src/alerts/rules/presets.js';
import { wordsOf } from '../../src/alerts/rules/rule.js';
import { CHAT, openAppHarness } from './app-harness.js';

export async function watching(...targets: readonly string[]) {
  const harness = await openAppHarness({ answers: {} });
  // Rules are easier to see where the preset has none.
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, preset: 'everything' }));
  for (const target of targets) await harness.say(`/watch ${target}`);
  const entries = () => harness.watchlists.read(CHAT).entries;
  const off = () => entries().map((entry) => kindsOff(entry));
  /** What was chosen, entry by entry, as it is said. */
  const rules = () => entries().map((entry) => Object.entries(entry.rules ?? {}).map(([kind, rule]) => wordsOf({ kind, ...rule })));
  return { ...harness, entries, off, rules };
}
