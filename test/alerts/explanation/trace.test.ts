import { expect, test } from 'vitest';
import { createWhy } from '../../../src/alerts/explanation/explain.js';
import { DAY, HOUR, later } from '../../../src/base/clock.js';
import type { FlipDelay } from '../../../src/chat/status-strip.js';
import { lineText } from '../../../src/chat/plain-text.js';
import { slug } from '../../../src/domain/scalars.js';
import { burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';

type Harness = Awaited<ReturnType<typeof openAlertsHarness>>;

async function watching(): Promise<Harness> {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  return harness;
}

/** Makes a check of the supply known: one row of it could not be read, or several checks since failed. */
const looked = async ({ checkRecords, clock }: Harness, how: 'broken' | 'failing'): Promise<void> =>
  checkRecords.record(
    {
      ...{ feed: 'supply', subject: 'tide', triedAt: clock.now(), hidden: 0 },
      ...(how === 'broken'
        ? { okAt: clock.now(), failures: 0, broken: 1, complete: false }
        : { okAt: later(clock.now(), -HOUR), failures: 2, problem: 'timeout', broken: 0, complete: true }),
    },
    [],
  );

async function stepsIn(harness: Harness): Promise<readonly string[]> {
  const { steps } = await createWhy({ ...harness, now: () => harness.clock.now() }).ofSilence(CHAT, { project: slug('tide') }, 'supply');
  return steps.map(({ name, ok, says }) => `${ok ? '✓' : '✗'} ${name}: ${lineText(says, harness.clock.now())}`);
}
const names = (steps: readonly string[]) => steps.map((step) => step.split(':')[0]);

test('nothing is said of what lies behind the first no', async () => {
  const harness = await watching();
  await looked(harness, 'broken');
  expect(names(await stepsIn(harness))).toEqual(['✓ watched', '✓ checked', '✗ readable']);
  await looked(harness, 'failing');
  expect(names(await stepsIn(harness))).toEqual(['✓ watched', '✗ checked']);
});

test('an event that was read and is suppressed is the answer, whatever else could not be read or checked', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
  await looked(harness, 'broken');
  const steps = await stepsIn(harness);
  expect(steps).toContain("✓ readable: the latest event was (tide supply: 1 row couldn't be read. Alerts follow as soon as possible)");
  expect(names(steps).at(-1)).toBe('✗ muted');
  await looked(harness, 'failing');
  const since = await stepsIn(harness);
  expect(since.join('\n')).toMatch(/✓ checked: the event was detected, but the last 2 checks failed: the service took too long/u);
  expect(names(since).at(-1)).toBe('✗ muted');
});

test('a check that runs late is the answer, with since when it is due', async () => {
  const harness = await watching();
  const since = later(harness.clock.now(), -HOUR);
  const walk = async (neverRan: boolean) => {
    const why = createWhy({
      ...harness,
      now: () => harness.clock.now(),
      overdue: (feed) => (feed === 'supply' ? { since, neverRan } : undefined),
    });
    const { steps } = await why.ofSilence(CHAT, { project: slug('tide') }, 'supply');
    return steps.map(({ name, ok, says }) => `${ok ? '✓' : '✗'} ${name}: ${lineText(says, harness.clock.now())}`).at(-1);
  };
  expect(await walk(true)).toMatch(/^✗ checked: not checked yet: checks are running late, and this one has been waiting since 11:00 UTC/u);
  await looked(harness, 'broken');
  expect(await walk(false)).toMatch(/^✗ checked: checks are running late: this one was due 11:00 UTC, last checked /u);
});

type Observed = NonNullable<Parameters<typeof createWhy>[0]['observed']>;
const checkedIn = async (harness: Harness, observed: ReturnType<Observed>): Promise<string | undefined> => {
  const why = createWhy({ ...harness, now: () => harness.clock.now(), observed: (feed) => (feed === 'supply' ? observed : undefined) });
  const { steps } = await why.ofSilence(CHAT, { project: slug('tide') }, 'supply');
  const step = steps.find(({ name }) => name === 'checked');
  return step && `${step.ok ? '✓' : '✗'} ${lineText(step.says, harness.clock.now())}`;
};

test('a check that a list of the service shows names when the list and when its own data were read', async () => {
  const harness = await watching();
  await looked(harness, 'broken');
  await harness.clock.advance(5 * HOUR);
  const list = { name: 'projects', at: later(harness.clock.now(), -HOUR), state: 'shown' } as const;
  expect(await checkedIn(harness, { every: 144 * HOUR, list })).toBe(
    '✓ seen in the list of projects 16:00 UTC, confirmed by its own data 12:00 UTC',
  );
});

test('a check that its list leaves out, was wrong about or cannot show is made by itself, and says how often', async () => {
  const harness = await watching();
  await looked(harness, 'broken');
  const list = { name: 'markets', at: harness.clock.now() } as const;
  const why = async (state: 'omitted' | 'wrong' | 'failing' | 'unread') =>
    checkedIn(harness, { every: 6 * HOUR, list: { ...list, state } });
  expect(await why('omitted')).toContain('; the list of live markets does not show it, so it is checked by itself every 6 h');
  expect(await why('wrong')).toContain('; the list of live markets was wrong about it, so it is checked by itself every 6 h');
  expect(await why('failing')).toContain("; the list of live markets can't be read, so it is checked by itself every 6 h");
  expect(await why('unread')).toBe('✓ last checked 12:00 UTC');
  expect(await checkedIn(harness, { every: 6 * HOUR })).toBe('✓ last checked 12:00 UTC');
});

test('a first check that the plan makes later says when, and that the list is read meanwhile', async () => {
  const harness = await watching();
  expect(await checkedIn(harness, { every: 144 * HOUR })).toBe('✗ not checked yet; the first check is made within 6 d');
  const list = { name: 'projects', at: harness.clock.now(), state: 'shown' } as const;
  expect(await checkedIn(harness, { every: 144 * HOUR, list })).toBe(
    '✗ only seen in the list of projects 12:00 UTC; the first check is made within 6 d',
  );
  expect(await checkedIn(harness, { every: Infinity })).toBe('✗ not checked yet');
});

test('the check of a kind with a rule on flips says how late a flip can be seen on a plan with a monthly limit', async () => {
  const harness = await watching();
  await harness.checkRecords.record(
    {
      feed: 'proposals',
      subject: 'tide',
      triedAt: harness.clock.now(),
      okAt: harness.clock.now(),
      failures: 0,
      hidden: 0,
      broken: 0,
      complete: true,
    },
    [],
  );
  const checked = async (flips?: FlipDelay) => {
    const observed = () => ({ every: DAY, flips });
    const { steps } = await createWhy({ ...harness, observed, now: () => harness.clock.now() }).ofSilence(
      CHAT,
      { project: slug('tide') },
      'proposals',
    );
    const step = steps.find(({ name }) => name === 'checked');
    return lineText(step?.says ?? [], harness.clock.now());
  };
  expect(await checked({ within: DAY, by: 'checks' })).toMatch(/^last checked .*; a flip is seen within about [^,]+, by direct checks$/u);
  expect(await checked()).not.toContain('flip');
});
