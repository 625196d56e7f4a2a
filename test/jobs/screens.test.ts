/** Saved screens: who is alerted of what enters and leaves them, once, also over a crash. */
import { expect, test } from 'vitest';
import { Screens, supposedScreen } from '../../src/jobs/screens.js';
import { recover } from '../../src/jobs/unrouted.js';
import { withEntry, withoutEntry } from '../../src/alerts/watchlist/watchlists.js';
import { MINUTE } from '../../src/base/clock.js';
import { decimal, slug } from '../../src/domain/scalars.js';
import { ALL, CHAT, TIDE, entry } from '../alerts/harness.js';
import { openStore } from '../../src/store/open.js';
import { failing } from './failing-store.js';
import { directoryOf } from './fake-service.js';
import { openJobsHarness, SOURCE, type JobsHarnessOptions } from './harness.js';

const FILTER = 'premium<-20';
const SCREEN = { kind: 'screen', filter: FILTER } as const;

async function openScreens(options: JobsHarnessOptions = {}) {
  const harness = await openJobsHarness(options);
  const { clock, checkRecords, watchlists } = harness;
  const context = { ...harness.poll, source: SOURCE, directory: directoryOf('tide', 'heron') };
  const screens = new Screens(context);
  return {
    ...harness,
    screens,
    context,
    watch: async (target: Parameters<typeof entry>[0] = SCREEN, chat = CHAT) =>
      watchlists.change(chat, (before) => withEntry(before, entry(target, clock.now()))),
    unwatch: async () => watchlists.change(CHAT, (before) => withoutEntry(before, SCREEN)),
    /** A check reads the premium, and a tick follows. */
    async read(premium: string, subject = 'tide'): Promise<readonly string[]> {
      await clock.advance(MINUTE);
      const now = clock.now();
      const seen = { feed: 'premium', subject, triedAt: now, okAt: now, failures: 0, hidden: 0, broken: 0, complete: true };
      const measurements = [{ series: `premium/${subject}`, at: now, foundAt: now, values: { premium: decimal(premium) } }];
      await checkRecords.record({ ...seen, measurements });
      screens.tick();
      await screens.idle();
      return harness.waiting().map((id) => id.replace(/^screens\/[^/]+\//u, '').replace(/\/\d+$/u, ''));
    },
  };
}

test('a chat is alerted of what enters and leaves its screen after it was set, and of nothing else', async () => {
  const { read, watch, screens } = await openScreens();
  await read('-25', 'heron');
  await watch();
  expect(await screens.standing(FILTER)).toMatchObject({ members: ['heron'] });
  expect(await read('-10')).toEqual([]);
  expect(await read('-21')).toEqual(['tide/entered']);
  expect(await read('-19')).toEqual(['tide/entered']);
  expect(await read('-17', 'heron')).toEqual(['tide/entered', 'heron/left']);
});

test('who watches the projects but not the screen gets nothing of it', async () => {
  const { read, watch } = await openScreens();
  await watch(TIDE);
  await watch(ALL);
  await read('-10');
  expect(await read('-21')).toEqual([]);
});

test('a screen that is set again begins with who is in it then', async () => {
  const { read, watch, unwatch } = await openScreens();
  await watch();
  await read('-10');
  await unwatch();
  await read('-30');
  await watch();
  expect(await read('-31')).toEqual([]);
});

test.each([0, 1, 2, 3, 4, 5, 6])('what a crash after %i writes left is alerted once at the next start', async (after) => {
  const base = await openStore('memory://');
  const store = failing(base);
  const { read, watch, clock, seen } = await openScreens({ store });
  await watch();
  await read('-10');
  store.fails(1_000, { after });
  await read('-21').catch(() => undefined);
  const again = await openScreens({ store: base, clock, seen });
  await recover(again.context);
  expect(await again.read('-22')).toEqual(['tide/entered']);
});

test('a check that a crash loses does not say that who entered has left and entered again', async () => {
  const store = await openStore('memory://');
  const { read, watch, clock, seen, checkRecords } = await openScreens({ store });
  await watch();
  await read('-10');
  await checkRecords.flush();
  expect(await read('-21')).toEqual(['tide/entered']);
  const again = await openScreens({ store, clock, seen });
  await recover(again.context);
  again.screens.tick();
  await again.screens.idle();
  expect(await again.read('-22')).toEqual(['tide/entered']);
});

test('a list calls for a check where it shows that a project enters, and not where it stays', async () => {
  const { read, watch, context } = await openScreens();
  await watch();
  await read('-10');
  const shown = async (premium: string) =>
    supposedScreen({ filters: [FILTER], feed: { id: 'premium' }, slug: slug('tide'), shown: { premium: decimal(premium) } }, context);
  expect([await shown('-21'), await shown('-15')]).toEqual([FILTER, undefined]);
});
