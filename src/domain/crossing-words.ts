/** That a figure crossed a rule, in words: every kind of rule and every measure, in one place. Figures are exact; a move is named from where it began. */
import { never } from '../base/never.js';
import { DAY, HOUR, MINUTE } from '../base/clock.js';
import { absolute, compare, isNegative, isZero, percentChange, roundKept, subtract } from './decimal.js';
import { duration, exact, months, premium, share, usdExact } from './format.js';
import { backWords, hysteresisWords, lineWords, moveWords, Z_HYSTERESIS, type LineRule, type Measure } from './level.js';
import { COOLDOWN, type Crossing, type Point } from './crossing.js';
import type { Decimal } from './scalars.js';

/** Whose figure it is. */
export interface CrossingSubject {
  /** As it begins a sentence: "TIDE" for a premium, "Tidewater" for its treasury, "“fund-1”" for a wallet. */
  readonly who: string;
  /** Of a rank: the token. */
  readonly token?: string | undefined;
}

export interface CrossingWords {
  /** Whether it went up; for a rank: nearer to the first place. */
  readonly rose: boolean;
  /** "TIDE fell below your −10 % line". */
  readonly finding: string;
  /** "17.2 % below NAV". */
  readonly value: string;
  /** "was 9.1 % just before". */
  readonly was: string;
  /** What `was` speaks of: the value that "Why?" names too. */
  readonly from: Point;
  /** What has to happen before this rule is an alert again: "it is back at or above −8 %". Absent where any change will do. */
  readonly next: string | undefined;
}

/** A figure as it stands: "17.2 % below NAV", "57.7 months", "$5,766,000", "$100,000 a month", "9". */
export function figureWords(measure: Measure, value: Decimal): string {
  switch (measure) {
    case 'premium':
      return premium(value);
    case 'runway':
      return months(value);
    case 'nav':
      return usdExact(value);
    case 'allowance':
      return `${usdExact(value)} a month`;
    case 'rank':
      return exact(value);
    default:
      return never(measure);
  }
}

/** "was 9.1 % just before", "was 3.9 % above NAV just before": on the same side of NAV the side is not said twice. */
export function wasWords(measure: Measure, from: Point, now: Point): string {
  const full = figureWords(measure, from.value);
  const same = measure === 'premium' && isNegative(from.value) === isNegative(now.value);
  return `was ${same ? full.replace(/ (?:below|above) NAV$/u, '') : full.replace(/ a month$/u, '')} ${agoWords(now.at - from.at)}`;
}

/** What was read within this was read one or two looks before. */
const JUST_BEFORE = 10 * MINUTE;

/** "just before", "yesterday", "36 h ago", "3 d ago". */
export function agoWords(age: number): string {
  if (age >= 20 * HOUR && age <= 30 * HOUR) return 'yesterday';
  if (age > 30 * HOUR && age < 2 * DAY) return `${Math.round(age / HOUR)} h ago`;
  return age < JUST_BEFORE ? 'just before' : `${duration(age)} ago`;
}

/** "z-score −2.1 of its year". */
export const zWords = (zScore: Decimal): string => `z-score ${exact(roundKept(zScore, 1))} of its year`;

export function crossingWords(crossing: Crossing, about: CrossingSubject): CrossingWords {
  const { rule, now, since, was } = crossing;
  const high = crossing.side === 'high';
  const { measure } = rule;
  // A move and a change are told from where they began, the rest from the reading that was not yet beyond.
  const from = rule.when === 'move' || rule.when === 'change' ? since : was;
  return {
    rose: measure === 'rank' ? !high : high,
    finding: findingOf(crossing, about),
    value: valueOf(crossing),
    was: wasWords(measure, from, now),
    from,
    next: nextOf(crossing),
  };
}

/** A rank says both of its ends, a line at NAV itself the size alone, everything else how it stands. */
function valueOf({ rule, now, since }: Crossing): string {
  if (rule.measure === 'rank') return `rank ${exact(since.value)} → ${exact(now.value)}`;
  if ((rule.when === 'above' || rule.when === 'below') && isAtNav(rule))
    return `a ${isNegative(now.value) ? 'discount' : 'premium'} of ${share(absolute(now.value))}`;
  return figureWords(rule.measure, now.value);
}

const isAtNav = ({ measure, level }: LineRule): boolean => measure === 'premium' && isZero(level);

function findingOf({ rule, side, now, was, since }: Crossing, { who, token = 'a token' }: CrossingSubject): string {
  const high = side === 'high';
  const whose = subjectOf(rule.measure, who);
  switch (rule.when) {
    case 'above':
      return lineFinding(whose, rule, { verb: 'rose', isOver: compare(was.value, rule.level) > 0 });
    case 'below':
      return lineFinding(whose, rule, { verb: 'fell', isOver: compare(was.value, rule.level) < 0 });
    case 'move': {
      if (rule.measure === 'rank') {
        const places = exact(absolute(subtract(now.value, since.value)));
        return `${whose} ${high ? 'fell' : 'rose'} ${places} ${places === '1' ? 'place' : 'places'} among the holders of ${token}`;
      }
      return `${whose} ${high ? 'rose' : 'fell'}${byWords(rule.measure, since.value, now.value)}`;
    }
    case 'change':
      return `${whose} was ${high ? 'raised' : 'lowered'}`;
    case 'extreme':
      return `${whose} is at its ${high ? 'highest' : 'lowest'} of ${exact(rule.days)} days`;
    case 'z-score':
      return `${whose} is unusually ${high ? 'high' : 'low'} for its year`;
    default:
      return never(rule);
  }
}

/** What had to wait after an alert stood beyond the line at the reading before already: it is there again, and did not get there just now. */
function lineFinding(
  whose: string,
  rule: LineRule,
  { verb, isOver }: { readonly verb: 'rose' | 'fell'; readonly isOver: boolean },
): string {
  const line = isAtNav(rule) ? 'NAV' : `your ${lineName(rule)} line`;
  return isOver ? `${whose} is ${rule.when} ${line} again` : `${whose} ${verb} ${rule.when} ${line}`;
}

function subjectOf(measure: Measure, who: string): string {
  switch (measure) {
    case 'premium':
    case 'rank':
      return who;
    case 'nav':
      return `${who}'s NAV`;
    case 'runway':
    case 'allowance':
      return `${who}'s ${measure}`;
    default:
      return never(measure);
  }
}

/** "−10 %", "6-month", "$5,000,000". */
const lineName = (rule: LineRule): string =>
  rule.measure === 'runway' ? `${exact(rule.level)}-month` : lineWords(rule.measure, rule.level);

/** " by 8.1 points against NAV", " by 12 %"; from nothing there is no percentage. */
function byWords(measure: 'premium' | 'runway' | 'nav' | 'allowance', since: Decimal, now: Decimal): string {
  if (measure === 'premium') return ` by ${exact(roundKept(absolute(subtract(now, since)), 1))} points against NAV`;
  const moved = percentChange(since, now);
  return moved === undefined ? '' : ` by ${share(absolute(moved))}`;
}

function nextOf({ rule, side }: Crossing): string | undefined {
  switch (rule.when) {
    case 'above':
    case 'below':
      return `it is back ${backAcross(rule)}, ${spaced()}`;
    case 'move':
      return `it moves by another ${moveWords(rule.measure, rule.by)}, ${spaced()}`;
    case 'change':
      return undefined;
    case 'extreme':
      return `it goes ${hysteresisWords(rule.measure)} ${side === 'high' ? 'higher' : 'lower'}`;
    case 'z-score':
      return `its z-score is back within ${exact(subtract(rule.least, Z_HYSTERESIS))}, ${spaced()}`;
    default:
      return never(rule);
  }
}

/** From when on the next alert of a rule can come: "at the earliest 1 h after this one". */
export const spaced = (one = 'this one'): string => `at the earliest ${duration(COOLDOWN)} after ${one}`;

/** Where a figure must come back to: "at or above −8 %". Zero percent is NAV itself. */
export function backAcross(rule: LineRule): string {
  const back = rule.measure === 'premium' ? backWords(rule).replace(/^0 %$/u, 'NAV') : backWords(rule);
  return `at or ${rule.when === 'below' ? 'above' : 'below'} ${back}`;
}
