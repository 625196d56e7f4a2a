import { expect, test } from 'vitest';
import { match } from '../../../src/alerts/watchlist/match.js';
import { slug } from '../../../src/domain/scalars.js';
import { CHAT } from '../../support/app-harness.js';
import { watching } from '../../support/watching.js';

test('after "Only this" under a market rule no stage of proposals alerts, and the page says so', async () => {
  const { say, watchlists, deadButtons } = await watching('tide');
  const alerted = () => {
    const stages = ['created', 'live', 'twap', 'ending', 'passed', 'failed', 'removed'];
    const chat = watchlists.read(CHAT);
    return stages.filter((stage) => match({ feed: 'proposals', project: slug('tide'), stage, facts: {} }, chat).matched);
  };
  for (const preset of ['everything', 'important']) {
    await say(`/alerts tide ${preset}`);
    expect(alerted()).not.toEqual([]);
    const only = (await say('/alerts tide proposals margin<2')).reply.actions.find(({ label }) => label === 'Only this');
    const { text } = await say(only?.line ?? '');
    expect(text).toContain('Nothing else of proposals alerts.');
    // What is alone already has no button that leaves it alone.
    expect((await say('/alerts tide proposals margin<2')).reply.actions.map(({ label }) => label)).not.toContain('Only this');
    expect(alerted()).toEqual([]);
  }
  const { reply } = await say('/alerts tide proposals');
  const menu = reply.fields.find(({ label }) => label === 'Which stages');
  expect(menu?.kind === 'menu' && menu.options.filter(({ on }) => on).map(({ label }) => label)).toEqual(['No stage, only rules']);
  expect(await deadButtons(reply)).toEqual([]);
  await say('/alerts tide proposals stages:live');
  expect(alerted()).toEqual(['live']);
  await say('/alerts tide digest');
  await say('/alerts tide proposals only flip');
  // In the digest its events stay.
  expect((await say('/alerts tide proposals')).text).toContain('its events in the digest only');
});

test('where every stage alerts beside rules, the page says so', async () => {
  const { say } = await watching('tide');
  expect((await say('/alerts tide')).text).toContain('every stage; margin flips');
  await say('/alerts tide proposals remind 1d');
  expect((await say('/alerts tide proposals')).text).toContain('every stage; remind 1d; margin flips');
  await say('/alerts tide important');
  expect((await say('/alerts tide')).text).toContain('stages live, ending, resolved; margin flips');
});
