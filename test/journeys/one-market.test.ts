/** One proposal in the alerts of a chat: muted from its message, without the others of its project. */
import { expect, test } from 'vitest';
import { openBot } from './bot.js';

const audit = { kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 60, liveSeconds: 36_000 } as const;

test('a proposal that is muted from its message is silent until it is unmuted, and the others of its project come', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim(audit);
  await harness.pass(70);
  await harness.pass(70);
  const before = await harness.alerts();
  expect(before.join('\n')).toContain('Fund the second audit');
  const line = /\/mute tide on [1-9A-HJ-NP-Za-km-z]{32,44}/u.exec(before.join('\n'))?.[0] ?? 'no button';
  await harness.say(`${line} 2h`);
  await harness.sim({ ...audit, title: 'Hire a steward', draftSeconds: 60 });
  await harness.pass(70);
  await harness.pass(70);
  const after = (await harness.alerts()).slice(before.length).join('\n');
  expect(after).toContain('Hire a steward');
  expect(after).not.toContain('Fund the second audit');
});

test('one proposal is followed without its project, is marked in the watchlist, and ends with its result', async () => {
  const harness = await openBot();
  await harness.sim({ ...audit, title: 'Repaint the lighthouse', liveSeconds: 7_200 });
  await harness.sim({ ...audit, title: 'Hire a steward', liveSeconds: 7_200 });
  const text = await harness.say('/watch proposal tide lighthouse');
  expect(text).toContain('Watching the proposal "Repaint the lighthouse"');
  await harness.pass(70);
  await harness.pass(70);
  await harness.sim({ kind: 'mint', project: 'tide', amount: '500000' });
  await harness.pass(7_300, 60);
  await harness.pass(70);
  const alerts = (await harness.alerts()).join('\n');
  expect(alerts).toContain('Repaint the lighthouse');
  expect(alerts).toMatch(/(?:Passed|Failed|passed|failed)[^\n]*Repaint the lighthouse|Repaint the lighthouse[^\n]*(?:passed|failed)/u);
  expect(alerts).not.toMatch(/steward|minted/u);
  expect(await harness.say('/watchlist')).toContain('over since');
});

test('/why of a proposal that is followed alone goes through its own steps, by its key and by its project', async () => {
  const harness = await openBot();
  await harness.sim({ ...audit, title: 'Repaint the lighthouse' });
  await harness.sim({ ...audit, title: 'Hire a steward' });
  await harness.say('/watch proposal tide lighthouse');
  await harness.pass(70);
  await harness.pass(70);
  const [, key = 'no button'] = /\/mute tide on ([1-9A-HJ-NP-Za-km-z]{32,44})/u.exec((await harness.alerts()).join('\n')) ?? [];
  const lines = [`/why ${key}`, `/why ${key} proposals`, '/why tide proposals', '/why proposals'];
  for (const line of lines) {
    const why = await harness.say(line);
    expect(why, line).toContain('watched: followed alone ("Repaint the lighthouse"), since');
    expect(why, line).toContain('✓ checked: ');
    expect(why, line).toMatch(/latest: .*Repaint the lighthouse/u);
    expect(why, line).not.toMatch(/steward|does not watch/u);
  }
  await harness.say('/watch all');
  for (const line of lines.slice(0, 2)) expect(await harness.say(line), line).toContain('watched: followed alone');
  await harness.say(`/mute tide on ${key} 1d`);
  await harness.say(`/unwatch all`);
  expect(await harness.say('/why tide supply')).toContain('this chat does not watch it');
});

test('/why of a project of which nothing happened goes by the proposal that is followed, not by the entry for all projects', async () => {
  const harness = await openBot();
  await harness.sim({ ...audit, title: 'Repaint the lighthouse' });
  await harness.say('/watch proposal tide lighthouse');
  await harness.say('/watch all');
  expect(await harness.say('/why tide proposals')).toContain('watched: followed alone ("Repaint the lighthouse"), since');
});
