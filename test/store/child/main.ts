/**
 * A process of its own with a store open: `try` reports how opening went, `write` sets one document after another until it is killed,
 * `flood` makes the calls of `flood.ts`, many at once.
 */
import { z } from 'zod';
import { openStore } from '../../../src/store/open.js';
import { StoreError } from '../../../src/store/store.js';
import { floodCall, flooded } from './flood.js';

const [mode, url = '', lockWaitMs] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const store = await openStore(url, { lockWaitMs: Number(lockWaitMs) });
  if (mode === 'write') {
    const box = store.collection({ prefix: 'box', schema: z.object({ n: z.number(), padding: z.string() }), version: 1 });
    for (let n = 0; ; n += 1) {
      await box.set(String(n), { n, padding: 'x'.repeat((n % 50) * 100) });
      say(`stored ${n}`);
    }
  }
  if (mode === 'flood') {
    const box = store.collection(flooded);
    let called = 0;
    const caller = async (): Promise<never> => {
      for (;;) {
        const n = called;
        called += 1;
        const { key, document } = floodCall(n);
        await (document === undefined ? box.delete(key) : box.set(key, document));
        say(`stored ${n}`);
      }
    };
    await Promise.all(Array.from({ length: 300 }, caller));
  }
  say('opened');
  // The parent ends a holder by closing its standard input.
  if (mode === 'hold') for await (const _ of process.stdin);
  await store.close();
} catch (error) {
  say(error instanceof StoreError ? `${error.trouble}: ${error.message}` : `unexpected: ${String(error)}`);
}
