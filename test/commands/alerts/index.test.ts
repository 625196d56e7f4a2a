import { expect, test } from 'vitest';
import { entryFor } from '../../../src/alerts/watchlist/watchlists.js';
import { CHAT, GUEST, openAppHarness } from '../../support/app-harness.js';
import { HOUR } from '../../../src/base/clock.js';
import { fieldLines } from '../../support/fields.js';
import { watching } from '../../support/watching.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

test('a kind is switched off and on, in any order of words, and the buttons switch the rest', async () => {
  const { say, off, deadButtons } = await watching('tide');
  const { reply } = await say('/alerts tide growth off');
  expect(off()).toEqual([['growth']]);
  expect(await deadButtons(reply)).toEqual([]);
  await say('/alerts off supply TIDE');
  await say('/alerts tide growth off');
  expect(off()).toEqual([['growth', 'supply']]);
  expect((await say('/alerts tide supply')).reply.actions.filter(({ line }) => /(?:on|silent|off)$/u.test(line))).toEqual([
    { label: 'On', line: '/alerts tide supply on', on: false },
    { label: 'Silent', line: '/alerts tide supply silent', on: false },
    { label: 'Off', line: '/alerts tide supply off', on: true },
  ]);
  await say('/alerts tide growth on');
  expect(off()).toEqual([['supply']]);
});

test('with one entry the target may be left out; with several the asker chooses', async () => {
  const { say, off, rules, deadButtons } = await watching('tide');
  await say('/alerts growth off');
  await say('/watch all');
  const { reply } = await say('/alerts growth on');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/alerts tide growth on', '/alerts all growth on']);
  expect(await deadButtons(reply)).toEqual([]);
  expect(off()).toEqual([['growth'], []]);
  const which = await say('/alerts supply usd>5');
  expect(which.reply.actions.map(({ line }) => line)).toEqual(['/alerts tide supply usd>5', '/alerts all supply usd>5']);
  await say(which.reply.actions[1]?.line ?? '');
  expect(rules()).toEqual([[], ['supply: at least $5']]);
});

test('an entry for launches has launches alone, and the word means the entry where it is watched', async () => {
  const { say, rules } = await watching('launches', 'tide');
  expect((await say('/alerts launches supply off')).reply.tone).toBe('warning');
  expect((await say('/alerts launches')).text).toContain('launches on');
  expect((await say('/alerts launches stages:live')).text).toContain('launches: stages live\n');
  expect(rules()).toEqual([['launches: stages live'], []]);
});

test('the overview shows the alerts and rules of every entry', async () => {
  const { say, deadButtons } = await watching('tide', 'launches');
  await say('/alerts tide supply off');
  await say('/alerts tide movements usd>50k');
  const { text, reply } = await say('/alerts');
  expect(text).toMatch(
    /^Alerts in this chat\nTidewater\n {2}Everything · off: supply · movements: \$50K and up\nlaunches\n {2}Everything\n/u,
  );
  expect(await deadButtons(reply)).toEqual([]);
});

test('a switch without a kind asks which', async () => {
  const { say } = await watching('tide');
  expect((await say('/alerts tide off')).text).toContain('Which kind should be off? Choose supply, proposals, ');
});

test('a kind that is switched off while nobody else waits is not lost to one who changes another', async () => {
  const { say, off } = await watching('tide');
  await Promise.all([say('/alerts tide growth off'), say('/alerts tide supply off'), say('/mute tide 1h')]);
  expect(off()[0]?.toSorted()).toEqual(['growth', 'supply']);
});

test.each([
  ['/alerts tide supply usd>10000', 'supply: at least $10K'],
  ['/alerts tide supply at least $10k; stages mint', 'supply: at least $10K; stages mint'],
  ['/alerts supply percent>0.5', 'supply: at least 0.5%'],
  ['/alerts tide supply stage:mint', 'supply: stages mint'],
  ['/alerts $TIDE supply usd>5', 'supply: at least $5'],
  ['/alerts supply: at least $10K; stages mint, burn', 'supply: at least $10K; stages mint, burn'],
  ['/alerts tide growth metrics:fees percent>20', 'growth: at least 20%; metrics fees'],
  ['/alerts Tidewater proposals stages live, resolved', 'proposals: stages live, resolved; margin flips'],
  ['/alerts kind:movements rule:usd>1m target:tide', 'movements: at least $1M'],
  ['/alerts tide premium only below -10 band 3', 'premium: premium below −10% (re-arms above −7%)'],
  ['/alerts tide only premium<-10', 'premium: premium below −10% (re-arms above −8%)'],
  ['/alerts tide supply 5%', 'supply: at least 5%'],
  ['/alerts supply $10k', 'supply: at least $10K'],
  ['/alerts tide supply 10000 usd', 'supply: at least $10K'],
  ['/alerts supply mints', 'supply: stages mint'],
  ['/alerts tide supply usd 10000 and percent 1', 'supply: at least $10K and at least 1%'],
  ['/alerts proposals live', 'proposals: stages live; margin flips'],
  ['/alerts tide proposals only margin<2 flip', 'proposals: stages none; margin below 2 pts (re-arms above 2.5 pts); margin flips'],
  ['/alerts tide proposals only margin move 3 in 1h', 'proposals: stages none; margin moves by 3 pts within 1 h'],
  ['/alerts tide only flip once', 'proposals: stages none; margin flips once'],
  ['/alerts tide proposals stages:none', 'proposals: stages none; margin flips'],
  ['/alerts tide proposals stages:none,live', 'proposals: stages live; margin flips'],
  ['/alerts tide proposals only title:audit flip', 'proposals: title audit; margin flips'],
  ['/alerts tide proposals only updates:none flip', 'proposals: stages none; updates none; margin flips'],
  ['/alerts tide only trade>10k', 'proposals: stages none; trade above $10K'],
  ['/alerts tide proposals only live, resolved', 'proposals: stages live, resolved'],
  ['/alerts tide growth fees', 'growth: metrics fees'],
  ['/alerts tide premium only discount>10', 'premium: premium below −10% (re-arms above −8%)'],
  ['/alerts tide only premium below -10, band 3', 'premium: premium below −10% (re-arms above −7%)'],
  ['/alerts only premium<-10', 'premium: premium below −10% (re-arms above −8%)'],
  ['/alerts tide only runway<6', 'treasury: runway below 6 months (re-arms above 7 months)'],
  ['/alerts tide only treasury: NAV moves by 5%', 'treasury: NAV moves by 5%'],
])('"%s" is the rule "%s"', async (line, rule) => {
  const { say, rules } = await watching('tide');
  const { reply, text } = await say(line);
  expect({ rules: rules(), tone: reply.tone }, text).toEqual({ rules: [[rule]], tone: 'plain' });
});

test('a form gives the same as a line', async () => {
  const { ask, rules } = await watching('tide');
  await ask({ ask: { command: 'alerts', options: { target: 'tide', kind: 'supply', rule: 'usd>10000' } } });
  await ask({ ask: { command: 'alerts', options: { target: 'tide', kind: 'premium', action: 'only', rule: 'below -10' } } });
  expect(rules()).toEqual([['supply: at least $10K', 'premium: premium below −10% (re-arms above −8%)']]);
});

test('a filter replaces the same filter and keeps the others, and everything removes all of them', async () => {
  const { say, rules } = await watching('tide');
  await say('/alerts tide supply usd>10000');
  await say('/alerts tide supply usd>500 stages:mint');
  expect(rules()).toEqual([['supply: at least $500; stages mint']]);
  await say('/alerts tide supply remove usd');
  expect(rules()).toEqual([['supply: stages mint']]);
  expect((await say('/alerts tide supply everything')).text).toContain('Tidewater, supply: everything');
  expect(rules()).toEqual([[]]);
});

test('a set rule is answered in one line, with how far away it is where that is known without a request', async () => {
  const { say } = await openAppHarness();
  await say('/watch tide');
  await say('/premium tide ALL');
  const { reply, text } = await say('/alerts tide premium<-12');
  expect(text.split('\n')[0]).toMatch(/^Alert set: Tidewater, premium: below −12%; now [+−][\d.]+%, last there [A-Z][a-z]{2} \d/u);
  expect(reply.blocks).toEqual([]);
  expect(reply.actions.map(({ label }) => label)).toEqual(['Rules', 'Backtest', 'Only this', 'Undo', 'Sources']);
});

test('a rule of an off kind says that the kind is on now, and a muted entry that alerts wait', async () => {
  const { say } = await watching('tide');
  await say('/alerts tide supply off');
  expect((await say('/alerts tide supply usd>5')).text).toContain('supply was off and is now on.');
  await say('/mute tide 2h');
  expect((await say('/alerts tide supply usd>6')).text).toContain('Muted, alerts resume ');
});

test('a threshold is added to the default ones, and the same threshold with another hysteresis replaces it', async () => {
  const { say, rules, deadButtons } = await watching('tide');
  const { reply } = await say('/alerts tide premium<-10');
  expect((await say('/alerts tide premium')).text).toContain('above 0%');
  expect(await deadButtons(reply)).toEqual([]);
  await say(reply.actions.find(({ label }) => label === 'Only this')?.line ?? '');
  expect(rules()).toEqual([['premium: premium below −10% (re-arms above −8%)']]);
  expect((await say('/alerts tide premium below -10 band 5')).text).toContain('re-arms above −5%');
  expect(rules()).toEqual([['premium: premium below −10% (re-arms above −5%)']]);
});

test('each level can be removed, and without the last one the kind is off', async () => {
  const { say, rules, off } = await watching('tide');
  await say('/alerts tide premium only below -10');
  await say('/alerts tide premium move 5');
  await say('/alerts tide premium remove below -10');
  expect(rules()).toEqual([['premium: premium moves by 5 pts']]);
  expect((await say('/alerts tide premium remove z 3')).text).toContain('moves by 5 pts.');
  await say('/alerts tide premium remove move 5');
  expect({ rules: rules(), off: off() }).toEqual({ rules: [[]], off: [['premium']] });
  await say('/alerts tide premium below -20');
  expect({ rules: rules(), off: off() }).toMatchObject({ off: [[]] });
  expect(rules()[0]?.[0]).toContain('z-score of at least 2; premium below −20%');
});

test.each([
  ['/alerts tide supply usd>0', 'The minimum amount must be between $0.01 and $1T.'],
  ['/alerts tide premium<-500', 'A premium threshold must be between −100% and 10,000%.'],
  ['/alerts premium<-500', 'A premium threshold must be between −100% and 10,000%.'],
  ['/alerts tide treasury runway<6 band 0', 'The re-arm distance of runway must be between 0.1 months and 120 months.'],
  ['/alerts tide proposals stages:done', 'There is no stage "done" of proposals; there is created, live'],
  ['/alerts tide supply premium<-10', `Can't read "premium<-10". For supply there is usd>10000`],
  ['/alerts tide supply usd>5%', 'The minimum amount is counted in US dollars, not in percent. Write it as in "usd>10000".'],
  ['/alerts tide treasury nav above 5.7m band 5%', 'The re-arm distance of NAV is counted in US dollars, not in percent.'],
  [
    '/alerts tide premium below -100',
    'premium is never below −100%, so this threshold can never be crossed.\nUsage: /alerts [target] [kind] [action] [rule]\nFor example: /alerts tide premium below -10',
  ],
  ['/alerts tide supply usd>5 on', '"usd>5" and "on" don\'t go together.'],
  ['/alerts tide wallet usd>5', 'Tidewater has no wallet alerts. It has supply, '],
  ['/alerts weather usd>5', 'No project called "weather" yet. The project list is still loading.'],
])('"%s" is refused and changes nothing', async (line, says) => {
  const { say, entries } = await watching('tide');
  const before = entries();
  const { reply, text } = await say(line);
  expect(text).toContain(says);
  expect(reply).toMatchObject({ tone: 'warning', audience: 'asker' });
  expect(entries()).toBe(before);
});

test('an eleventh level of a kind is one too many', async () => {
  const { say, rules } = await watching('tide');
  for (let level = 1; level <= 6; level += 1) await say(`/alerts tide premium below -${level}`);
  const full = rules();
  const { text, reply } = await say('/alerts tide premium below -7');
  expect(text).toContain('at most 10 rules');
  expect(rules()).toEqual(full);
  expect(reply.actions).toHaveLength(10);
  const menus = (await say('/alerts tide premium')).reply.fields.flatMap((field) => (field.kind === 'menu' ? [field] : []));
  const adding = menus.filter(({ label }) => label.startsWith('Add')).flatMap(({ options }) => options);
  expect(adding.filter(({ on }) => !on)).toEqual([]);
  expect(reply.actions.at(-1)).toMatchObject({ label: 'Remove below −6%', line: '/alerts tide premium remove below -6' });
  await say(reply.actions.at(-1)?.line ?? '');
  await say('/alerts tide premium below -7');
  expect(rules()[0]?.[0]).toContain('below −7%');
});

test('"everything" removes no threshold of a kind with measures, and says what causes its alerts', async () => {
  const { say, rules, deadButtons } = await watching('tide');
  await say('/alerts tide premium below -10');
  const before = rules();
  for (const line of ['/alerts tide premium everything', '/alerts tide premium: everything']) {
    const { text, reply } = await say(line);
    expect(text).toContain('below −10%');
    expect(reply.tone).toBe('warning');
    expect(await deadButtons(reply)).toEqual([]);
  }
  expect(rules()).toEqual(before);
});

test('a kind that there is not of an entry has no page either', async () => {
  const { say, deadButtons } = await watching('tide', 'launches');
  const { reply } = await say('/alerts tide wallet');
  expect(reply.tone).toBe('warning');
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say('/alerts launches premium')).reply.tone).toBe('warning');
});

test('where one entry alone has a kind, it is meant; where several have, only they are offered', async () => {
  const { say, rules } = await watching('launches', 'tide');
  expect((await say('/alerts supply usd>5')).text).toContain('Tidewater, supply: $5 and up');
  await say('/watch heron');
  const { reply } = await say('/alerts supply usd>6');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/alerts tide supply usd>6', '/alerts heron supply usd>6']);
  expect((await say('/alerts launches live')).text).toContain('launches: stages live');
  expect(rules()).toEqual([['launches: stages live'], ['supply: at least $5'], []]);
});

test('a project is the entry by its whole name too, in quotes or without', async () => {
  const { say, rules } = await watching('tide', 'heron');
  for (const [at, line] of [
    '/alerts "Heron Flats" supply',
    '/alerts Heron Flats supply',
    '/alerts target:"Heron Flats" supply',
  ].entries()) {
    expect((await say(`${line} usd>${at + 1}`)).text).toContain(`Heron Flats, supply: $${at + 1} and up`);
    expect(rules()).toEqual([[], [`supply: at least $${at + 1}`]]);
  }
  expect((await say('/alerts "Heron Flats"')).text).toContain('Alerts for Heron Flats');
  expect((await say('/alerts "Heron Flats" supply only mints')).text).toContain('Heron Flats, supply: stages mint');
});

test('a rule may come before its entry; an unreadable one is reported before anything else', async () => {
  const { say, rules } = await watching('tide', 'heron');
  await say('/alerts usd>5 tide supply');
  expect(rules()).toEqual([['supply: at least $5'], []]);
  const { text, reply } = await say('/alerts supply usd>5 nonsense');
  expect(text).toContain(`Can't read "nonsense"`);
  expect(reply.actions).toEqual([]);
});

test('what is muted is said where its rules are', async () => {
  const { say } = await watching('tide', 'launches');
  await say('/mute tide 2h');
  await say('/mute growth 3h');
  const all = (await say('/alerts')).text;
  expect(all).toContain('muted, alerts resume 14:00 UTC · growth: muted in the whole chat, alerts resume 15:00 UTC');
  expect(all).not.toMatch(/launches\n {2}Everything ·/u);
  const one = (await say('/alerts tide')).text;
  expect(one).toContain('Muted, alerts resume 14:00 UTC.\n');
  expect(one).toContain('● growth silent\n  everything · muted in the whole chat, alerts resume 15:00 UTC');
  expect((await say('/alerts tide supply')).text).toContain('Tidewater, supply: everything\nMuted, alerts resume 14:00 UTC.\n');
  await say('/mute 5h');
  expect((await say('/alerts')).text).toContain('Alerts in this chat\nThe whole chat is muted, alerts resume 17:00 UTC.\n');
});

test('a test posts three alerts, and the others on a press', async () => {
  const { say, queues } = await watching('tide');
  const waiting = (): number => queues.read(CHAT).waiting.length;
  const { text, reply } = await say('/alerts test');
  expect(text).toContain('3 sample alerts come here');
  const others = reply.actions[0];
  expect(others?.label).toMatch(/^Show the other seven$/u);
  expect(waiting()).toBe(3);
  await say(others?.line ?? '');
  expect(waiting()).toBe(10);
  expect((await say('/alerts test all')).text).toContain('10 sample alerts come here');
  expect((await say('/supply sample')).text).toContain('is the invented project of sample alerts');
});

test.each([
  ['/alerts test supply growth', 'A sample is of one kind, or of every kind.'],
  ['/alerts test premium extra', '"extra"'],
  ['/alerts test tide', '"tide"'],
  ['/alerts tide test', '"tide"'],
])('"%s" posts nothing, and offers what can be posted', async (line, says) => {
  const { say, deadButtons } = await watching('tide');
  const { text, reply } = await say(line);
  expect(text).toContain(says);
  expect(reply.actions.length).toBeGreaterThan(0);
  expect(await deadButtons(reply)).toEqual([]);
});

test('only managers change alerts; everyone may read them', async () => {
  const { say, entries } = await watching('tide');
  const before = entries();
  for (const line of ['/alerts tide supply usd>5', '/alerts supply off', '/alerts premium<-10', '/alerts tide age 1d', '/alerts test'])
    expect((await say(line, GUEST)).text, line).toContain('Only people who can manage this chat');
  expect(entries()).toBe(before);
  for (const line of ['/alerts', '/alerts tide', '/alerts tide supply', '/alerts tide age'])
    expect((await say(line, GUEST)).reply.tone, line).toBe('plain');
});

test('a label of several words is the entry it names', async () => {
  const { say, watchlists, rules } = await watching(`${WALLET} "cold storage"`);
  expect((await say('/alerts cold storage usd>1000')).text).toContain('"cold storage", wallet: $1K and up');
  expect(rules()).toEqual([['wallet: at least $1K']]);
  const [entry] = watchlists.read(CHAT).entries;
  expect(entry && entryFor(watchlists.read(CHAT), entry.target)).toBe(entry);
});

test.each([
  ['/alerts tide premium back off', 'premium: back off; '],
  ['/alerts tide premium back:off', 'premium: back off; '],
  ['/alerts tide proposals remind off', 'proposals: remind off; margin flips'],
  ['/alerts tide proposals reminders off', 'proposals: remind off; margin flips'],
  ['/alerts tide proposals updates off', 'proposals: updates off; margin flips'],
])('"%s" is accepted as the docs write it', async (line, rule) => {
  const { say, rules } = await watching('tide');
  const { reply, text } = await say(line);
  expect({ rules: rules(), tone: reply.tone }, text).toEqual({ rules: [[expect.stringContaining(rule)]], tone: 'plain' });
});

test.each(['/alerts tide only back:message premium', '/alerts tide proposals only remind 1d'])(
  '"%s" does not take the rules of the kind away',
  async (line) => {
    const { say, rules, deadButtons } = await watching('tide');
    const { reply, text } = await say(line);
    expect(text).toContain('Leave "only" out');
    expect(rules()).toEqual([[]]);
    expect(await deadButtons(reply)).toEqual([]);
  },
);

test('a reminder offers no backtest and no "Only this", which would count or remove other alerts', async () => {
  const { say } = await watching('tide');
  const { reply } = await say('/alerts tide proposals remind 1d');
  expect(reply.actions.map(({ label }) => label)).toEqual(['Rules', 'Undo']);
  const { text } = await say('/alerts tide proposals remind 1d backtest');
  expect(text).toContain('A backtest counts the alerts of a rule.');
});

test('a value that must last is refused where it is not seen often enough, with the times that work, and set where it is', async () => {
  const { say } = await openAppHarness({ checkedWithin: 5.6 * HOUR });
  const open = await openAppHarness({});
  for (const one of [say, open.say]) await one('/watch tide');
  const { reply, text } = await say('/alerts tide premium<-10 for 1h');
  expect(reply.tone).toBe('warning');
  expect(text).toContain('changes are seen about every 6 h on this plan, so whether one lasts 1 h is unknown. Choose 6 h to 30 d');
  expect((await say('/alerts tide premium')).text.split('\n')[0]).not.toContain('−10%');
  expect((await say('/alerts tide premium<-10 for 6h')).text).toContain('below −10% for 6 h');
  expect((await open.say('/alerts tide premium<-10 for 10min')).text).toContain('below −10% for 10 min');
});

test('how long a threshold must last is chosen in a menu, and chosen off', async () => {
  const { say, rules } = await watching('tide');
  await say('/alerts tide premium only below -10');
  const menus = async () => fieldLines((await say('/alerts tide premium')).reply);
  expect(await menus()).toContain('/alerts tide premium below -10 for 6 h');
  await say('/alerts tide premium below -10 for 6 h');
  expect(rules()).toEqual([['premium: premium below −10% for 6 h (re-arms above −8%)']]);
  await say((await menus()).find((line) => line.endsWith('below -10')) ?? '');
  expect(rules()).toEqual([['premium: premium below −10% (re-arms above −8%)']]);
});

test('a rule for one proposal is set as it is documented, and by its own buttons', async () => {
  const { say, rules, off, deadButtons } = await watching('tide');
  const key = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
  const { reply } = await say(`/alerts tide proposals margin<2 on ${key}`);
  expect(await deadButtons(reply)).toEqual([]);
  expect(String(rules())).toContain('margin below 2 pts');
  const only = reply.actions.find(({ label }) => label === 'Only this')?.line ?? '';
  expect(only).toContain(` on ${key}`);
  expect((await say(only)).text).toContain('margin below 2 pts');
  expect(rules()).toEqual([[expect.stringMatching(/^proposals: stages none; margin below 2 pts[^;]*$/u)]]);
  for (const rule of ['flip', 'only margin<2', 'only flip once', 'volume>50k'])
    expect((await say(`/alerts tide proposals ${rule} on ${key}`)).text, rule).toMatch(/^(?:Alert set|Already set)/u);
  expect((await say(`/alerts margin<3 on ${key}`)).text).toMatch(/^Alert set/u);
  await say('/alerts tide proposals off');
  await say('/alerts tide proposals on');
  expect(off()).toEqual([[]]);
});
