import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const row = (organizationSlug: string, tokenSymbol: string, tokenPriceUsd: string, navPerShareUsd: string) => ({
  ...{ organizationSlug, organizationName: tokenSymbol.toLowerCase(), tokenSymbol, tokenPriceUsd, navPerShareUsd },
});

test('projects stand side by side, and the cheapest against NAV is named', async () => {
  const app = await openAppHarness();
  const { reply, text } = await app.say('/compare tide, heron and alder');
  expect(text).toMatch(/^TIDE, HERN and ALDR: HERN is cheapest against NAV \(−23\.5%\)/u);
  const [table] = reply.blocks;
  expect(table).toMatchObject({ kind: 'table', columns: [{ title: '' }, { title: 'TIDE' }, { title: 'HERN' }, { title: 'ALDR' }] });
  expect(reply.actions.slice(0, 3)).toMatchObject([{ line: '/premium tide' }, { line: '/premium heron' }, { line: '/premium alder' }]);
});

test('names of several words are names', async () => {
  const app = await openAppHarness();
  expect((await app.say('/compare Heron Flats tide')).text).toMatch(/^HERN and TIDE: HERN is cheaper against NAV/u);
});

test.each([
  ['/compare', 'Name two projects or more.'],
  ['/compare tide', 'Name two projects or more.'],
  ['/compare tide alder heron spindrift glass-pier quarry-lane', 'Compare at most 5 projects.'],
  ['/compare tide zzzzzzzz', 'No project called "zzzzzzzz"'],
])('"%s" is answered with what to do', async (line, sentence) => {
  const app = await openAppHarness();
  await app.directory.refresh();
  const { text, reply } = await app.say(line);
  expect(text).toContain(sentence);
  expect(await app.deadButtons(reply)).toEqual([]);
});

test('a project that the list lacks is said to be, and shows n/a', async () => {
  const { say } = await openAppHarness({ answers: { '/v1/global-dashboard/projects-launch': [row('tide', 'TIDE', '2', '1')] } });
  const { text } = await say('/compare tide heron');
  expect(text).toContain('not in the list of projects');
});
