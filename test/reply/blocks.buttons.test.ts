import { expect, test } from 'vitest';
import { commandLine } from '../../src/reply/index.js';

test('a button leaves out what is not said', () => {
  expect(commandLine('mute', undefined, '24h')).toBe('/mute 24h');
});
