import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { editOutcomeOf, inWords, outcomeOf, registrationRemedy } from '../../../src/platforms/discord/outcome.js';

const refused = (status: number, code: number, message = 'words of the platform') =>
  new DiscordAPIError({ code, message }, code, status, 'POST', 'https://discord.example/channels/1/messages', {
    files: undefined,
    body: {},
  });
const stumbled = (status: number) =>
  new HTTPError(status, 'Stumbled', 'POST', 'https://discord.example/channels/1/messages', { files: undefined, body: {} });
const broke = (code: string, extra: object = {}) => Object.assign(new Error(`broke with ${code}`), { code }, extra);
const limited = (timeToReset: number, sublimitTimeout = 0) =>
  new RateLimitError({
    timeToReset,
    limit: 5,
    method: 'POST',
    hash: 'h',
    url: '',
    route: '/channels/:id/messages',
    majorParameter: '1',
    global: false,
    retryAfter: timeToReset,
    sublimitTimeout,
    scope: 'user' as const,
  });
const abort = () => Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });

describe('the next move', () => {
  test.each([
    ['10003 unknown channel', refused(404, 10_003), { kind: 'gone' }],
    ['10004 unknown guild', refused(404, 10_004), { kind: 'gone' }],
    ['50007 cannot message this user', refused(403, 50_007), { kind: 'gone' }],
    ['50001 missing access', refused(403, 50_001), { kind: 'not-permitted' }],
    ['50013 missing permissions, as for an embed alone without Embed Links', refused(403, 50_013), { kind: 'not-permitted' }],
    ['50083 archived thread', refused(400, 50_083), { kind: 'not-permitted' }],
    ['160005 locked thread', refused(400, 160_005), { kind: 'not-permitted' }],
    ['50008 no text channel', refused(400, 50_008), { kind: 'not-permitted' }],
    ['200000 blocked by moderation', refused(400, 200_000), { kind: 'not-permitted' }],
    ['20026 restricted application', refused(403, 20_026), { kind: 'not-permitted' }],
    ['another 403', refused(403, 99_999), { kind: 'not-permitted', because: 'words of the platform' }],
    ['20028 channel write limit', refused(403, 20_028), { kind: 'later', because: 'rate-limited' }],
    ['20016 slow mode', refused(400, 20_016), { kind: 'later', because: 'rate-limited' }],
    ['a bare 429', refused(429, 0), { kind: 'later', because: 'rate-limited' }],
    ['429 of 3 s', limited(3_050), { kind: 'later', because: 'rate-limited', afterMs: 3_050 }],
    ['429 of 12 h', limited(43_200_050), { kind: 'later', because: 'rate-limited', afterMs: 43_200_050 }],
    ['429 whose wait is in Retry-After alone', limited(50, 60_000), { kind: 'later', because: 'rate-limited', afterMs: 60_000 }],
    ['130000 overloaded', refused(503, 130_000), { kind: 'later', because: 'server-error' }],
    ['401', refused(401, 0), { kind: 'later', because: 'unreachable' }],
    ['403 of a proxy, without a code', refused(403, Number.NaN), { kind: 'later', because: 'unreachable' }],
    ['404 of an address that is not the platform', refused(404, 0), { kind: 'later', because: 'unreachable' }],
    ['502', stumbled(502), { kind: 'later', because: 'server-error' }],
    ['503', stumbled(503), { kind: 'later', because: 'server-error' }],
    ['521', stumbled(521), { kind: 'later', because: 'server-error' }],
    ['500', stumbled(500), { kind: 'unclear', because: 'server-error' }],
    ['504', stumbled(504), { kind: 'unclear', because: 'server-error' }],
    ['520', stumbled(520), { kind: 'unclear', because: 'server-error' }],
    ['524', stumbled(524), { kind: 'unclear', because: 'server-error' }],
    ['408', refused(408, 1), { kind: 'unclear', because: 'timeout' }],
    ['cut line', broke('ECONNRESET'), { kind: 'unclear', because: 'line-cut' }],
    ['other side closed', broke('UND_ERR_SOCKET'), { kind: 'unclear', because: 'line-cut' }],
    ['half an answer', new SyntaxError('Unexpected end of JSON input'), { kind: 'unclear', because: 'line-cut' }],
    ['our own deadline', abort(), { kind: 'unclear', because: 'timeout' }],
    ['no headers in time', broke('UND_ERR_HEADERS_TIMEOUT'), { kind: 'unclear', because: 'timeout' }],
    ['timed out on a line that stood', broke('ETIMEDOUT', { syscall: 'read' }), { kind: 'unclear', because: 'timeout' }],
    ['timed out while connecting', broke('ETIMEDOUT', { syscall: 'connect' }), { kind: 'later', because: 'unreachable' }],
    ['nobody listens', broke('ECONNREFUSED'), { kind: 'later', because: 'unreachable' }],
    ['no such name', broke('ENOTFOUND'), { kind: 'later', because: 'unreachable' }],
    ['no connection in time', broke('UND_ERR_CONNECT_TIMEOUT'), { kind: 'later', because: 'unreachable' }],
    ['a certificate that is not theirs', broke('CERT_HAS_EXPIRED'), { kind: 'later', because: 'unreachable' }],
    ['50035 invalid form', refused(400, 50_035), { kind: 'refused', detail: 'words of the platform' }],
    ['50006 empty message', refused(400, 50_006), { kind: 'refused' }],
    ['40005 too large', refused(413, 40_005), { kind: 'refused' }],
    ['10008 unknown message', refused(404, 10_008), { kind: 'refused' }],
  ] as const)('after %s', (_, error, outcome) => {
    expect(outcomeOf(error)).toMatchObject(outcome);
  });

  test('in words there is neither an address nor a body', () => {
    for (const error of [refused(403, 50_001), stumbled(500), broke('ECONNRESET'), limited(5_000), abort(), 'text']) {
      const words = inWords(error);
      expect(words).not.toBe('');
      expect(words).not.toContain('discord.example');
    }
  });
});

test.each([
  [403, 50_001, undefined, /^invite the bot again with the scope applications\.commands$/u],
  [403, 50_001, '1', /scope applications\.commands, and check that DISCORD_GUILD_ID is a server it is in$/u],
  [404, 10_004, '1', /DISCORD_GUILD_ID/u],
  [500, 0, '1', /^this is tried again within the hour$/u],
])('commands that cannot be registered (%i %i, server %s) are named with the remedy', (status, code, guild, seen) => {
  expect(registrationRemedy(refused(status, code), guild)).toMatch(seen);
});

test.each([
  ['10008 unknown message', refused(404, 10_008), { kind: 'lost', because: 'deleted' }],
  ['50005 of another author', refused(403, 50_005), { kind: 'lost', because: 'not-editable' }],
  ['30046 too many edits of an old message', refused(429, 30_046), { kind: 'later', because: 'edits-limited' }],
  ['a rate limit, which holds no alert back', limited(4_000), { kind: 'later', because: 'edits-limited', afterMs: 4_000 }],
  ['an archived thread', refused(400, 50_083), { kind: 'not-permitted' }],
  ['a deleted channel', refused(404, 10_003), { kind: 'gone' }],
  ['an answer that was lost', broke('ECONNRESET'), { kind: 'later', because: 'unreachable' }],
])('an edit: %s', (_, error, outcome) => {
  expect(editOutcomeOf(error)).toMatchObject(outcome);
});
