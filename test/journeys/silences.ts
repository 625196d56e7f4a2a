/** Reasons for which something was not alerted, each made to happen, and what `/why` is asked about it. On the page, where nothing else can go wrong. */
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import type { openBot } from './bot.js';

type Whole = Awaited<ReturnType<typeof openBot>>;

export interface Silence {
  readonly name: string;
  /** It needs a bot of its own: something happens to the service, or the bot is restarted. */
  readonly alone?: true;
  /** What leads to it. */
  readonly happen: (harness: Whole) => Promise<unknown>;
  readonly ask: string;
  /** How much was alerted before, where anything was. */
  readonly alerted?: number;
  /** The step at which `/why` stops, and a piece of what it says there. */
  readonly stops: string;
  readonly says: string;
}

/** Too little to move the premium over a line. */
const mint = async (harness: Whole, amount = '4862.5', more: object = {}) =>
  harness.sim({ kind: 'mint', project: 'tide', amount, ...more });
const LEDGER = '/v1/dao/token-supply';
/** Seconds within which what is watched is checked once and alerted, and how many of them pass at once. */
const [A_ROUND, STRIDE] = [80, 20];
/** Seconds within which a premium is checked. */
const A_PREMIUM_ROUND = 150;

async function watched(harness: Whole, target = 'tide'): Promise<void> {
  await harness.say(`/watch ${target}`);
  await harness.pass(10, 10);
}

export const SILENCES: readonly Silence[] = [
  {
    name: 'nobody watches it here',
    happen: async (harness) => {
      await watched(harness);
      await harness.sim({ kind: 'mint', project: 'heron', amount: '1000' });
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why heron supply',
    stops: 'watched',
    says: 'this chat does not watch it',
  },
  {
    name: 'its kind is switched off',
    happen: async (harness) => {
      await watched(harness);
      await harness.say('/alerts tide supply off');
      await mint(harness);
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'watched',
    says: 'supply alerts are off',
  },
  {
    name: 'the service does not answer',
    alone: true,
    happen: async (harness) => {
      await watched(harness);
      await mint(harness);
      await harness.sim({ kind: 'down' });
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'checked',
    says: "the service isn't responding",
  },
  {
    name: 'its row cannot be read',
    alone: true,
    happen: async (harness) => {
      await watched(harness);
      await mint(harness, '22');
      await harness.sim({ kind: 'broken-row', path: LEDGER, field: 'amount', value: '22' });
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'readable',
    says: '1 row',
  },
  {
    name: 'nothing has changed',
    happen: async (harness) => {
      await watched(harness, 'alder');
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why alder supply',
    stops: 'changed',
    says: 'nothing has changed',
  },
  {
    name: 'it happened before the chat began to watch',
    happen: async (harness) => {
      await watched(harness);
      await mint(harness, '777', { at: new Date(harness.clock.now() - 6 * HOUR).toISOString(), late: true });
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'since',
    says: 'before the watch began',
  },
  {
    name: 'it is smaller than the filter wants',
    happen: async (harness) => {
      await watched(harness);
      await harness.say('/alerts tide supply usd>10000');
      await mint(harness, '12');
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'filter',
    says: '$10K',
  },
  {
    name: 'the figure wavers within its dead-band',
    alone: true,
    happen: async (harness) => {
      await watched(harness);
      await harness.say('/alerts tide premium only above 25 band 5');
      await harness.sim({ kind: 'price', project: 'tide', price: '0.70' });
      await harness.pass(A_PREMIUM_ROUND, STRIDE);
      await harness.sim({ kind: 'price', project: 'tide', price: '0.64' });
      await harness.pass(A_PREMIUM_ROUND, STRIDE);
      await harness.sim({ kind: 'price', project: 'tide', price: '0.70' });
      await harness.pass(A_PREMIUM_ROUND, STRIDE);
    },
    ask: '/why tide premium',
    alerted: 1,
    stops: 'changed',
    says: 'not re-armed yet',
  },
  {
    name: 'its kind is muted for this project',
    happen: async (harness) => {
      await watched(harness);
      await harness.say('/mute tide supply 3h');
      await mint(harness);
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'muted',
    says: 'muted here; will be sent 15:',
  },
  {
    name: 'the chat has quiet hours',
    happen: async (harness) => {
      await harness.say('/settings quiet 11:00-15:00');
      await watched(harness);
      await mint(harness);
      await harness.pass(A_ROUND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'muted',
    says: 'quiet hours',
  },
  {
    name: 'it is too old when it can be alerted at last',
    alone: true,
    happen: async (harness) => {
      await watched(harness);
      await harness.say('/alerts tide age 1h');
      await harness.restart(90 * MINUTE);
      await mint(harness, '4321', { at: new Date(harness.clock.now() - 80 * MINUTE).toISOString() });
      await harness.pass((10 * MINUTE) / SECOND, STRIDE);
    },
    ask: '/why tide supply',
    stops: 'sent',
    says: 'maximum age',
  },
  {
    name: 'it was seen a second ago and waits for company',
    happen: async (harness) => {
      await watched(harness);
      await mint(harness, '4871.5');
      for (let second = 0; second < A_ROUND && !(await harness.say('/why tide supply')).includes('4,872'); second += 1)
        await harness.pass(1);
    },
    ask: '/why tide supply',
    stops: 'grouped',
    says: 'waiting a few seconds',
  },
];
