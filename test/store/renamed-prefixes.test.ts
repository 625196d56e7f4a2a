import { expect, test } from 'vitest';
import { openMemory } from '../../src/store/memory.js';
import { moveRenamed } from '../../src/store/renamed-prefixes.js';

const all = { from: '', to: '\u{10FFFF}' };

test('documents of earlier versions are moved to the prefixes of this one, and nothing else is', async () => {
  const backend = openMemory();
  const many = Array.from({ length: 1_200 }, (_, index) => [`talk/main/${index}`, `message ${index}`] as const);
  for (const [key, text] of [
    ['mark/supply/tide', 'a'],
    ['marks/x', 'b'],
    ['chat/console/main', 'c'],
    ['talk-pruned/main', 'd'],
    ...many,
  ] as const)
    await backend.set(key, text);
  await moveRenamed(backend);
  const found = new Map(await backend.range(all));
  expect(Object.fromEntries([...found].filter(([key]) => !key.startsWith('conversation/')))).toEqual({
    'watermark/supply/tide': 'a',
    'marks/x': 'b',
    'chat/console/main': 'c',
    'conversation-pruned/main': 'd',
  });
  expect([...found].filter(([key]) => key.startsWith('conversation/'))).toHaveLength(many.length);
});

test('a move that was interrupted is done again, and what was moved before is not lost', async () => {
  const backend = openMemory();
  await backend.set('mark/supply/tide', 'a');
  await backend.set('watermark/supply/tide', 'a');
  await backend.set('mark/growth/tide', 'b');
  await moveRenamed(backend);
  expect(await backend.range(all)).toEqual([
    ['watermark/growth/tide', 'b'],
    ['watermark/supply/tide', 'a'],
  ]);
});
