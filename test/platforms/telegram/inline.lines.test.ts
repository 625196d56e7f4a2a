import { expect, test } from 'vitest';
import type { Catalogue, CommandEntry } from '../../../src/chat/catalogue.js';
import { inlineLines } from '../../../src/platforms/telegram/inline.js';
import { at } from './harness.js';

const CHAT = at(5);
const project = { name: 'project', summary: 'a project', required: true, completes: true };
const command = (name: string, more: Partial<CommandEntry> = {}): CommandEntry => ({
  name,
  summary: name,
  options: [project],
  examples: [`/${name}`],
  ...more,
});
const SLUGS = ['tide', 'heron', 'alder', 'birch'];
const catalogue: Catalogue = {
  commands: [
    command('premium'),
    command('project'),
    command('proposals', { options: [{ ...project, required: false }] }),
    command('overview', { options: [] }),
    command('refresh'),
    command('watch', { group: 'watching' }),
    command('status', { group: 'bot', options: [] }),
  ],
  complete: async (line, _chat, limit) => {
    const [name = '', partial = ''] = line.split(' ');
    return SLUGS.filter((slug) => slug.startsWith(partial))
      .slice(0, limit)
      .map((slug) => ({ insert: `${name} ${slug} `, label: slug, hint: '' }));
  },
  completeOption: async ({ partial }, limit) =>
    SLUGS.filter((slug) => slug.startsWith(partial))
      .slice(0, limit)
      .map((value) => ({ value, label: value })),
};
const lines = inlineLines(catalogue);

test.each([
  ['', ['/overview']],
  ['premium tide 3M', ['/premium tide 3M']],
  ['/Premium tide', ['/premium tide']],
  ['overview', ['/overview']],
  ['proposals', ['/proposals']],
  // What it needs is not typed yet.
  ['premium', ['/premium tide', '/premium heron', '/premium alder']],
  ['tide', ['/premium tide', '/project tide', '/proposals tide']],
  ['nobody', []],
])('“%s” stands for %j', async (query, found) => {
  expect(await lines.of(query, CHAT)).toEqual(found);
});

test('a line that is still being typed is completed', async () => {
  expect(await lines.completed('premium he', CHAT)).toEqual(['/premium heron']);
  expect(await lines.completed('he', CHAT)).toEqual([]);
});

test.each(['watch tide', 'refresh tide', 'status', '/watch all'])('“%s” is not run by typing it', async (query) => {
  expect(await lines.of(query, CHAT)).toEqual([]);
});

test('a sentence is read: its questions are offered, and what cannot be asked inline is not', async () => {
  const reading: Catalogue = {
    ...catalogue,
    readings: async (sentence, _chat, limit) =>
      (sentence === 'is tide cheap' ? ['/premium tide', '/refresh fund', '/watch tide'] : []).slice(0, limit),
  };
  expect(await inlineLines(reading).of('is tide cheap', CHAT)).toEqual(['/premium tide']);
  expect(await inlineLines(reading).of('mute tide', CHAT)).toEqual([]);
  expect(await inlineLines(reading).of('premium tide', CHAT)).toEqual(['/premium tide']);
});
