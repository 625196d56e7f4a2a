/** Ten reasons for which something was not told, each made to happen, and what `/why` is asked about it. On the page, where nothing else can go wrong. */
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import type { openWhole } from './whole.js';

type Whole = Awaited<ReturnType<typeof openWhole>>;

export interface Silence {
  readonly name: string;
  /** What leads to it. */
  readonly happen: (house: Whole) => Promise<unknown>;
  readonly ask: string;
  /** How much was told before, where anything was. */
  readonly told?: number;
  /** The step at which `/why` stops, and a piece of what it says there. */
  readonly stops: string;
  readonly says: string;
}

/** Too little to move the premium over a line. */
const mint = async (house: Whole, amount = '4862.5', more: object = {}) => house.sim({ kind: 'mint', project: 'tide', amount, ...more });
const LEDGER = '/v1/dao/token-supply';
/** Seconds within which what is watched is checked once and alerted. */
const A_ROUND = 80;

/** Watches tide. The reply comes after the first checks. */
async function watched(house: Whole): Promise<void> {
  await house.say('/watch tide');
  await house.pass(10, 10);
}

export const SILENCES: readonly Silence[] = [
  {
    name: 'nobody watches it here',
    happen: async (house) => {
      await watched(house);
      await house.sim({ kind: 'mint', project: 'heron', amount: '1000' });
      await house.pass(A_ROUND, 10);
    },
    ask: '/why heron supply',
    stops: 'watched',
    says: 'this chat does not watch it',
  },
  {
    name: 'its kind is switched off',
    happen: async (house) => {
      await watched(house);
      await house.say('/alerts tide supply off');
      await mint(house);
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'watched',
    says: 'supply alerts are off',
  },
  {
    name: 'the service does not answer',
    happen: async (house) => {
      await watched(house);
      await mint(house);
      await house.sim({ kind: 'down' });
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'checked',
    says: "the service isn't responding",
  },
  {
    name: 'its row cannot be read',
    happen: async (house) => {
      await watched(house);
      await mint(house, '22');
      await house.sim({ kind: 'broken-row', path: LEDGER, field: 'amount', value: '22' });
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'readable',
    says: '1 row',
  },
  {
    name: 'nothing has changed',
    happen: async (house) => {
      await watched(house);
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'changed',
    says: 'nothing has changed',
  },
  {
    name: 'it happened before the chat began to watch',
    happen: async (house) => {
      await watched(house);
      await mint(house, '777', { at: new Date(house.clock.now() - 6 * HOUR).toISOString(), late: true });
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'since',
    says: 'before the watch began',
  },
  {
    name: 'it is smaller than the filter wants',
    happen: async (house) => {
      await watched(house);
      await house.say('/alerts tide supply usd>10000');
      await mint(house, '12');
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'filter',
    says: '$10K',
  },
  {
    name: 'the figure wavers within its dead-band',
    happen: async (house) => {
      await watched(house);
      await house.say('/alerts tide premium only above 25 band 5');
      await house.sim({ kind: 'price', project: 'tide', price: '0.70' });
      await house.pass(300, 10);
      await house.sim({ kind: 'price', project: 'tide', price: '0.64' });
      await house.pass(300, 10);
      await house.sim({ kind: 'price', project: 'tide', price: '0.70' });
      await house.pass(300, 10);
    },
    ask: '/why tide premium',
    told: 1,
    stops: 'changed',
    says: 'not re-armed yet',
  },
  {
    name: 'its kind is muted for this project',
    happen: async (house) => {
      await watched(house);
      await house.say('/mute tide supply 3h');
      await mint(house);
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'muted',
    says: 'muted here; will be sent 15:00 UTC',
  },
  {
    name: 'the chat has quiet hours',
    happen: async (house) => {
      await house.say('/settings quiet 11:00-15:00');
      await watched(house);
      await mint(house);
      await house.pass(A_ROUND, 10);
    },
    ask: '/why tide supply',
    stops: 'muted',
    says: 'quiet hours',
  },
  {
    name: 'it is too old when it can be told at last',
    happen: async (house) => {
      await watched(house);
      await house.say('/alerts tide age 1h');
      await house.restart(90 * MINUTE);
      await mint(house, '4321', { at: new Date(house.clock.now() - 80 * MINUTE).toISOString() });
      await house.pass((10 * MINUTE) / SECOND, 10);
    },
    ask: '/why tide supply',
    stops: 'sent',
    says: 'maximum age',
  },
  {
    name: 'it was seen a second ago and waits for company',
    happen: async (house) => {
      await watched(house);
      await mint(house);
      for (let second = 0; second < A_ROUND && !(await house.say('/why tide supply')).includes('4,863'); second += 1) await house.pass(1);
    },
    ask: '/why tide supply',
    stops: 'grouped',
    says: 'waiting a few seconds',
  },
];
