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
