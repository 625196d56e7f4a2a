import { expect, test } from 'vitest';
import { createDirectory } from '../../src/analytics/directory.js';
import type { HandClock } from '../support/clock.js';
import { answerPage, answerWith, caught, connect, reply, serve, type Asked } from '../support/service.js';

const ALL = Array.from({ length: 30 }, (_, index) => ({ organizationSlug: `project-${index}`, organizationName: `Number ${index}` }));
const KELP = { organizationSlug: 'kelp', organizationName: 'Kelp Forest', tokenSymbol: 'KLP' };
const LAUNCH = { launchAddr: 'l1', title: 'Kelp', organizationSlug: 'kelp', tokenSymbol: 'KLP', state: 'Live' };
const last = ({ path }: Asked): string => path.split('/').at(-1) ?? '';

/** A service that answers a cold directory at these paths at once, and everything else only when the test lets it. */
async function cold(at: Readonly<Record<string, (asked: Asked) => void>>) {
  const held: Asked[] = [];
  let isHeld = true;
  const refuse = (asked: Asked): void => reply(asked, '', { status: 403 });
  const service = await serve((asked) => {
    const answer = at[last(asked)];
    if (answer !== undefined) answer(asked);
    else if (isHeld) held.push(asked);
    else refuse(asked);
  });
  const connected = await connect(service.url);
  const { analytics, store, clock } = connected;
  const directory = createDirectory({ analytics, store, clock });
  return {
    ...{ directory, service, clock },
    asked: () => service.asked.map((one) => last(one)),
    release() {
      isHeld = false;
      for (const asked of held) refuse(asked);
    },
  };
}

test.each(['kelp', 'KLP', 'Kelp Forest'])('a name on the first page of all projects costs one call: %s', async (name) => {
  const { directory, asked, release } = await cold({ projects: (one) => answerPage(one, [...ALL.slice(0, 5), KELP]) });
  expect(await directory.find(name)).toMatchObject({ slug: 'kelp' });
  expect(asked()[0]).toBe('projects');
  release();
});

test('a name beyond the first page is searched for, which is the second call', async () => {
  const { directory, asked, release } = await cold({
    projects: (one) => answerPage(one, [...ALL, KELP], { most: 10 }),
    search: (one) => answerWith(one, { projects: [KELP], proposals: [] }),
  });
  expect(await directory.find('klp')).toMatchObject({ slug: 'kelp', name: 'Kelp Forest' });
  expect(asked().slice(0, 2)).toEqual(['projects', 'search']);
  release();
});

test('where the plan has no list of all projects, the launches of late are the second call', async () => {
  const { directory, asked, release } = await cold({
    projects: (one) => reply(one, '', { status: 403 }),
    'recent-launches': (one) => answerPage(one, [LAUNCH]),
  });
  expect(await directory.find('KLP')).toMatchObject({ slug: 'kelp' });
  expect(asked().slice(0, 2)).toEqual(['projects', 'recent-launches']);
  release();
});

test('an unknown name is refused after two calls while the lists are still read, and is never guessed', async () => {
  const { directory, clock, service, release } = await cold({
    projects: (one) => answerPage(one, ALL.slice(0, 5)),
    'recent-launches': (one) => answerPage(one, []),
  });
  await expect(directory.find('kelp')).rejects.toMatchObject({ text: 'kelp', nearest: [], loading: true });
  // More unknown names cost nothing more for now: only what is read in the background.
  await service.arrived(5);
  const before = service.asked.length;
  await expect(directory.find('coral')).rejects.toMatchObject({ loading: true });
  expect(service.asked).toHaveLength(before);
  expect(clock.sleepers()).toBeGreaterThan(0);
  release();
  await directory.refresh();
  await expect(directory.find('kelp')).rejects.toMatchObject({ loading: false });
});

test('a list that shows the same page again and again keeps nobody waiting', async () => {
  const page = Array.from({ length: 10 }, (_, index) => ({ launchAddr: `done-${index}`, title: `Done ${index}`, state: 'Complete' }));
  const { directory, asked, release } = await cold({
    projects: (one) => reply(one, '', { status: 403 }),
    'recent-launches': (one) => answerPage(one, [LAUNCH]),
    info: (one) => answerWith(one, page, { totalItems: 2_000, totalPages: 200 }),
  });
  expect(await directory.find('kelp')).toMatchObject({ slug: 'kelp' });
  expect(asked().filter((path) => path === 'projects' || path === 'recent-launches').length).toBeLessThanOrEqual(4);
  release();
  await directory.refresh();
  expect(asked().filter((path) => path === 'info').length).toBeLessThanOrEqual(3);
});

test('a page of a proxy in place of the lists does not hide them longer than it stands', async () => {
  let isUp = false;
  const service = await serve((asked) =>
    isUp ? answerPage(asked, last(asked) === 'projects' ? [KELP] : []) : reply(asked, '<html>Back soon</html>'),
  );
  const { analytics, store, clock } = await connect(service.url);
  const directory = createDirectory({ analytics, store, clock });
  await expect(directory.find('kelp')).rejects.toMatchObject({ trouble: 'malformed' });
  isUp = true;
  await clock.advance(31_000);
  expect(await directory.find('kelp')).toMatchObject({ slug: 'kelp' });
});

test('lists that could not be read are read by the next survey', async () => {
  let isUp = false;
  const service = await serve((asked) => (isUp ? answerPage(asked, [KELP]) : reply(asked, '<html>Back soon</html>')));
  const { analytics, store, clock } = await connect(service.url);
  const directory = createDirectory({ analytics, store, clock });
  await expect(directory.refresh()).rejects.toMatchObject({ trouble: 'malformed' });
  isUp = true;
  await clock.advance(11 * 60_000);
  await directory.refresh();
  expect(await directory.named('kelp')).toMatchObject([{ slug: 'kelp' }]);
});

/** Ends both waits of a call that fails three times; its deadline sleeps beside them. */
async function retried(clock: HandClock): Promise<void> {
  for (const wait of [500, 1_000]) {
    await clock.asleep(2);
    await clock.advance(wait);
  }
}

test('a cold start while the service is down leaves the calls of the next question unused', async () => {
  let isUp = false;
  const service = await serve((asked) =>
    isUp ? answerPage(asked, last(asked) === 'projects' ? [KELP] : []) : reply(asked, '', { status: 503 }),
  );
  const { analytics, store, clock } = await connect(service.url);
  const directory = createDirectory({ analytics, store, clock });
  const refused = caught(directory.find('kelp'));
  await retried(clock);
  expect(await refused).toMatchObject({ trouble: 'unreachable' });
  const [before, began] = [service.asked.length, clock.now()];
  await expect(directory.find('kelp')).rejects.toMatchObject({ trouble: 'unreachable' });
  expect(service.asked.length - before).toBe(2);
  isUp = true;
  expect(await directory.find('kelp')).toMatchObject({ slug: 'kelp' });
  expect(clock.now()).toBe(began);
});

test('where only the list of all projects fails, the launches of late are the second call', async () => {
  const { directory, asked, clock, release } = await cold({
    projects: (one) => reply(one, '', { status: 503 }),
    'recent-launches': (one) => answerPage(one, [LAUNCH]),
  });
  const found = directory.find('KLP');
  await retried(clock);
  expect(await found).toMatchObject({ slug: 'kelp' });
  expect(asked().slice(0, 4)).toEqual(['projects', 'projects', 'projects', 'recent-launches']);
  release();
});
