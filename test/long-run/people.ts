/** The chats of a long run: who watches what, and what is asked, joined and left on a day. The seed decides everything. */
import { DAY, HOUR, MINUTE } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import type { Random } from '../simulation/machine/random.js';

export type Deed =
  | { readonly kind: 'says'; readonly at: number; readonly chat: Address; readonly line: string }
  | { readonly kind: 'joined' | 'back' | 'gone'; readonly at: number; readonly chat: Address };

export interface People {
  /** What all chats do at the beginning. */
  begin(at: number): readonly Deed[];
  /** In order of time. */
  day(from: number): readonly Deed[];
  readonly present: () => number;
}

export interface Crowd {
  readonly random: Random;
  readonly platforms: readonly string[];
  readonly projects: readonly string[];
  readonly wallets: readonly string[];
  readonly chats: number;
}

/** Of the chats, on a day. Half of those that leave return. */
const LEAVES_PART = 0.01;
const RETURNS_PART = 0.5;
const MAX_ABSENCE_DAYS = 20;
/** Of the chats ask every day, so that their sources reach the limit. */
const BUSY_PART = 0.02;
const BUSY_QUESTIONS = 4;
const OTHER_QUESTIONS_PART = 0.05;
const CHANGES_PART = 0.02;

const PRESETS = ['important', 'important', 'important', 'digest', 'digest', 'digest', 'digest', 'digest', 'most', 'everything'] as const;

const QUESTIONS: readonly ((of: { project: string; wallet: string; other: string }) => string)[] = [
  ({ project }) => `/project ${project}`,
  ({ project }) => `/premium ${project}`,
  ({ project }) => `/premium ${project} 1M`,
  ({ project }) => `/treasury ${project}`,
  ({ project }) => `/supply ${project}`,
  ({ project }) => `/growth ${project} 90`,
  ({ project }) => `/movements ${project}`,
  ({ project }) => `/proposals ${project}`,
  ({ project }) => `/holders ${project}`,
  ({ project }) => `/vesting ${project}`,
  ({ project }) => `/finances ${project}`,
  ({ project }) => `/why ${project}`,
  ({ wallet }) => `/wallet ${wallet}`,
  ({ wallet }) => `/refresh ${wallet}`,
  ({ other }) => `/search ${other}`,
  () => '/history',
  () => '/why',
  () => '/launches',
  () => '/markets',
  () => '/overview',
  () => '/screen',
  () => '/watchlist',
  () => '/digest now',
  () => '/help',
];

const CHANGES: readonly ((of: { project: string; random: Random }) => string)[] = [
  ({ project, random }) => `/mute ${project} ${random.whole(1, 72)}h`,
  () => '/mute 8h',
  () => '/mute off',
  ({ random }) => `/settings quiet ${random.whole(20, 23)}:00-0${random.whole(5, 8)}:00`,
  () => '/settings quiet off',
  ({ project, random }) => `/alerts ${project} ${random.pick(PRESETS)}`,
  ({ project, random }) => `/alerts ${project} supply usd>${random.whole(1, 50)}000`,
  ({ project, random }) => `/alerts ${project} premium below -${random.whole(1, 30)} band 2`,
  ({ project, random }) => `/alerts ${project} price above ${random.whole(1, 9)} band 0.1`,
  ({ project }) => `/alerts ${project} growth silent`,
  ({ random }) => `/digest daily ${String(random.whole(0, 23)).padStart(2, '0')}:00`,
  () => '/digest weekly Mon 09:00',
  () => '/digest off',
];

export function createPeople({ random, platforms, projects, wallets, chats }: Crowd): People {
  let made = 0;
  const watched = new Map<Address, string[]>();
  const here = new Set<Address>();
  /** By day of return. */
  const away: { readonly until: number; readonly chat: Address }[] = [];

  const newChat = (): Address => {
    made += 1;
    const chat = address(random.pick(platforms), `chat-${made}`);
    here.add(chat);
    return chat;
  };
  const ownProject = (chat: Address): string => random.pick(watched.get(chat) ?? projects);

  /** A minute between two lines, as people type. */
  const furnished = (chat: Address, at: number): readonly Deed[] => {
    const entries = random.chance(0.02) ? ['all'] : distinct(random, projects, random.pick([1, 1, 1, 1, 2, 2, 3]));
    watched.set(chat, entries[0] === 'all' ? [...projects] : entries);
    const wallet = made <= wallets.length ? wallets[made - 1] : undefined;
    const lines = [
      ...entries.map((project) => `/watch ${project}`),
      ...(wallet === undefined ? [] : [`/watch ${wallet} fund-${made}`]),
      ...(random.chance(0.1) ? ['/watch launches'] : []),
      ...(entries[0] === 'all' ? ['/alerts all important'] : entries.map((project) => `/alerts ${project} ${random.pick(PRESETS)}`)),
      ...(random.chance(0.6) ? [`/alerts ${entries[0]} proposals updates:off`] : []),
      ...(random.chance(0.3) ? [random.pick(CHANGES)({ project: entries[0] ?? 'all', random })] : []),
      ...(random.chance(0.04) ? [`/digest daily ${String(random.whole(0, 23)).padStart(2, '0')}:00`] : []),
    ];
    return lines.map((line, index) => ({ kind: 'says', at: at + index * MINUTE, chat, line }));
  };
  const joins = (at: number): readonly Deed[] => {
    const chat = newChat();
    return [{ kind: 'joined', at, chat }, ...furnished(chat, at + MINUTE)];
  };
  const asks = (chat: Address, at: number): Deed => {
    const of = { project: ownProject(chat), wallet: random.pick(wallets), other: random.pick(projects) };
    return { kind: 'says', at, chat, line: random.pick(QUESTIONS)(of) };
  };
  const many = (count: number, make: () => readonly Deed[]): readonly Deed[] => Array.from({ length: count }, make).flat();
  const sorted = (deeds: readonly Deed[]): readonly Deed[] => deeds.toSorted((a, b) => a.at - b.at);

  return {
    present: () => here.size,
    begin: (at) => sorted(many(chats, () => joins(at + random.whole(0, 20 * MINUTE)))),
    day(from) {
      const moment = (): number => from + random.whole(0, DAY - HOUR);
      const all = [...here];
      const busy = all.slice(0, Math.ceil(chats * BUSY_PART));
      const questions = many(BUSY_QUESTIONS, () => busy.map((chat) => asks(chat, moment())));
      const others = many(Math.ceil(chats * OTHER_QUESTIONS_PART), () => [asks(random.pick(all), moment())]);
      const changes = many(Math.ceil(chats * CHANGES_PART), () => {
        const chat = random.pick(all);
        return [{ kind: 'says', at: moment(), chat, line: random.pick(CHANGES)({ project: ownProject(chat), random }) }];
      });
      const back = away.filter(({ until }) => until <= from).map(({ chat }) => chat);
      for (const chat of back) here.add(chat);
      away.splice(0, away.length, ...away.filter(({ until }) => until > from));
      const leaving = distinct(random, all.slice(busy.length), Math.ceil(chats * LEAVES_PART));
      for (const chat of leaving) {
        here.delete(chat);
        if (random.chance(RETURNS_PART)) away.push({ chat, until: from + random.whole(1, MAX_ABSENCE_DAYS) * DAY });
        else watched.delete(chat);
      }
      // Somebody who says nothing any more has left; a question after that would bring them back.
      const left = new Map(leaving.map((chat) => [chat, from + DAY - HOUR + MINUTE] as const));
      return sorted([
        ...[...questions, ...others, ...changes],
        ...back.map((chat): Deed => ({ kind: 'back', at: moment(), chat })),
        ...[...left].map(([chat, at]): Deed => ({ kind: 'gone', at, chat })),
        ...many(Math.max(0, chats - here.size), () => joins(moment())),
      ]);
    },
  };
}

function distinct<T>(random: Random, all: readonly T[], count: number): T[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () => {
    const [one] = left.splice(random.whole(0, left.length - 1), 1);
    return one === undefined ? [] : [one];
  }).flat();
}
