import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passes } from '../../../src/alerts/rules/filter.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import type { Filters } from '../../../src/domain/filters.js';

function filters(text: string): Filters {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  return found.rules.filters;
}

/** What every event of a kind has besides. */
const COMPLETE: Readonly<Record<string, Record<string, unknown>>> = {
  supply: { name: 'Tidewater', type: 'Burn', amount: '1' },
  movements: { name: 'Tidewater', id: '1', from: 'a', to: 'b', category: 'none' },
  growth: { name: 'Tidewater' },
  wallet: { about: 'holding', token: 'TIDE', now: '1', at: 0 },
};

/** `passes`, or why it does not. */
function verdict(text: string, event: { readonly stage: string; readonly facts?: Record<string, unknown> }): string {
  const feed = /^\w+/u.exec(text)?.[0] ?? '';
  const passage = passes({ feed, stage: event.stage, facts: { ...COMPLETE[feed], ...event.facts } }, filters(text));
  return passage.passes ? 'passes' : passage.because;
}

test('without a filter everything passes', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (feed, stage, facts) => {
      expect(passes({ feed, stage, facts }, {})).toEqual({ passes: true });
    }),
  );
});

test('of two sizes that are joined by "or" one suffices, and an unknown one may be large enough', () => {
  const rule = 'supply usd>10000 or percent>0.5';
  const burn = (facts: Record<string, unknown>) => verdict(rule, { stage: 'burn', facts });
  expect(burn({ usd: '10000', change: '-0.01' })).toBe('passes');
  expect(burn({ usd: '47', change: '-0.5' })).toBe('passes');
  expect(burn({ usd: '47' })).toBe('passes');
  expect(burn({ change: '-0.49' })).toBe('passes');
  expect(burn({ usd: '47', change: '-0.49' })).toContain('is below your filter of');
  expect(burn({ usd: '47', amount: '1', supplyAfter: '1000000' })).toContain('is below your filter of');
});

test('movements of one direction leave out the others, and one whose direction is not known passes', () => {
  const of = (stage: string) => verdict('movements only outgoing', { stage });
  expect(['outflow', 'inflow', 'internal', 'moved', 'swap'].map(of)).toEqual([
    'passes',
    '"inflow" is not among your stages (outgoing)',
    '"internal" is not among your stages (outgoing)',
    'passes',
    'passes',
  ]);
  expect(verdict('movements stages:incoming,internal', { stage: 'outflow' })).toContain('is not among your stages (incoming, internal)');
});

describe('the least amount', () => {
  test('is named beside the amount that is under it', () => {
    expect(verdict('supply usd>10000', { stage: 'burn', facts: { usd: '9.94' } })).toBe('burn of $9.94 is below your $10K filter');
    expect(verdict('supply usd>10000', { stage: 'burn', facts: { usd: '9999.99' } })).toBe('burn of $9,999.99 is below your $10K filter');
    expect(verdict('supply usd>10000', { stage: 'burn', facts: { usd: '10000' } })).toBe('passes');
    expect(verdict('movements usd>10000', { stage: 'out', facts: { usd: '-20000' } })).toBe('passes');
  });
  test('passes an amount that nobody knows: unknown is not small', () => {
    expect(verdict('supply usd>10000', { stage: 'burn' })).toBe('passes');
    expect(verdict('supply usd>10000', { stage: 'burn', facts: { usd: 'n/a' } })).toBe('passes');
  });
  test('of a wallet is what moved, not what it holds', () => {
    const holding = { about: 'holding', was: '1000', now: '990', price: '2', value: '1980' };
    expect(verdict('wallet usd>21', { stage: 'balance', facts: holding })).toBe('change of $20.00 is below your $21 filter');
    expect(verdict('wallet usd>20', { stage: 'balance', facts: holding })).toBe('passes');
    expect(verdict('wallet usd>21', { stage: 'new', facts: { ...holding, was: undefined } })).toBe('passes');
    expect(verdict('wallet usd>21', { stage: 'trades', facts: { about: 'trades', moreVolume: '5', volume: '500' } })).toBe(
      'trading of $5.00 is below your $21 filter',
    );
    expect(verdict('wallet usd>21', { stage: 'ico', facts: { about: 'ico', contribution: '20.5' } })).toBe(
      'contribution of $20.50 is below your $21 filter',
    );
  });
});

describe('the least percentage', () => {
  test('of supply counts mints and burns alike', () => {
    expect(verdict('supply percent>1', { stage: 'burn', facts: { change: '-0.5' } })).toBe('burn of 0.50% is below your 1% filter');
    expect(verdict('supply percent>1', { stage: 'burn', facts: { change: '-1' } })).toBe('passes');
  });
  test('of a growth day is held against the last value or the mean of the week, whichever it left further behind', () => {
    const facts = { metric: { id: 'fees' }, value: '110', last: '109', weekMean: '100' };
    expect(verdict('growth percent>10', { stage: 'value', facts })).toBe('passes');
    expect(verdict('growth percent>11', { stage: 'value', facts })).toBe('change of 10.0% is below your 11% filter');
    expect(verdict('growth percent>11', { stage: 'value', facts: { ...facts, last: '0' } })).toBe('passes');
  });
  test('of a corrected day is the correction, and hides no announcement', () => {
    expect(verdict('growth percent>5', { stage: 'restated', facts: { value: '118', was: '120' } })).toBe(
      'change of 1.7% is below your 5% filter',
    );
    expect(verdict('growth percent>5', { stage: 'published', facts: { name: 'Tidewater' } })).toBe('passes');
  });
  test('of a wallet is that of its balance, and says nothing of a rank', () => {
    expect(verdict('wallet percent>5', { stage: 'balance', facts: { was: '100', now: '96' } })).toBe(
      'change of 4.0% is below your 5% filter',
    );
    expect(verdict('wallet percent>5', { stage: 'exit', facts: { was: '100', now: '0' } })).toBe('passes');
    expect(verdict('wallet percent>5', { stage: 'rank', facts: { was: '100', now: '100' } })).toBe('passes');
  });
});

test('a word for several stages lets each of them through, and no other', () => {
  for (const stage of ['passed', 'failed', 'removed']) expect(verdict('proposals stages:resolved', { stage })).toBe('passes');
  expect(verdict('proposals stages:resolved', { stage: 'live' })).toBe('"live" is not among your stages (resolved)');
  expect(verdict('proposals stages:live,resolved', { stage: 'live' })).toBe('passes');
});

test('a metric is named by its id or by how that begins', () => {
  const day = (id: string) => ({ stage: 'value', facts: { metric: { id }, value: '1' } });
  for (const id of ['fees', 'fees-usd', 'Fees_usd']) expect(verdict('growth metrics:fees', day(id))).toBe('passes');
  for (const id of ['feesless', 'feesless-usd'])
    expect(verdict('growth metrics:fees', day(id))).toBe(`"${id}" is not among your metrics (fees)`);
  expect(verdict('growth metrics:fees,revenue', day('fees'))).toBe('passes');
  expect(verdict('growth metrics:fees,traders', day('daily-traders'))).toBe('"daily-traders" is not among your metrics (fees, traders)');
  expect(verdict('growth metrics:fees', { stage: 'published', facts: { name: 'Tidewater' } })).toBe('passes');
});

test('every filter must let it through', () => {
  const both = 'supply usd>100 percent>1 stages:mint';
  expect(verdict(both, { stage: 'mint', facts: { usd: '100', change: '1' } })).toBe('passes');
  expect(verdict(both, { stage: 'burn', facts: { usd: '100', change: '1' } })).toContain('stages');
  expect(verdict(both, { stage: 'mint', facts: { usd: '99', change: '1' } })).toContain('$99');
  expect(verdict(both, { stage: 'mint', facts: { usd: '100', change: '0.9' } })).toContain('0.90%');
});

test('a higher bar never lets through what a lower one suppressed', () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(amount, amount, amount, (usd, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const alerted = (least: number) => verdict(`supply usd>${least}`, { stage: 'mint', facts: { usd: String(usd) } }) === 'passes';
      expect(alerted(high) && !alerted(low)).toBe(false);
      expect(alerted(usd)).toBe(true);
    }),
  );
});

describe('names and words', () => {
  const moved = (rule: string, facts: Record<string, unknown>): string => verdict(`movements ${rule}`, { stage: 'outflow', facts });

  test('movements of other tokens are left out, and one whose token is not known passes', () => {
    expect(moved('tokens:usdc,TIDE', { symbol: 'USDC' })).toBe('passes');
    expect(moved('only USDC and TIDE', { symbol: 'tide' })).toBe('passes');
    expect(moved('outgoing USDC usd>5', { symbol: 'USDC.e' })).toBe('USDC.e is not among your tokens (USDC)');
    expect(moved('only USDC', {})).toBe('passes');
  });

  test('a category is found by its name or a part of it, and a movement that is not classified yet passes', () => {
    expect(moved('category:payroll', { category: 'Expenses / Payroll' })).toBe('passes');
    expect(moved('category:"expenses / pay"', { category: 'Expenses / Payroll' })).toBe('passes');
    expect(moved('category:roll', { category: 'Expenses / Payroll' })).toBe('"Expenses / Payroll" is not among your categories (roll)');
    expect(moved('category:payroll', { category: 'pending', isUnclassified: true })).toBe('passes');
  });

  test('an account is the one that a movement leaves or enters, by name or address', () => {
    const parties = { from: 'Main vault', to: 'Meridian Audits', accounts: ['AcC111'] };
    expect(['accounts:vault', 'accounts:"main vault"', 'accounts:meridian', 'accounts:AcC111'].map((rule) => moved(rule, parties))).toEqual(
      Array.from({ length: 4 }, () => 'passes'),
    );
    expect(moved('accounts:reserve', parties)).toBe('"Main vault" is not among your accounts (reserve)');
    expect(moved('accounts:reserve', { ...parties, to: 'n/a' })).toBe('passes');
  });

  test('a title has one of the words, wherever a word of it begins', () => {
    const of = (title: string | undefined) =>
      verdict('proposals title:"buy back",buyback', { stage: 'live', facts: { name: 'Tidewater', title } });
    expect(['Buy-back below NAV', 'More BUYBACKS', undefined].map(of)).toEqual(['passes', 'passes', 'passes']);
    expect(of('Rebuy back office')).toBe('"Rebuy back office" has none of your words (buy back, buyback)');
  });

  test('a wallet alerts of the projects that were named, by slug or symbol', () => {
    const of = (facts: Record<string, unknown>) => verdict('wallet projects:tide,HERON', { stage: 'balance', facts });
    expect(of({ slug: 'tide' })).toBe('passes');
    expect(of({ slug: 'heron-flats', symbol: 'HERON' })).toBe('passes');
    expect(of({ slug: 'moss', symbol: 'MOSS' })).toBe('moss is not among your projects (tide, HERON)');
    expect(of({ symbol: 'USDC' })).toBe('passes');
  });

  test('they are refused where the kind has none, and where nothing is named', () => {
    const says = (text: string) => {
      const found = readRule(text);
      return found.read ? 'read' : found.says;
    };
    expect(says('supply tokens:USDC')).toContain('There is no such filter for supply.');
    expect(says('proposals title:')).toBe('Write words of the title, such as title:"buyback".');
    expect(says('proposals title:"buy')).toBe('Write words of the title, such as title:"buyback".');
    expect(says('movements accounts:"---"')).toContain('A name in a filter has 1 to 60 characters');
  });
});
