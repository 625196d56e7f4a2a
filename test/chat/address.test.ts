import { expect, test } from 'vitest';
import { address, addressSchema, localOf, platformOf } from '../../src/chat/address.js';

test.each([
  [address('console', 'main'), 'console/main', 'console', 'main'],
  [address('discord', '1180000000000000001'), 'discord/1180000000000000001', 'discord', '1180000000000000001'],
  [address('telegram', '-1001234567890', '42'), 'telegram/-1001234567890/42', 'telegram', '-1001234567890/42'],
])("%s names a place by its platform and the platform's own part", (made, text, platform, local) => {
  expect([made, platformOf(made), localOf(made)]).toEqual([text, platform, local]);
  expect(addressSchema.parse(text)).toBe(made);
});

test.each([
  '',
  'console',
  'console/',
  '/main',
  'Console/main',
  'console//main',
  'console/main/',
  'console/a b',
  'console/é',
  'console/main\n',
])('%j is not an address', (text) => {
  expect(addressSchema.safeParse(text).success).toBe(false);
});

test('a part with a character that no platform uses is refused where the address is made', () => {
  expect(() => address('console', 'main', '50%')).toThrow('not an address');
});
