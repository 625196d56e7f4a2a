import { expect, test } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open.js';
import { storeContract } from './contract.js';

storeContract('memory', async () => openStore('memory://'));

test('each memory store begins empty', async () => {
  const spec = { prefix: 'box', schema: z.string(), version: 1 };
  const first = await openStore('memory://');
  await first.collection(spec).set('k', 'v');
  expect(await (await openStore('memory://')).collection(spec).get('k')).toBeUndefined();
});
