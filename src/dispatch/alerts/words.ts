/** Rules of a kind in words, and as a person would type them: what a page says and what its buttons carry. Pure. */
import { USUAL_AGE_HOURS, type Entry } from '../../alerts/watchlist/entry.js';
import { wanted, wordsOf, type Rules } from '../../alerts/rules/rule.js';
import type { Mention } from '../../chat/reply.js';
import { lineOf } from '../../replies/command-line.js';
import type { Remedy } from '../../replies/user-error.js';
import { backAcross, spaced } from '../../domain/crossing-words.js';
import { bandWords, levelWords, USUAL_BAND, Z_BAND, type LevelRule } from '../../domain/level.js';
import { compare } from '../../domain/decimal.js';
import { exact } from '../../domain/format.js';

/** What is told of a kind, without its name: "everything", "at least $10,000; stages mint, burn", "below −10 % (dead-band 2 points)". */
export const ruleText = (kind: string, { filters, levels }: Rules): string =>
  bare(kind, wordsOf({ kind, filters, levels }).slice(kind.length + 2));

/** A level of a kind in words; the figure is named only where it is not the one the kind is called by. */
export const levelText = (kind: string, level: LevelRule): string => bare(kind, levelWords(level));

/** The same without its dead-band: for a button or a choice. */
export const shortText = (kind: string, level: LevelRule): string => levelText(kind, level).replace(/ \(.*$/u, '');

const bare = (kind: string, words: string): string => words.replaceAll(new RegExp(String.raw`(^|; )${kind} `, 'gu'), '$1');

/** What an entry hears of a kind, in words. */
export const heard = ({ rules }: Pick<Entry, 'rules'>, kind: string): string => ruleText(kind, wanted(rules, kind));

/** A level as it is typed behind its kind: "below -10", "runway below 6 band 2", "move 5", "extreme 90", "z 2", "changes". It reads as the same level. */
export function typed(kind: string, level: LevelRule): string {
  const figure = level.measure === kind ? '' : `${level.measure} `;
  switch (level.when) {
    case 'above':
    case 'below': {
      const usual = compare(level.band, USUAL_BAND[level.measure]) === 0;
      return `${figure}${level.when} ${level.level}${usual ? '' : ` band ${level.band}`}`;
    }
    case 'move':
      return `${figure}move ${level.by}`;
    case 'change':
      return `${figure}changes`;
    case 'extreme':
      return `${figure}extreme ${level.days}`;
    case 'z-score':
      return `${figure}z ${level.least}`;
  }
}

const LAST = 'the last one';

/** From where a level is measured, and when it is an alert again. */
export function meaning(level: LevelRule): string {
  switch (level.when) {
    case 'above':
    case 'below':
      return `next alert after it is back ${backAcross(level)}, ${spaced(LAST)}`;
    case 'move':
      return `counted from the value of its last alert, at first from the first one read; ${spaced(LAST)}`;
    case 'change':
      return `an alert whenever it is another one than was told last, ${spaced(LAST)}`;
    case 'extreme':
      return `a high or a low; next alert when it goes on by ${bandWords(level.measure)}`;
    case 'z-score':
      return `to either side of the mean of its own year; next alert after it came back by ${exact(Z_BAND)}, ${spaced(LAST)}`;
  }
}

/** How a rule of a kind may be typed behind its name. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  supply: 'usd>10000',
  proposals: 'stages:live,resolved',
  launches: 'stages:live,ending',
  growth: 'metrics:fees',
  premium: 'below -10',
  treasury: 'nav move 5',
  movements: 'usd>50000',
  vesting: 'stages:cliff,near',
  wallet: 'rank move 3',
  age: '1d',
};

/** Below what could not be read: how it is typed for the kind that was meant. */
export const typing = (kind = 'supply'): Remedy => ({
  usage: 'alerts',
  example: lineOf('alerts', kind === 'wallet' ? 'fund-1' : 'tide', kind, ...(EXAMPLES[kind]?.split(' ') ?? [])),
});

/** "12 h", "3 d", "10 d". */
export const ageText = (hours = USUAL_AGE_HOURS): string => (hours % 24 === 0 ? `${hours / 24} d` : `${hours} h`);

/** A role or person as Discord writes them. Shown as code only, where it pings nobody. */
export const mentionText = ({ kind, id }: Mention): string => (kind === 'role' ? `<@&${id}>` : `<@${id}>`);
