import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const PATH = '/v1/global-dashboard/search';

test('projects and proposals are separate, each with a button', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [PATH]: {
        projects: [{ organizationName: 'Tidewater', organizationSlug: 'tide', tokenSymbol: 'TIDE' }],
        proposals: [{ id: 7, proposalTitle: 'Raise the tide wall', proposalPublicKey: 'Key7', organizationSlug: 'heron' }],
      },
    },
  });
  const { text, reply } = await say('/search tide wall');
  expect(text.split('\n').slice(0, 3)).toEqual([
    '1 project and 1 proposal for "tide wall"',
    'Tidewater · TIDE · tide',
    'Raise the tide wall · heron',
  ]);
  expect(reply.actions.slice(0, -1).map(({ line }) => line)).toEqual(['/project tide', '/proposal Key7']);
  expect(await deadButtons(reply)).toEqual([]);
});

test('where the service finds nothing, the nearest names we know are offered', async () => {
  const { say } = await openAppHarness({ answers: { [PATH]: { projects: [], proposals: [] } } });
  await say('/treasury tide');
  const { text, reply } = await say('/search tidew');
  expect(text).toMatch(/^Nothing found for "tidew".+\nTidewater · TIDE · tide/u);
  expect(reply.actions[0]).toMatchObject({ label: 'Tidewater', line: '/project tide' });
  expect((await say('/search xqzv')).text).toMatch(/^Nothing found for "xqzv"\nTry fewer letters/u);
});

test('a search without a word is answered with how to ask', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/search')).text).toMatch(/\/search <text>|needs|what to look for/u);
});

test('the simulated service is searched, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of ['/search ti', '/search TIDE', '/search second audit', '/search "<b>"', '/search qqq']) {
    const { reply, text } = await say(line);
    expect([line, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, [], null]);
  }
});

test('near names are offered only without results, and a full list shows no total', async () => {
  const proposals = Array.from({ length: 20 }, (_, id) => ({ id, proposalTitle: `Tidew ${id}`, proposalPublicKey: `Key${id}` }));
  const { say } = await openAppHarness({ answers: { [PATH]: { projects: [], proposals } } });
  await say('/treasury tide');
  const { text } = await say('/search tidew');
  expect(text).toContain('No projects and the first 20 proposals for "tidew"\nTidew 0');
  expect(text).not.toContain('Tidewater');
});
