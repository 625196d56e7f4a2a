import { expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import { lineText } from '../../../src/chat/plain-text.js';
import type { MessagePreview, PreviewBlock } from '../../../src/chat/renderings.js';
import { httpsUrl } from '../../../src/domain/links.js';
import { previewOf } from '../../../src/platforms/discord/preview.js';
import * as samples from '../console/samples.js';
import { handClock } from '../../support/clock.js';

const now = handClock().now();
const url = httpsUrl('https://explorer.example/tx/1')!;
const preview = async (of: ReturnType<typeof reply>) => {
  const [message, ...others] = await previewOf({ reply: of, now, isAlert: false });
  expect(others).toEqual([]);
  return message!;
};
const textOf = (block: PreviewBlock) => (block.kind === 'code' ? block.text : lineText(block.line, now));
const wordsOf = ({ blocks, embed }: MessagePreview) =>
  [...blocks, ...(embed?.blocks ?? []), ...(embed?.fields.flatMap(({ value }) => value) ?? [])].map(textOf).join('\n');

test('emphasis, links, code and escapes are read back as what they show', async () => {
  const line = ['2 * 3 ', { strong: 'a_b' }, ' ', { code: '/why' }, ' ', { link: 'Tx', url }];
  const { embed } = await preview(reply({ finding: [{ strong: 'x' }], blocks: [{ kind: 'line', line }] }));
  expect(embed?.blocks).toEqual([{ kind: 'line', line: ['2 * 3 ', { strong: 'a_b' }, ' ', { code: '/why' }, ' ', { link: 'Tx', url }] }]);
});

test('figures are inline fields, and a table that fits is code', async () => {
  const { embed } = await preview(samples.premium(now));
  expect(embed?.fields.filter(({ inline }) => inline)).toHaveLength(5);
  const table = { kind: 'table' as const, columns: [{ title: 'a' }, { title: 'b' }], rows: [['1', '2']] };
  expect(await preview(reply({ finding: ['x'], blocks: [table] }))).toMatchObject({ embed: { blocks: [{ kind: 'code' }] } });
});

test('what Discord drops for lack of room is missing from the preview too', async () => {
  const items = Array.from({ length: 500 }, (_, index) => ({ line: [`row ${index} of many`] }));
  const words = wordsOf(await preview(reply({ finding: ['x'], blocks: [{ kind: 'list', items }] })));
  expect(words).toContain('row 3 of many');
  expect(words).not.toContain('row 499 of many');
  expect(words).toMatch(/… and \d+ more/u);
});

test('markup of a stranger is text', async () => {
  const words = wordsOf(await preview(samples.hostile()));
  expect(words).toContain('<script>window.hacked=1</script>');
});
