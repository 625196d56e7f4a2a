/** The command lines whose replies are kept as transcripts. */
import type { CommandEntry } from '../../src/chat/catalogue.js';

/** Lines besides the examples and views of a command: what it says when something is missing or wrong. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  alerts: [
    '/watch tide',
    '/alerts',
    '/alerts tide',
    '/alerts tide supply',
    '/alerts tide supply usd>10000',
    '/alerts tide premium below -10',
    '/alerts tide premium nonsense',
    '/alerts heron',
    '/alerts test',
  ],
  help: ['/help', '/help premium', '/help nonsense', '/nonsense', 'hello'],
  history: ['/history', '/watch tide', '/history'],
  mute: ['/watch tide', '/mute tide supply 2h', '/mute 1d', '/mute off', '/mute tide until yesterday'],
  premium: ['/premium tidewtaer', '/premium'],
  privacy: ['/watch tide', '/privacy'],
  settings: ['/settings', '/settings timezone Berlin', '/settings quiet 22:00-07:00', '/settings timezone Nowhere'],
  unwatch: ['/unwatch tide', '/watch tide', '/unwatch tide'],
  wallet: ['/wallet notawallet', '/wallet'],
  watch: ['/watch tide', '/watch tide', '/watch nonsense', '/watch all', '/watch'],
  watchlist: ['/watchlist', '/watch tide', '/watchlist', '/watchlist export'],
  why: ['/why', '/watch tide', '/why tide', '/why tide supply', '/why nonsense'],
};

/** Whether a command changes the chat: it gets a chat of its own, and only the lines above, in their order. */
export const changesTheChat = ({ name }: Pick<CommandEntry, 'name'>): boolean =>
  name in MORE && !['help', 'premium', 'wallet'].includes(name);

/** The examples of a command, each of its views, and what goes wrong, in this order. */
export function linesOf({ name, options, examples }: CommandEntry): readonly string[] {
  const views = options.find((option) => option.name === 'view')?.choices ?? [];
  const subject = options.some((option) => option.name === 'project') ? ' tide' : '';
  const viewed = examples.length === 0 ? [] : views.map((view) => `/${name}${subject} ${view}`);
  return [...new Set([...(changesTheChat({ name }) ? [] : [...examples, ...viewed]), ...(MORE[name] ?? [])])];
}
