/** Names in filters: a typing error must not silence a kind. */
import { expect, test } from 'vitest';
import { CHAT, openAppHarness } from '../../support/app-harness.js';
import { watching } from '../../support/watching.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

test('a misspelt stage is not stored as a token, and a button sets the stage that was meant', async () => {
  const { say, rules, deadButtons } = await watching('tide');
  for (const typed of ['OUTGONG', 'outgong']) {
    const { text, reply } = await say(`/alerts tide movements only ${typed}`);
    expect(text).toContain('Did you mean outgoing?');
    expect(rules()).toEqual([[]]);
    expect(await deadButtons(reply)).toEqual([]);
    expect(reply.actions[0]?.label).toBe('outgoing');
    const other = await watching('tide');
    await other.say(reply.actions[0]?.line ?? '');
    expect(other.rules()).toEqual([['movements: stages outgoing']]);
  }
  await say('/alerts tide movements tokens:OUTGONG');
  expect(rules()).toEqual([['movements: tokens OUTGONG']]);
});

test('a symbol after "only" is read in any case', async () => {
  const { say, rules } = await watching('tide');
  await say('/alerts tide movements only usdc');
  expect(rules()).toEqual([['movements: tokens USDC']]);
  await say('/alerts tide movements only usdc and sol usd>50k');
  expect(rules()).toEqual([['movements: at least $50K; tokens USDC, SOL']]);
});

test('projects of a filter are stored by their slugs, and an unknown one is refused', async () => {
  const { say, entries, deadButtons } = await watching('tide', 'heron', WALLET);
  const projects = () => entries().at(-1)?.rules?.['wallet']?.filters.projects;
  const { text, reply } = await say(`/alerts ${WALLET} wallet projects:herron`);
  expect(text).toContain('No project is called "herron". Did you mean heron?');
  expect(projects()).toBeUndefined();
  expect(await deadButtons(reply)).toEqual([]);
  await say(`/alerts ${WALLET} wallet projects:Tidewater,"Heron Flats",TIDE`);
  expect(projects()).toEqual(['tide', 'heron']);
  expect((await say(`/alerts ${WALLET} wallet projects:qqqqqqq`)).reply.tone).toBe('warning');
  expect(projects()).toEqual(['tide', 'heron']);
});

test('a token that a project has not moved is stored, and the reply says that none was seen', async () => {
  const { say, watchlists } = await openAppHarness();
  const tokens = () => watchlists.read(CHAT).entries[0]?.rules?.['movements']?.filters.tokens;
  await say('/watch tide');
  expect((await say('/alerts tide movements tokens:BONKERS')).text).not.toContain('seen so far');
  await say('/movements tide');
  const { text } = await say('/alerts tide movements tokens:BONKERS,USDC');
  expect(text).toContain('No movement of BONKERS was seen so far');
  expect(tokens()).toEqual(['BONKERS', 'USDC']);
});
