import { expect, test } from 'vitest';
import type { Person } from '../../../src/chat/inbound.js';
import type { Mention } from '../../../src/chat/reply.js';
import { watching } from '../../support/watching.js';

const ROLE = '111111111111111111';
const ANA = '222222222222222222';
const SECRET = '333333333333333333';

/** Someone on Discord who manages the chat and may mention one role and one person. */
const moderator: Person = {
  id: 'discord/1',
  name: 'Mo',
  manages: async () => true,
  mayMention: async ({ kind, id }: Mention) => (kind === 'role' && id === ROLE) || (kind === 'person' && id === ANA),
};

test('a role and people are mentioned by an entry, once each, and shown as code', async () => {
  const { say, entries, deadButtons } = await watching('tide');
  const { reply, text } = await say(`/alerts tide mention <@&${ROLE}> <@!${ANA}>`, moderator);
  expect(text).toContain(`Tidewater: alerts mention <@&${ROLE}>, <@${ANA}>`);
  expect(reply.finding).toContainEqual({ code: `<@&${ROLE}>` });
  expect(reply.mentions).toEqual([]);
  expect(
    JSON.stringify(reply.blocks.map((block) => (block.kind === 'line' ? block.line.filter((span) => typeof span === 'string') : []))),
  ).not.toContain('<@');
  await say(`/alerts mention ${ROLE}, ${ANA}`, moderator);
  expect(entries()).toMatchObject([
    {
      mentions: [
        { kind: 'role', id: ROLE },
        { kind: 'person', id: ANA },
      ],
    },
  ]);
  expect(await deadButtons(reply)).toEqual([]);
  await say(`/alerts tide mention remove <@&${ROLE}>`);
  expect(entries()).toMatchObject([{ mentions: [{ kind: 'person', id: ANA }] }]);
  expect((await say('/alerts tide mention off')).text).toContain('Tidewater: alerts mention nobody');
  expect(entries()[0]?.mentions).toBeUndefined();
});

test.each([
  ['@everyone', 'never mention everyone'],
  ['@here', 'never mention everyone'],
  [`<@&${SECRET}>`, "You can't mention <@&333333333333333333> in this channel yourself"],
  [`<@&${ROLE}> <@${SECRET}>`, "You can't mention <@333333333333333333>"],
  ['@analysts', "isn't a role or a person"],
])('mention %s is refused with a sentence', async (whom, says) => {
  const { say, entries } = await watching('tide');
  expect((await say(`/alerts tide mention ${whom}`, moderator)).text).toContain(says);
  expect(entries()[0]?.mentions).toBeUndefined();
});

test('where nobody can be mentioned, that is said, and the form is not offered', async () => {
  const { say } = await watching('tide');
  expect((await say(`/alerts tide mention ${ROLE}`)).text).toContain('Only Discord can mention somebody in an alert.');
  expect((await say('/alerts tide')).reply.fields.map(({ label }) => label)).not.toContain('Mention');
  expect((await say('/alerts tide', moderator)).reply.fields.map(({ label }) => label)).toContain('Mention');
});

test('a sixth mention is one too many', async () => {
  const { say, entries } = await watching('tide');
  const anyone: Person = { ...moderator, mayMention: async () => true };
  const ids = ['1', '2', '3', '4', '5', '6'].map((digit) => `<@${digit.repeat(18)}>`);
  expect((await say(`/alerts tide mention ${ids.join(' ')}`, anyone)).text).toContain('An entry mentions at most 5');
  await say(`/alerts tide mention ${ids.slice(0, 5).join(' ')}`, anyone);
  expect(entries()[0]?.mentions).toHaveLength(5);
});
