import { expect, test } from 'vitest';
import { redisFailure } from '../../src/store/redis-connection.js';

const PLACE = 'redis://db/0';

test.each([
  ['OOM command not allowed', 'full'],
  ['MISCONF Errors writing to the AOF file: No space left on device', 'full'],
  ['WRONGPASS invalid username-password pair', 'denied'],
  ['NOAUTH Authentication required.', 'denied'],
  ['NOPERM this user has no permissions', 'denied'],
  ['ERR AUTH <password> called without any password configured', 'denied'],
  ['READONLY You cannot write against a read only replica.', 'read-only'],
  ['LOADING Redis is loading the dataset in memory', 'unreachable'],
  ['BUSY Redis is busy running a script', 'unreachable'],
  ['ERR max number of clients reached', 'unreachable'],
  ['ERR DB index is out of range', 'failed'],
  ['MOVED 1 127.0.0.1:1', 'failed'],
  ['WRONGTYPE Operation against a key', 'failed'],
  ['Socket closed unexpectedly', 'unreachable'],
])('%s is the trouble %s, with the place', (message, trouble) => {
  const failure = redisFailure(PLACE, new Error(message));
  expect(failure).toMatchObject({ name: 'StoreError', trouble });
  expect(failure.message).toContain(PLACE);
});
