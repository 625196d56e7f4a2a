import { expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import { lineText } from '../../../src/chat/plain-text.js';
import type { PreviewBlock } from '../../../src/chat/renderings.js';
import { httpsUrl } from '../../../src/domain/links.js';
import { previewOf } from '../../../src/platforms/telegram/preview.js';
import * as samples from '../console/samples.js';
import { SAMPLES } from '../../charts/samples.js';
import { handClock } from '../../support/clock.js';

const now = handClock().now();
const url = httpsUrl('https://explorer.example/tx/1')!;
const preview = async (of: ReturnType<typeof reply>, isAlert = false) => previewOf({ reply: of, now, isAlert });
const textOf = (block: PreviewBlock) => (block.kind === 'code' ? block.text : lineText(block.line, now));

test('emphasis, links, code and escapes are read back as what they show', async () => {
  const line = ['1 < 2 & 3 ', { strong: 'a' }, ' ', { code: '/why' }, ' ', { link: 'Tx', url }];
  const [message] = await preview(reply({ finding: [{ strong: 'x' }], blocks: [{ kind: 'line', line }] }));
  expect(message?.blocks).toEqual([
    { kind: 'line', line: [{ strong: 'x' }] },
    { kind: 'line', line: ['1 < 2 & 3 ', { strong: 'a' }, ' ', { code: '/why' }, ' ', { link: 'Tx', url }] },
  ]);
});

test('buttons are in the rows of the keyboard, links marked as such', async () => {
  const [message] = await preview(
    reply({ finding: ['x'], links: [{ label: 'Transaction', url }], actions: [{ label: 'Why?', line: '/why 1' }] }),
  );
  expect(message?.rows.flat()).toEqual([
    { kind: 'link', label: 'Transaction' },
    { kind: 'button', label: 'Why?' },
  ]);
});

test('a long answer is several messages, a long alert is one', async () => {
  const items = Array.from({ length: 300 }, (_, index) => ({ line: [`row ${index} of many, with some more words`] }));
  const long = reply({ finding: ['x'], blocks: [{ kind: 'list', items }] });
  expect((await preview(long)).length).toBeGreaterThan(1);
  expect(await preview(long, true)).toHaveLength(1);
});

test('a short reply is the caption of its picture, a long one has the picture below', async () => {
  const chart = SAMPLES['premium']!;
  expect((await preview(reply({ finding: ['x'], chart }))).map(({ picture, blocks }) => [picture, blocks.length])).toEqual([['first', 1]]);
  const long = reply({
    finding: ['x'],
    chart,
    blocks: [
      { kind: 'line', line: ['y'.repeat(390), 'z'.repeat(390), 'w'.repeat(390)] },
      { kind: 'line', line: ['v'.repeat(390)] },
    ],
  });
  expect((await preview(long)).map(({ picture }) => picture)).toEqual([undefined, 'first']);
});

test('markup of a stranger is text', async () => {
  const words = (await preview(samples.hostile())).flatMap(({ blocks }) => blocks.map(textOf)).join('\n');
  expect(words).toContain('<script>window.hacked=1</script>');
});
