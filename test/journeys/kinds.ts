/** For each alert kind: a rule that is set in all three places, something that happens, the alert of it, and why it came. */
import { createWorld } from '../../src/simulator/world/world.js';
import { ask, asked, alerted, until, why, type Surface, type OnEachSurface } from './surfaces.js';
import { slug } from '../../src/domain/scalars.js';
import { walletAddress } from '../../src/domain/wallet.js';
import type { Watching } from './bot.js';
import type { ConnectedBot } from './connected-bot.js';

export interface Kind {
  readonly kind: string;
  /** What is watched, and under which label. */
  readonly target: string;
  readonly label?: string;
  /** As it is typed behind the kind, and as it is written back. */
  readonly rule: string;
  /** Whether it is to stand alone, where the kind has lines without it. */
  readonly only?: boolean;
  readonly words: string;
  /** What makes it happen; where nothing does, time alone. */
  readonly happen: (bot: ConnectedBot) => Promise<unknown>;
  /** What happened, for the reader. */
  readonly story: string;
  /** A piece of the headline. */
  readonly says: string;
  /** As long as it may take until it is alerted, and how much time passes at once. */
  readonly seconds: number;
  readonly step?: number;
  /** When the story begins; at noon on 20 November 2026 unless given. */
  readonly start?: number;
}

const WALLET = createWorld({ seed: 'navwatch', pace: 1 }).wallets.some(1);
/** Lark Hollow's team has its cliff at the midnight that follows. */
const BEFORE_A_CLIFF = Date.UTC(2026, 11, 5, 23, 56);

export const KINDS: readonly Kind[] = [
  {
    kind: 'supply',
    target: 'tide',
    rule: 'usd>10000',
    words: '$10K and up',
    happen: async (bot) => bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' }),
    story: '486,211 TIDE are minted',
    says: 'minted 486,211 TIDE',
    seconds: 120,
  },
  {
    kind: 'proposals',
    target: 'tide',
    rule: 'stages:live,resolved',
    words: 'live',
    happen: async (bot) =>
      bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 60, liveSeconds: 36_000 }),
    story: 'a proposal is drafted, which is filtered, and goes live a minute later',
    says: 'Live: "Fund the second audit"',
    seconds: 300,
  },
  {
    kind: 'launches',
    target: 'launches',
    rule: 'stages:new,complete',
    words: 'new',
    happen: async (bot) => bot.sim({ kind: 'launch', project: 'tide', waitSeconds: 3_600 }),
    story: 'a launch is set up',
    says: 'New launch: Tidewater',
    seconds: 300,
  },
  {
    kind: 'growth',
    target: 'tide',
    rule: 'metrics:fees-usd percent>5',
    words: 'fees-usd',
    happen: async (bot) => bot.sim({ kind: 'growth', project: 'tide', metricId: 'fees-usd', date: '2026-11-19', value: '1050.25' }),
    story: 'a day of fees-usd is published again',
    says: 'fees:',
    seconds: 1_800,
    step: 10,
  },
  {
    kind: 'premium',
    target: 'tide',
    rule: 'above 25 band 3',
    only: true,
    words: 'above 25%',
    happen: async (bot) => bot.sim({ kind: 'price', project: 'tide', price: '0.7' }),
    story: 'the price rises from $0.585 to $0.70',
    says: '25%',
    seconds: 600,
  },
  {
    kind: 'treasury',
    target: 'tide',
    rule: 'runway<40',
    only: true,
    words: 'runway below 40 months',
    happen: async (bot) => bot.sim({ kind: 'nav', project: 'tide', factor: '0.7' }),
    story: 'the treasury shrinks by three tenths',
    says: 'runway',
    seconds: 600,
  },
  {
    kind: 'movements',
    target: 'tide',
    rule: 'usd>10000',
    words: '$10K and up',
    happen: async (bot) =>
      bot.sim({ kind: 'movement', project: 'tide', amount: '18400.25', counterparty: 'Quill Counsel', note: 'second audit' }),
    story: '18,400.25 USDC are paid out of the treasury',
    says: 'paid 18,400 USDC',
    seconds: 300,
  },
  {
    kind: 'vesting',
    target: 'lark-hollow',
    rule: 'stages:cliff',
    words: 'cliff',
    happen: async () => {},
    story: 'midnight comes, and with it the cliff',
    says: 'passed its vesting cliff',
    seconds: 3_600,
    step: 10,
    start: BEFORE_A_CLIFF,
  },
  {
    kind: 'wallet',
    target: WALLET,
    label: 'fund-1',
    rule: 'usd>100',
    words: '$100 and up',
    happen: async (bot) => bot.sim({ kind: 'transfer', wallet: WALLET, project: 'tide', amount: '12500.25' }),
    story: '12,500.25 TIDE come to the wallet, which the service shows after the next refresh',
    says: '"fund-1" ',
    seconds: 7_200,
    step: 10,
  },
];

/** What the reader of a kind's story needs. */
export interface Played {
  /** What the rule's page says after it was set. */
  readonly ruled: OnEachSurface;
  /** Whether all three were alerted. */
  readonly came: boolean;
  /** Everything that was alerted since the rule was set. */
  readonly alerts: Readonly<Record<Surface, readonly string[]>>;
  readonly whys: OnEachSurface;
}

/** The other kinds are off. */
export const watchingOnly = ({ kind, target, label }: Pick<Kind, 'kind' | 'target' | 'label'>): Watching => ({
  target:
    label !== undefined
      ? { kind: 'wallet', address: walletAddress(target), label }
      : target === 'launches'
        ? { kind: 'launches' }
        : { kind: 'project', slug: slug(target) },
  kinds: [kind],
});

/** Sets the rule, lets it happen and asks why. */
export async function play(bot: ConnectedBot, { kind, target, label, rule, only, happen, says, seconds, step }: Kind): Promise<Played> {
  const ruled = await ask(bot, asked('alerts', { target: label ?? target, kind, action: only === true ? 'only' : undefined, rule }));
  // The first checks, and the refresh of a wallet, are silent.
  await bot.pass(kind === 'wallet' ? 300 : 70, 10);
  await happen(bot);
  const came = await until(bot, says, { seconds, ...(step === undefined ? {} : { step }) });
  return { ruled, came, alerts: await alerted(bot), whys: came ? await why(bot, says) : { discord: '', telegram: '', page: '' } };
}
