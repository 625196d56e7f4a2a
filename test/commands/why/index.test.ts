/** Asked through the whole bot, because why-not is computed from what checks, routing and delivery left behind. */
import { expect, test } from 'vitest';
import { deliveryId } from '../../../src/alerts/queue/queued-event.js';
import { oneBot, openBot } from '../../journeys/bot.js';
import { CHAT } from '../../support/app-harness.js';
import { watching } from '../../support/watching.js';

/** A chat of a bot that several tests share: they change nothing in its world. */
const quietChat = oneBot();

async function watchingTide<Harness extends Pick<Awaited<ReturnType<typeof openBot>>, 'say' | 'pass'>>(
  opened: Harness | Promise<Harness>,
): Promise<Harness> {
  const harness = await opened;
  await harness.say('/watch tide');
  await harness.pass(5);
  return harness;
}

/** The line of the first button of that name. */
const button = (text: string, label: string): string =>
  new RegExp(`\\[${label.replace('?', '\\?')}: ([^\\]]+)\\]`, 'u').exec(text)?.[1] ?? '';

test('under an alert, "Why?" names the entry and its rule, old and new value, when it changed, was seen, queued and sent', async () => {
  const harness = await watchingTide(openBot());
  await harness.say('/alerts tide supply usd>1');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '5' });
  await harness.pass(70);
  const [alert = ''] = await harness.alerts();
  const why = await harness.say(button(alert, 'Why?'));
  expect(why).toMatch(/You got this because this chat watches Tidewater → supply, \$1 and up \(set by .*, 12:00 UTC\)/u);
  expect(why).toMatch(/Supply [\d,.]+ → [\d,.]+/u);
  expect(why).toMatch(/Happened .* · detected .* later\) · (live data|cached data, .* old)/u);
  expect(why).toMatch(/queued .*, sent .*, first try/u);
  expect(why).toMatch(/event supply\/tide\/\d+/u);
  expect(await harness.say(button(why, 'Edit the rule'))).toContain('Tidewater, supply: $1 and up');
  expect(await harness.say(button(why, 'History'))).toContain('Tidewater minted 5 TIDE');
});

test('several in one message are explained together, and what became of them is said once', async () => {
  const harness = await watchingTide(openBot());
  for (let amount = 1; amount <= 12; amount += 1) await harness.sim({ kind: 'burn', project: 'tide', amount: String(amount) });
  await harness.pass(70);
  const [alert = ''] = await harness.alerts();
  const why = await harness.say(button(alert, 'Why?'));
  expect(why).toContain('Tidewater → supply');
  expect(why).toContain('… and 2 more');
  expect(why.match(/, first try/gu)).toHaveLength(1);
  expect(why).toContain(', with 11 others');
  expect(button(why, 'Show all \\(12\\)')).toMatch(/^\/history /u);
});

test('several kinds of one entry are one thing that is watched, named as the watchlist names it', async () => {
  const harness = await watchingTide(openBot());
  await harness.say('/watch heron');
  await harness.sim({ kind: 'burn', project: 'tide', amount: '5' });
  await harness.say('/alerts tide proposals updates:off');
  await harness.sim({ kind: 'proposal', project: 'tide', title: 'Fund the audit' });
  // Ledgers and markets are read at moments of their own; a mute lets both wait for one message.
  await harness.say('/mute 10m');
  await harness.pass(130);
  await harness.say('/mute off');
  await harness.pass(10);
  const alert = (await harness.alerts()).find((text) => text.startsWith('Catching up')) ?? '';
  const why = await harness.say(button(alert, 'Why?'));
  expect(why).toMatch(/^You got this because this chat watches Tidewater\n/u);
  expect(why).toContain('Tidewater → supply');
  expect(why).toContain('Tidewater → proposals');
});

test('a sample is explained as one, and has no entry behind it', async () => {
  const harness = await watchingTide(quietChat());
  await harness.say('/alerts test premium');
  await harness.pass(10);
  const [sample = ''] = await harness.alerts();
  const why = await harness.say(button(sample, 'Why?'));
  expect(why).toContain('Sample requested with /alerts test');
  expect(why).toMatch(/below −10% \(re-arms above −8%\): .* → 17\.2% below NAV .*\nRe-arms above −8% \(at most hourly\)/u);
  const sources = await harness.say(button(why, 'Sources'));
  expect(sources).toMatch(/^1\. event sample\/\S+\n/mu);
  expect(sources).toContain(' = (0.828 / 1 − 1) × 100 = −17.2');
  expect(sources).toMatch(/^−6\.0 pts .* = round\(0\.8872 × 100 \/ 0\.976 × \(\(0\.828 \/ 0\.8872 − 1\) × .*, 1\) = −6$/mu);
  // The z-score of the sample equals the part of the treasury, and each has its own formula.
  expect(sources).toMatch(/^−2\.1 pts .* = round\(.*\) = −2\.1$/mu);
  expect(sources).toMatch(/^−2\.1 .* = \(\(0\.828 \/ 1 − 1\) × 100 − \(−5\.02\)\) \/ 5\.8 = −2\.1$/mu);
  expect(sources).toContain('−5.02 mean, of 365 values (1) · 5.8 deviation, of 365 values (1)');
});

test('each alert of a group has its parts and what its z-score compares with, and their sources', async () => {
  const harness = await watching('tide');
  await harness.say('/alerts test all');
  const id = deliveryId(CHAT, harness.queues.read(CHAT).waiting);
  await harness.queues.change(CHAT, ({ waiting, ...queue }) => ({
    ...queue,
    waiting: [],
    receipts: [{ id, members: waiting, end: 'sent', endedAt: harness.clock.now(), attempts: 1 }],
  }));
  const answer = async (line: string): Promise<string> => (await harness.say(line)).text;
  const why = await answer(`/why ${id}`);
  expect(why).toContain('since yesterday: price −6.0 pts, treasury −2.1 pts, supply 0 · z-score −2.1 (1Y)');
  expect(why).toContain('1Y mean 5.0% below NAV, deviation 5.8 pts (365 values)');
  const first = await answer(button(why, 'Sources'));
  const second = await answer(button(first, 'Next page'));
  const sources = `${first}\n${second}`;
  expect(sources).toMatch(/^−6\.0 pts .* = round\(0\.8872 × 100/mu);
  expect(sources).toMatch(/^−2\.1 .* = \(\(0\.828 \/ 1 − 1\) × 100 − \(−5\.02\)\) \/ 5\.8 = −2\.1$/mu);
  expect(sources).toMatch(/−5\.02 mean, of 365 values \(\d\) · 5\.8 deviation, of 365 values \(\d\)/u);
});

test('a chat without entries gets a hint to add one', async () => {
  const harness = quietChat();
  expect(await harness.say('/why')).toContain('[Watch everything: /watch all]');
});

test('for what did not come, the first step that said no is named, with a button that mends it', async () => {
  const harness = quietChat();
  const unwatched = await harness.say('/why tide supply');
  expect(unwatched).toContain('✗ watched: this chat does not watch it');
  await harness.say(button(unwatched, 'Watch'));
  await harness.pass(5);
  expect(await harness.say('/why tide supply')).toContain('✗ changed: nothing has changed');
  await harness.say('/alerts tide supply off');
  const off = await harness.say('/why tide supply');
  expect(off).toContain('✗ watched: supply alerts are off for');
  expect(await harness.say(button(off, 'Turn on'))).toContain('Tidewater, supply: on');
});

test('what is under a filter, and what is muted, say so and lead to where it is changed', async () => {
  const harness = await watchingTide(openBot());
  await harness.say('/alerts tide supply usd>100000');
  await harness.sim({ kind: 'burn', project: 'tide', amount: '5' });
  await harness.pass(70);
  const filtered = await harness.say('/why tide supply');
  expect(filtered).toMatch(/✗ filter: .* is below your \$100K filter/u);
  expect(button(filtered, 'Edit the rule')).toBe('/alerts tide supply');
  await harness.say('/alerts tide supply usual');
  await harness.say('/mute tide supply 2h');
  await harness.sim({ kind: 'burn', project: 'tide', amount: '6' });
  await harness.pass(70);
  const muted = await harness.say('/why tide supply');
  expect(muted).toContain('✗ muted: ');
  expect(await harness.say(button(muted, 'Unmute'))).toContain('Tidewater supply alerts are unmuted');
  await harness.pass(10);
  expect((await harness.alerts()).at(-1)).toContain('Tidewater burned 6 TIDE');
  expect(await harness.say('/why tide supply')).toContain('Tidewater, supply: all alerts were sent');
});

test('without a kind, every kind says where it ended, and leads to its steps', async () => {
  const harness = await watchingTide(quietChat());
  const text = await harness.say('/why tide');
  expect(text).toMatch(/^Tidewater: /u);
  expect(text).toContain('supply ✗ changed: nothing has changed');
  expect(text).toContain('/why tide growth');
});

test('a kind alone means the only entry that has it, and several are offered as choices', async () => {
  const harness = await watchingTide(quietChat());
  expect(await harness.say('/why supply')).toMatch(/^No alert: nothing has changed [^]*\nTidewater, supply\n[^]*✗ changed: /u);
  await harness.say('/watch heron');
  expect(await harness.say('/why supply')).toContain('/why heron supply');
});

test('the entry for all projects says what came through it, kind by kind, and asks for one project', async () => {
  // Of two projects, because the first checks of ten take most of the time.
  const harness = await openBot({ env: { PROJECTS: 'tide,heron' } });
  expect(await harness.say('/why all')).toContain('This chat does not watch all projects');
  await harness.say('/watch all');
  await harness.pass(10);
  expect(await harness.say('/why all supply')).toContain('All projects, supply: no changes');
  await harness.sim({ kind: 'burn', project: 'tide', amount: '5' });
  await harness.pass(70);
  expect(await harness.say('/why all')).toMatch(/^All projects: latest events[^]*\nTidewater burned 5 TIDE .*\n {2}supply · /u);
  const supply = await harness.say('/why all supply');
  expect(supply).toContain('Tidewater burned 5 TIDE');
  expect(supply).toContain(' (its name): /why … supply');
  expect(await harness.say('/why all growth')).not.toContain('burned');
  expect(await harness.say('/why all wallet')).toContain('There are no wallet alerts for all projects');
});

test('launches are an entry and a kind, and either name works', async () => {
  const harness = await openBot();
  expect(await harness.say('/why launches')).toContain('✗ watched: this chat does not watch it');
  await harness.say('/watch launches');
  await harness.pass(5);
  const way = await harness.say('/why launches');
  expect(way).toMatch(/^No alert: .*\nLaunches\n✓ watched: through launches/u);
  expect(await harness.say('/why launches launches')).toBe(way);
  await harness.sim({ kind: 'launch', project: 'tide', title: 'Coral' });
  await harness.pass(70);
  expect(await harness.say('/why launches')).toMatch(/^Launches: .*\nlatest: .*Coral/u);
});

test('an event dated before the entry began causes no alert, with that reason', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '5', at: '2026-11-20T09:00:00Z' });
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([]);
  expect(await harness.say('/why')).toContain('no alert: before the watch began');
});

test('"Why?" under a message whose receipt is gone says that it is no longer kept, and leads to the history', async () => {
  const { say } = quietChat();
  const gone = await say('/why Xk3a9QmTzRw5uNaRwx9Pd_');
  expect(gone).toContain('No such message in this chat');
  expect(button(gone, 'History')).toBe('/history');
  // A word that is no id is still a project.
  expect(await say('/why notanyproject')).not.toContain('message');
});

test('an alert kind that does not exist is answered with those that do', async () => {
  const harness = quietChat();
  expect(await harness.say('/why tide weather')).toContain('supply, proposals, launches, growth');
});

test('the public key of a proposal is explained by its events in this chat, else by the proposals of its project', async () => {
  const harness = await watchingTide(openBot());
  await harness.sim({ kind: 'proposal', project: 'tide', title: 'Fund the audit' });
  await harness.pass(70);
  const [, key = ''] = /\/proposal ([1-9A-HJ-NP-Za-km-z]{26,44})/u.exec((await harness.alerts()).join('\n')) ?? [];
  const known = await harness.say(`/why ${key}`);
  expect(known).toMatch(/^Proposal \S+: its latest events/u);
  expect(known).toMatch(/"Fund the audit".*\n\s+proposals · queued .*sent/u);
  const unwatched = await harness.inChat('other').say(`/why ${key}`);
  expect(unwatched).toMatch(/"Fund the audit".*\n\s+proposals · no alert: /u);
  const [, older = ''] = /\/proposal ([1-9A-HJ-NP-Za-km-z]{26,44})/u.exec(await harness.say('/proposals heron')) ?? [];
  const quiet = await harness.say(`/why ${older}`);
  expect(quiet).toMatch(/^".+": nothing happened since this chat could see it\. No alert: /u);
  expect(quiet).toContain('✗ watched: this chat does not watch it');
  // The key of nothing that the service knows as a proposal is that of a wallet.
  expect(await harness.say('/why 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd')).toContain('Wallet');
});

test('a kind whose latest event was sent is not headed "No alert", although a rule of it was not crossed', async () => {
  const harness = await watchingTide(openBot());
  await harness.sim({ kind: 'proposal', project: 'tide', title: 'Fund the audit', draftSeconds: 1, liveSeconds: 172_800 });
  await harness.pass(200);
  await harness.say('/alerts tide proposals margin>60');
  const one = await harness.say('/why tide proposals');
  expect(one).toMatch(/^Tidewater, proposals: all alerts were sent\n/u);
  expect(one).toMatch(/✓ sent: /u);
  expect(one).toMatch(/✗ changed: .*margin above 60 pts/u);
  expect(await harness.say('/why tide')).toMatch(/proposals ✓ sent/u);
});
