/** The command lines whose replies are kept as transcripts. */
import type { CommandEntry } from '../../src/chat/catalogue.js';

/** The lines of commands that change their chat, or show what changed it: each has a chat of its own. `[Sources]` presses a button of the reply before. */
const IN_ORDER: Readonly<Record<string, readonly string[]>> = {
  alerts: [
    '/watch tide',
    '/alerts',
    '/alerts tide',
    '/alerts tide supply',
    '/alerts tide supply usd>10000',
    '/alerts tide premium below -10',
    '/alerts tide premium below -10 for 6h',
    '/alerts tide runway>12 and premium<-10',
    '/alerts tide premium',
    '/alerts tide runway>12 and premium<-10 backtest',
    '/alerts tide nav>1m and premium<-10 backtest',
    '/alerts tide premium<-10 and margin<2',
    '/alerts tide premium nonsense',
    '/alerts heron',
    '/alerts tide premium below -10 backtest',
    '/alerts tide premium backtest',
    '/alerts heron price move 10% preview',
    '/alerts tide movements usd>20000 backtest',
    '/alerts tide proposals stages:live backtest',
    '/alerts tide proposals backtest',
    '/alerts tide treasury runway<6 backtest',
    '/alerts tide backtest',
    '/alerts backtest',
    '/alerts test',
    '/alerts replay 7d',
    '/alerts replay 7d supply tide',
  ],
  board: ['/board', '/board on', '/watch tide', '/board on', '/board off'],
  digest: [
    '/digest',
    '/digest daily 09:00',
    '/watch tide',
    '/digest weekly Fri 9 am',
    '/settings timezone Berlin',
    '/digest ring',
    '/digest now',
    '/digest sometimes',
    '/alerts tide digest',
    '/digest off',
    '/alerts tide digest',
  ],
  feeds: ['/feeds', '/feeds new', '/feeds new calendar', '/feeds revoke alerts'],
  history: ['/history', '/watch tide', '/history'],
  mute: ['/watch tide', '/mute tide supply 2h', '/mute 1d', '/mute off', '/mute tide until yesterday'],
  unmute: ['/watch tide', '/mute tide supply 2h', '/mute 1d', '/unmute tide', '/unmute', '/unmute tide', '/unmute nobody'],
  pings: [
    '/pings on',
    '/watch tide',
    '/pings',
    '/pings on',
    '/pings',
    '/pings take proposals',
    '/pings take proposals',
    '/pings on all',
    '/pings off',
  ],
  privacy: ['/watch tide', '/privacy'],
  settings: ['/settings', '/settings timezone Berlin', '/settings quiet 22:00-07:00', '/settings timezone Nowhere'],
  sources: [
    '/premium tide',
    '[Sources]',
    '[Next page]',
    '/treasury tide runway',
    '[Sources]',
    '/alerts tide premium below -10 backtest',
    '[Sources]',
    '/alerts tide supply backtest',
    '[Sources]',
    '/sources Xk3_a9QmTz',
  ],
  unwatch: ['/unwatch tide', '/watch tide', '/unwatch tide'],
  watch: ['/watch tide', '/watch tide', '/watch nonsense', '/watch all', '/watch'],
  watchlist: ['/watchlist', '/watch tide', '/watchlist', '/watchlist export'],
  why: ['/why', '/watch tide', '/why tide', '/why tide supply', '/why nonsense'],
};

/** Besides the examples and views of other commands: what is missing or wrong. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  help: ['/help', '/help premium', '/help nonsense', '/nonsense', 'hello'],
  premium: ['/premium tidewtaer', '/premium'],
  wallet: ['/wallet notawallet', '/wallet'],
};

export const changesTheChat = ({ name }: Pick<CommandEntry, 'name'>): boolean => name in IN_ORDER;

/** In the order in which they are said. */
export function linesOf({ name, options, examples }: CommandEntry): readonly string[] {
  const own = IN_ORDER[name];
  if (own !== undefined) return own;
  const views = options.find((option) => option.name === 'view')?.choices ?? [];
  const subject = options.some((option) => option.name === 'project') ? ' tide' : '';
  const viewed = examples.length === 0 ? [] : views.map((view) => `/${name}${subject} ${view}`);
  return [...new Set([...examples, ...viewed, ...(MORE[name] ?? [])])];
}
