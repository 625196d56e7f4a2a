import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnalyticsError, type Trouble } from '../../src/analytics/errors.js';
import { instant, type Instant } from '../../src/base/clock.js';
import { lineText } from '../../src/chat/plain-text.js';
import { serviceErrorText } from '../../src/dispatch/error-sentences.js';
import { missingReason, staleReason } from '../../src/reply/index.js';
import { StoreError } from '../../src/store/store.js';
import { GUEST, openAppHarness, type AppHarness } from '../support/app-harness.js';

describe('a line that cannot be answered', () => {
  let harness: AppHarness;
  beforeAll(async () => {
    harness = await openAppHarness({ onClose: afterAll });
    await harness.directory.refresh();
  });

  test.each([
    ['', 'Type a command, such as /watch.'],
    ['/frobnicate tide', 'No command "frobnicate".'],
    ['/premium', 'Which project? /premium needs'],
    ['/premium 3M', 'Which project? /premium needs'],
    ['/premium zzzzzzzzzzzz', 'No project called "zzzzzzzzzzzz". Check the spelling'],
    ['/premium tide range:2W', 'Invalid range "2W". Choose 1D, 1W, 1M, 3M or ALL.'],
    ['/premium tide 3M 1D', '"range" is set twice. Leave one out.'],
    [
      '/treasury tide holdngs',
      '/treasury doesn\'t understand "holdngs". Did you mean "holdings"? Choose summary, holdings, allocation, history, nav, runway or native.',
    ],
    ['/treasury tide viwe:nav', '/treasury has no option "viwe". Did you mean "view:"?'],
    ['/treasury', 'Which project? /treasury needs'],
    ['/supply tide page:0', 'Invalid page "0"'],
    ['/supply tide events x y', '/supply doesn\'t understand "x".'],
    ['/growth tide nonsense', '"nonsense". Try daily-traders, fees-usd or volume-usd.'],
    ['/growth tide fees-usd 31', '/growth doesn\'t understand "31". Choose 7, 30 or 90.'],
    ['/proposals outcomes', 'Add a project'],
    ['/status all', '/status doesn\'t understand "all". It has no options.'],
    ['/help premuim', 'No command "premuim". Did you mean premium or remind?'],
    ['/unwatch tide', 'This chat does not watch Tidewater.'],
    ['/alerts', 'Nothing is watched here yet.'],
    ['/mute 5x', '"5x" is not a time'],
    ['/mute 0h', 'A mute must be longer than zero.'],
    ['/mute 91d', 'A mute lasts at most 90 days.'],
  ])('%s is answered to the asker alone: %s', async (line, sentence) => {
    const { reply, text } = await harness.say(line);
    expect(text).toContain(sentence);
    expect(reply).toMatchObject({ audience: 'asker', tone: 'warning' });
    expect(await harness.deadButtons(reply)).toEqual([]);
  });
});

test('a name that is not loaded yet and an unknown name get different errors, with a remedy', async () => {
  const { say } = await openAppHarness();
  const { text } = await say('/premium zzzzzzzzzzzz');
  expect(text).toContain(
    'No project called "zzzzzzzzzzzz" yet. The project list is still loading. Try again in a minute, or use its slug.',
  );
});

test('a wrong option shows how the command is used, with an example', async () => {
  const { say } = await openAppHarness();
  const { text } = await say('/premium tide range:2W');
  expect(text).toContain('Usage: /premium <project> [range]');
  expect(text).toContain('For example: /premium tide');
});

test('a mistyped name is read as the nearest, with the other options', async () => {
  const { say } = await openAppHarness();
  const { text } = await say('/premium tidewtaer 1M');
  expect(text).toMatch(/^TIDE trades[^]+Read as \/premium tide 1M\./u);
});

test('only people who manage a chat change its watchlist; anyone may ask', async () => {
  const { say, watchlists } = await openAppHarness();
  await say('/watch tide');
  const before = watchlists.all();
  for (const line of [
    '/watch heron',
    '/start watch_heron',
    '/unwatch tide',
    '/alerts tide growth off',
    '/mute 24h',
    '/mute off',
    '/settings quiet off',
    '/watchlist import heron',
    '/privacy delete chat yes',
  ]) {
    const { text, reply } = await say(line, GUEST);
    expect([line, text]).toEqual([
      line,
      '⚠ Only people who can manage this chat can change its watchlist. You can have your own in a DM with me.',
    ]);
    expect(reply.audience).toBe('asker');
  }
  expect(watchlists.all()).toEqual(before);
  for (const line of ['/watch', '/watchlist', '/watchlist export', '/mute', '/settings', '/privacy', '/premium tide', '/help'])
    expect((await say(line, GUEST)).reply.tone, line).not.toBe('warning');
});

test('options of a form are read like typed ones', async () => {
  const { ask } = await openAppHarness();
  const typed = await ask({ ask: { line: '/premium tide 1M' } });
  const form = await ask({ ask: { command: 'premium', options: { project: 'TIDE', range: '1m' } } });
  expect(form.text).toBe(typed.text);
});

test('without the service and a stored copy, the asker gets a sentence and the log the cause', async () => {
  const harness = await openAppHarness();
  await harness.directory.all();
  await harness.sim({ kind: 'down' });
  const { text, reply } = await harness.say('/supply tide');
  expect(text).toMatch(/^⚠ The analytics service isn't responding.*\. Try again in a minute\.$/u);
  expect(reply.audience).toBe('asker');
  expect(harness.written).toContainEqual({
    event: 'question.failed',
    fields: expect.objectContaining({ trouble: 'unreachable', row: 'supply.overview' }),
  });
});

test('when the service is down, the last good copy is shown with its age and the reason', async () => {
  const harness = await openAppHarness();
  await harness.say('/supply tide');
  await harness.clock.advance(22 * 60_000);
  await harness.sim({ kind: 'down' });
  const { text, reply } = await harness.say('/supply tide');
  expect(text).toMatch(/^TIDE supply: [\d,.]+\n/u);
  expect(text).toContain("The analytics service isn't responding. Showing data from 12:00 UTC (22 min ago).");
  expect(reply.audience).toBe('everyone');
});

test('an answer that cannot be read is not shown as data', async () => {
  const harness = await openAppHarness();
  await harness.directory.all();
  await harness.sim({ kind: 'shape', shape: 'html' });
  expect((await harness.say('/supply tide events')).text).toContain('data that could not be read');
});

test('a spent budget says until when', async () => {
  const harness = await openAppHarness({ requestsPerMonth: 8 });
  await harness.directory.all();
  const lines = [
    '/supply tide',
    '/supply heron',
    '/supply alder',
    '/supply quarry-lane',
    '/supply glass-pier',
    '/supply spindrift',
    '/supply thistle-down',
    '/supply birch-brine',
  ];
  const texts = [];
  for (const line of lines) texts.push((await harness.say(line)).text);
  expect(texts.at(-1)).toBe(
    "⚠ This month's API budget is used up until Dec 1, 00:00 UTC, and there is no saved data for this. /status has the details.",
  );
});

test('a question nobody waits for any more is stopped without alarm', async () => {
  const harness = await openAppHarness();
  const { text } = await harness.ask({ ask: { line: '/supply tide' }, signal: AbortSignal.abort(new Error('gone')) });
  expect(text).toContain('Stopped, because it took too long.');
  expect(harness.written.filter(({ event }) => event.startsWith('question'))).toEqual([]);
});

test('what nobody foresaw reaches the chat as a sentence with a reference that leads to the log', async () => {
  const harness = await openAppHarness({
    probe: {
      get missing(): never {
        throw new TypeError('secret detail');
      },
    },
  });
  const { text, reply } = await harness.say('/watch tide');
  const reference = /\(log reference (\S+)\)/u.exec(text)?.[1];
  expect(text).not.toContain('secret detail');
  expect(reply.audience).toBe('asker');
  expect(harness.written).toContainEqual({
    event: 'question.broke',
    fields: expect.objectContaining({ reference, error: expect.any(TypeError) }),
  });
});

test('a store that fails says that nothing was changed', async () => {
  const harness = await openAppHarness({
    probe: {
      get missing(): never {
        throw new StoreError('locked', 'store: /secret/place is locked');
      },
    },
  });
  const { text } = await harness.say('/watch tide');
  expect(text).toContain('nothing was changed');
  expect(text).not.toContain('/secret/place');
});

test('every trouble has a sentence with a next step, an excuse and a reason, and none shows what is inside', () => {
  const troubles: readonly Trouble[] = [
    'unreachable',
    'timeout',
    'limited',
    'forbidden',
    'key-refused',
    'unknown',
    'rejected',
    'malformed',
    'budget-spent',
  ];
  const now = instant(Date.UTC(2026, 10, 20, 12));
  for (const trouble of troubles) {
    const error = new AnalyticsError({ trouble, row: 'supply.overview', detail: 'secret detail', until: instant(now + 3_600_000) });
    const said = lineText(serviceErrorText(error), now);
    expect(said).toMatch(/^[A-Z].*\.$/u);
    expect(said).not.toMatch(/secret|supply\.overview/u);
    expect(staleReason(trouble)).toMatch(/\.$/u);
    expect(missingReason(trouble)).not.toMatch(/\.$/u);
  }
  const limited = (until?: Instant, requested = true) =>
    serviceErrorText(new AnalyticsError({ trouble: 'limited', row: 'r', detail: 'd', until, requested }));
  expect(lineText(limited(instant(now + 3_600_000)), now)).toContain('at 13:00 UTC');
  expect(lineText(limited(instant(now + 3_600_000)), now, 'Europe/Berlin')).toContain('at 14:00 CET');
  expect(lineText(limited(instant(now + 60_000), false), now)).toBe('The analytics service is limiting requests. Next try: 12:01 UTC.');
  expect(lineText(limited(), now)).toContain('in a few minutes');
});

describe('later questions of the asker begin', () => {
  test.each(['/alerts tide premium below -10 backtest', '/digest now'])('while %s waits', async (line) => {
    const harness = await openAppHarness();
    await harness.say('/watch tide');
    let turns = 0;
    await harness.ask({ ask: { line }, endTurn: () => void (turns += 1) });
    expect(turns).toBe(1);
  });

  test('after any other question, so that answers come in the order of asking', async () => {
    const harness = await openAppHarness();
    let turns = 0;
    for (const line of ['/premium tide', '/watch tide', '/watchlist import heron', '/alerts', '/unwatch tide'])
      await harness.ask({ ask: { line }, endTurn: () => void (turns += 1) });
    expect(turns).toBe(0);
  });
});
