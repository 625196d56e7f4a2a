import { GrammyError, HttpError } from 'grammy/web';
import { describe, expect, test } from 'vitest';
import { WireError, type WireTrouble } from '../../../src/platforms/telegram/api.js';
import {
  editOutcomeOf,
  inWords,
  isLost,
  isStale,
  isTokenRefused,
  isUnchanged,
  outcomeOf,
} from '../../../src/platforms/telegram/outcome.js';
import { at } from './harness.js';

const error = (code: number, description: string, parameters: Record<string, number> = {}): GrammyError =>
  new GrammyError('Call failed', { ok: false, error_code: code, description, parameters }, 'sendMessage', {});

const group = at(-400);
const topic = at(-100_200, 7);

describe('every refusal of Telegram is a next move', () => {
  test.each([
    [429, 'Too Many Requests: retry after 43837', { retry_after: 43_837 }, { kind: 'later', because: 'rate-limited', afterMs: 43_837_000 }],
    [429, 'Too Many Requests', {}, { kind: 'later', because: 'rate-limited' }],
    [403, 'Forbidden: bot was blocked by the user', {}, { kind: 'gone', because: 'this person blocked the bot' }],
    [403, 'Forbidden: user is deactivated', {}, { kind: 'gone', because: 'this account no longer exists' }],
    [403, 'Forbidden: bot was kicked from the group chat', {}, { kind: 'gone', because: 'the bot was removed from the chat' }],
    [403, 'Forbidden: bot was kicked from the supergroup chat', {}, { kind: 'gone', because: 'the bot was removed from the chat' }],
    [403, 'Forbidden: bot was kicked from the channel chat', {}, { kind: 'gone', because: 'the bot was removed from the chat' }],
    [403, 'Forbidden: bot is not a member of the supergroup chat', {}, { kind: 'gone', because: 'the bot was removed from the chat' }],
    [403, 'Forbidden: bot is not a member of the channel chat', {}, { kind: 'gone', because: 'the bot was removed from the chat' }],
    [403, 'Forbidden: the group chat was deleted', {}, { kind: 'gone', because: 'the group was deleted' }],
    [400, 'Bad Request: chat not found', {}, { kind: 'gone', because: 'there is no such chat' }],
    [400, 'Bad Request: message thread not found', {}, { kind: 'gone', because: 'the topic was deleted' }],
    [400, 'Bad Request: TOPIC_DELETED', {}, { kind: 'gone', because: 'the topic was deleted' }],
    [400, 'Bad Request: TOPIC_CLOSED', {}, { kind: 'not-permitted', because: 'the topic is closed' }],
    [
      400,
      'Bad Request: not enough rights to send text messages to the chat',
      {},
      { kind: 'not-permitted', because: 'the bot lacks permission to send messages' },
    ],
    [
      400,
      'Bad Request: have no rights to send a message',
      {},
      { kind: 'not-permitted', because: 'the bot lacks permission to send messages' },
    ],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', {}, { kind: 'not-permitted', because: 'the bot lacks permission to send messages' }],
    [
      400,
      'Bad Request: need administrator rights in the channel chat',
      {},
      { kind: 'not-permitted', because: 'the bot is no administrator of the channel' },
    ],
    [
      403,
      "Forbidden: bot can't initiate conversation with a user",
      {},
      { kind: 'not-permitted', because: 'this person has not opened a private chat with the bot' },
    ],
    [403, 'Forbidden: something new', {}, { kind: 'not-permitted', because: 'Forbidden: something new' }],
    [400, "Bad Request: can't parse entities: x", {}, { kind: 'refused', detail: "Bad Request: can't parse entities: x" }],
    [400, 'Bad Request: message is too long', {}, { kind: 'refused', detail: 'Bad Request: message is too long' }],
    [401, 'Unauthorized', {}, { kind: 'later', because: 'unreachable' }],
    [404, 'Not Found', {}, { kind: 'later', because: 'unreachable' }],
    [500, 'Internal Server Error', {}, { kind: 'unclear', because: 'server-error' }],
    [504, 'Gateway Timeout', {}, { kind: 'unclear', because: 'server-error' }],
    [502, 'Bad Gateway', {}, { kind: 'later', because: 'server-error' }],
    [503, 'Service Unavailable', {}, { kind: 'later', because: 'server-error' }],
  ] as const)('%i %s', (code, description, parameters, outcome) => {
    expect(outcomeOf(error(code, description, parameters), group)).toEqual(outcome);
  });

  test('404 for a method that not every server has means that method, not the token', () => {
    const missing = new GrammyError('x', { ok: false, error_code: 404, description: 'Not Found' }, 'editMessageMedia', {});
    expect(outcomeOf(missing, group)).toEqual({ kind: 'refused', detail: 'Not Found' });
    expect(isTokenRefused(missing)).toBe(false);
  });

  test('a group that was upgraded has a new address; its topic keeps its number', () => {
    const upgraded = error(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1_002_000 });
    expect(outcomeOf(upgraded, group)).toEqual({ kind: 'moved', to: at(-1_002_000) });
    expect(outcomeOf(upgraded, topic)).toEqual({ kind: 'moved', to: at(-1_002_000, 7) });
  });
});

test.each([
  ['unreachable', { kind: 'later', because: 'unreachable' }],
  ['unavailable', { kind: 'later', because: 'server-error' }],
  ['doubtful', { kind: 'unclear', because: 'server-error' }],
  ['line-cut', { kind: 'unclear', because: 'line-cut' }],
  ['timeout', { kind: 'unclear', because: 'timeout' }],
] satisfies readonly (readonly [WireTrouble, unknown])[])('without an answer: %s', (trouble, outcome) => {
  const cause = new WireError(trouble, 'x');
  expect(outcomeOf(cause, group)).toEqual(outcome);
  expect(outcomeOf(new HttpError('Network request failed', cause), group)).toEqual(outcome);
});

test('what nobody foresaw may have been sent', () => {
  expect(outcomeOf(new TypeError('x'), group)).toEqual({ kind: 'unclear', because: 'line-cut' });
});

test('edits and presses: what is harmless is known by its words', () => {
  expect(isUnchanged(error(400, 'Bad Request: message is not modified: specified new message content …'))).toBe(true);
  expect(isLost(error(400, 'Bad Request: message to edit not found'))).toBe(true);
  expect(isLost(error(400, "Bad Request: message can't be edited"))).toBe(true);
  expect(isStale(error(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid'))).toBe(true);
  for (const is of [isUnchanged, isLost, isStale]) expect(is(error(400, 'Bad Request: chat not found'))).toBe(false);
});

test('an error in words names the call and never its address', () => {
  expect(inWords(error(400, 'Bad Request: chat not found'))).toBe('sendMessage: 400 Bad Request: chat not found');
  const cause = new WireError('line-cut', 'the line was cut (ECONNRESET)');
  expect(inWords(new HttpError('Network request to https://x/botTOKEN/ failed', cause))).toBe('the line was cut (ECONNRESET)');
});

test.each([
  ['message is not modified: specified new message content is exactly the same', { kind: 'edited' }],
  ['message to edit not found', { kind: 'lost', because: 'deleted' }],
  ["message can't be edited", { kind: 'lost', because: 'not-editable' }],
  ['TOPIC_CLOSED', { kind: 'not-permitted' }],
  ['BUTTON_DATA_INVALID', { kind: 'refused' }],
])('an edit that is refused with "%s" is a next move', (description, outcome) => {
  expect(editOutcomeOf(error(400, `Bad Request: ${description}`), group)).toMatchObject(outcome);
});
