import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shortLivedFlags } from './v8-flags.js';

test('the interrupt budget is only passed to a V8 that has it', () => {
  expect(shortLivedFlags(500_000, '11.3.244.8-node.33')).toEqual(['--max-semi-space-size=64', '--interrupt-budget=500000']);
  expect(shortLivedFlags(500_000, '12.4.254.21-node.33')).toEqual(['--max-semi-space-size=64']);
});

test('this Node starts with the flags', () => {
  expect(execFileSync(process.execPath, [...shortLivedFlags(500_000), '--print', '1 + 1'], { encoding: 'utf8' })).toBe('2\n');
});
