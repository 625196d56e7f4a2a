import { expect, test } from 'vitest';
import { ManagersOnlyError, requireManager } from '../../src/reply/errors.js';

test('only who manages the chat passes', async () => {
  await expect(requireManager({ manages: async () => true })).resolves.toBeUndefined();
  await expect(requireManager({ manages: async () => false })).rejects.toBeInstanceOf(ManagersOnlyError);
});
