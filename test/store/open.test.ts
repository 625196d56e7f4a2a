import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { StoreError } from '../../src/store/store.js';

test.each(['', 'navwatch.sqlite', 'mysql://user:planted-secret@localhost', 'constructor://x', 'SQLITE://x', 'sqlite:x'])(
  'the address %j is refused with those that work, and is not repeated',
  async (url) => {
    const error = await openStore(url).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreError);
    for (const example of ['sqlite://./data/navwatch.sqlite', 'memory://']) expect(String(error)).toContain(example);
    expect(String(error)).not.toContain('planted-secret');
  },
);

test.each(['sqlite://', 'sqlite://:memory:'])('%s names no file and is refused, since SQLite would forget everything', async (url) => {
  await expect(openStore(url)).rejects.toThrow('names no file');
});
