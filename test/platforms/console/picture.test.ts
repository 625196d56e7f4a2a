import { expect, test } from 'vitest';
import type { Theme, Pictures } from '../../../src/chat/chart.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { openHarness } from './harness.js';

const CHART = { kind: 'shares' as const, title: 'USDC', unit: 'usd' as const, parts: [{ name: 'USDC', value: 1 }] };
const shown = (): Reply => reply({ finding: [{ strong: '85% is <USDC>' }], chart: CHART });

/** Draws the title and the look; fails when alerted to. */
function studio() {
  const drawn: Theme[] = [];
  const state = { fails: false };
  const pictures: Pictures = {
    svg: async ({ title }, look) => {
      drawn.push(look);
      if (state.fails) throw new Error('charts: out of paint');
      return `<svg xmlns="http://www.w3.org/2000/svg"><title>${title} ${look}</title></svg>`;
    },
    png: async () => new Uint8Array(),
  };
  return { pictures, drawn, state };
}

test('the picture of a reply is served in the look that is asked for, under a policy that lets it do nothing', async () => {
  const { pictures } = studio();
  await using harness = await openHarness({ pictures, answer: async () => shown() });
  await harness.say('/treasury tide');
  const { status, headers, body } = await harness.raw({ path: '/api/chats/main/messages/2/picture?theme=dark' });
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toContain('immutable');
  expect(body).toContain('USDC dark');
  expect((await harness.raw({ path: '/api/chats/main/messages/2/picture?theme=<script>' })).body).toContain('USDC light');
});

test('the card keeps room for the picture and says in words what it is of', async () => {
  const { pictures, drawn } = studio();
  await using harness = await openHarness({ pictures, answer: async () => shown() });
  await harness.say('/treasury tide');
  const { body } = await harness.get('/api/chats/main/messages?form=page');
  expect(body.messages?.[1]).toMatchObject({
    html: expect.stringMatching(
      /<picture data-picture="[\w-]{22}"\s*>\s*<img\s+alt="Picture: 85% is &lt;USDC&gt;"\s+width="800"\s+height="450"/u,
    ),
  });
  expect(body.messages?.[0]).not.toMatchObject({ html: expect.stringContaining('<picture') });
  expect(drawn).toEqual([]);
});

test('who cannot see the card of a digest gets its values in words, whatever they contain', async () => {
  const { pictures } = studio();
  const rows = [{ name: 'TIDE', low: -30.5, high: 12, value: -17.2 }];
  const chart = { kind: 'ranges' as const, title: 'Card', alternative: 'TIDE −17.2%; <b>Hire</b>: live', unit: 'percent' as const, rows };
  await using harness = await openHarness({ pictures, answer: async () => reply({ finding: ['Digest: nothing new'], chart }) });
  await harness.say('/digest now');
  const { body } = await harness.get('/api/chats/main/messages?form=page');
  expect(body.messages?.[1]).toMatchObject({
    html: expect.stringMatching(/alt="Picture: TIDE −17\.2%; &lt;b&gt;Hire&lt;\/b&gt;: live"\s+width="800"\s+height="176"/u),
  });
});

test.each([
  ['a message that is not there', '9'],
  ['a message without a picture', '1'],
  ['what is no message', 'x'],
])('%s is a 404 with a sentence', async (_what, id) => {
  const { pictures } = studio();
  await using harness = await openHarness({ pictures, answer: async () => shown() });
  await harness.say('/treasury tide');
  expect(await harness.get(`/api/chats/main/messages/${id}/picture`)).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('same figures') },
  });
});

test('a picture that fails costs itself: the reply is whole, and nothing of the failure is shown', async () => {
  const { pictures, state } = studio();
  state.fails = true;
  await using harness = await openHarness({ pictures, answer: async () => shown() });
  expect((await harness.say('/treasury tide')).body.replies?.[0]?.text).toBe('85% is <USDC>');
  const { status, body } = await harness.get('/api/chats/main/messages/2/picture');
  expect(status).toBe(404);
  expect(JSON.stringify(body)).not.toContain('paint');
});

test('without anybody who draws there is no picture', async () => {
  await using harness = await openHarness({ answer: async () => shown() });
  await harness.say('/treasury tide');
  expect((await harness.get('/api/chats/main/messages/2/picture')).status).toBe(404);
});

test('a stranger is let see no picture', async () => {
  const { pictures, drawn } = studio();
  await using harness = await openHarness({ pictures, answer: async () => shown(), token: 'a-token-of-the-test' });
  expect((await harness.raw({ path: '/api/chats/main/messages/1/picture' })).status).toBe(401);
  expect((await harness.raw({ path: '/api/chats/main/messages/1/picture', headers: { host: 'evil.example' } })).status).toBe(403);
  expect(drawn).toEqual([]);
});
