import { afterEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Answerer } from '../../../src/chat/inbound.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { TOGETHER_WITHIN } from '../../../src/platforms/conversation.js';
import { refuseBreaches } from '../../stand-ins/discord/caller.js';
import type { Interaction, Seen } from '../../stand-ins/discord/types.js';
import { settled } from '../../support/clock.js';
import { bytesOf, chartOf, painter, type Painter } from '../pictures.js';
import { openHarness, textOf, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

let harness: DiscordHarness;
let pictures: Painter;
afterEach(async () => {
  await harness.close();
  refuseBreaches(harness.discord);
});

const open = async (needs: DiscordHarnessOptions = {}): Promise<void> => {
  pictures = painter();
  harness = await openHarness({ pictures, ...needs });
  await harness.connect();
};
const slash = (command = 'premium'): Interaction =>
  harness.discord.controls.slash({
    channel: harness.channel,
    user: harness.anna,
    command,
    options: command === 'premium' ? { project: 'tide' } : {},
  });
const press = (message: Seen, button: string): Interaction =>
  harness.discord.controls.press({ message: message.id, user: harness.anna, button });
const seen = () => harness.discord.controls.messages(harness.channel);
const complaints = () => harness.lines.filter(({ level }) => level === 'warn' || level === 'error').map(({ event }) => event);

const ACTIONS = [
  { label: '1W', line: '/premium 1W' },
  { label: 'Words', line: '/premium words' },
];
const CSV = { name: 'supply.csv', type: 'text/csv', text: 'id,amount\n1,"486,210"\n' };
const drawn = (title: string, more: Partial<Parameters<typeof reply>[0]> = {}): Reply =>
  reply({ finding: [{ strong: title }], chart: chartOf(title), actions: ACTIONS, ...more });
const views: Answerer = async ({ ask }) => {
  const line = 'line' in ask ? ask.line : '';
  if (line.endsWith('words')) return reply({ finding: ['Only words'], actions: ACTIONS });
  return drawn(line.endsWith('1W') ? 'A week' : 'First');
};

/** Shows this picture inside the embed, and nothing beside it but these files. */
function expectPicture(message: Seen | undefined, title: string, files: readonly string[] = []): void {
  const [picture, ...others] = message?.files ?? [];
  expect(picture).toMatchObject({ name: 'chart.png', description: title, contentType: 'image/png' });
  expect(Buffer.from(bytesOf(chartOf(title))).equals(picture?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(message?.embeds[0]?.image?.url).toContain(`/${picture?.id}/chart.png`);
  expect(others.map(({ name }) => name)).toEqual(files);
}

/** An answerer that waits for the test to say what it answers. */
function slowlySaid() {
  let say: (answer: Reply) => void = () => undefined;
  const said = new Promise<Reply>((resolve) => (say = resolve));
  return { answer: async () => said, say };
}

describe('a picture', () => {
  test('is shown in the embed of the first answer, with its title for who cannot see it, and the buttons stay', async () => {
    await open({ answer: views });
    const asked = slash();
    const shown = await asked.reply();
    expectPicture(shown, 'First');
    expect(textOf(shown)).toContain('First');
    expect(shown.rows.flat().map(({ label }) => label)).toEqual(['1W', 'Words']);
    expect(await asked.acknowledged()).toMatchObject({ kind: 'message' });
    expect(pictures.drawn).toEqual([['First', 'dark']]);
  });

  test('comes with the edit after "thinking"', async () => {
    const { answer, say } = slowlySaid();
    await open({ answer });
    const asked = slash();
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    expect(await asked.acknowledged()).toMatchObject({ kind: 'deferred' });
    say(drawn('First'));
    expectPicture(await asked.reply(), 'First');
    expect(seen()).toHaveLength(1);
  });

  test('of another view takes the place of the one before, and goes where the view has none', async () => {
    await open({ answer: views });
    const first = await slash().reply();
    await press(first, '1W').acknowledged();
    expect(seen()).toHaveLength(1);
    expectPicture(seen()[0], 'A week');
    await press(first, 'Words').acknowledged();
    expect(seen()).toMatchObject([{ files: [], edits: 2 }]);
    expect(seen()[0]?.embeds.some(({ image }) => image !== undefined)).toBe(false);
    await press(first, '1W').acknowledged();
    expectPicture(seen()[0], 'A week');
  });

  test('of a slow view replaces the old one with the edit', async () => {
    const { answer, say } = slowlySaid();
    let first = true;
    await open({
      answer: async (inbound) => {
        if (!first) return answer();
        first = false;
        return views(inbound);
      },
    });
    const pressed = press(await slash().reply(), '1W');
    await harness.received(2);
    await harness.clock.advance(1.2 * SECOND);
    expect(await pressed.acknowledged()).toMatchObject({ kind: 'deferred-update' });
    say(drawn('A week'));
    await pressed.reply();
    expectPicture(seen()[0], 'A week');
  });

  test('that is for the asker alone goes to nobody else, also after a public "thinking"', async () => {
    const { answer, say } = slowlySaid();
    await open({ answer });
    const asked = slash();
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    await asked.acknowledged();
    say(drawn('First', { audience: 'asker', files: [CSV] }));
    const alerted = await asked.reply();
    expect(alerted.ephemeral).toBe(true);
    expectPicture(alerted, 'First', ['supply.csv']);
    expect(seen().filter(({ ephemeral }) => !ephemeral)).toEqual([]);
  });

  test('that cannot be drawn leaves the words whole', async () => {
    await open({ answer: views });
    pictures.instead = async () => Promise.reject(new Error('out of ink'));
    const shown = await slash().reply();
    expect(textOf(shown)).toContain('First');
    expect(shown).toMatchObject({ files: [], rows: [[{}, {}]] });
    expect(complaints()).toEqual(['platforms.picture-not-drawn']);
  });

  test('that Discord does not take leaves the words whole', async () => {
    await open({ answer: views });
    harness.discord.controls.faults.next({ kind: 'refused', status: 413, code: 40_005 }, { path: '/callback' });
    const shown = await slash().reply();
    expect(textOf(shown)).toBe('**First**');
    expect(shown).toMatchObject({ files: [], rows: [[{}, {}]] });
  });

  test.each(['cut', 'store-then-cut'] as const)('whose upload breaks off (%s) gives way to the words', async (kind) => {
    const { answer, say } = slowlySaid();
    await open({ answer });
    const asked = slash();
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    await asked.acknowledged();
    harness.discord.controls.faults.next({ kind }, { method: 'PATCH', path: '@original' });
    say(drawn('First'));
    await harness.logged('discord.files-not-taken');
    await harness.discord.controls.waitFor(() => seen()[0]?.thinking === false && seen()[0]?.files.length === 0);
    expect(textOf(seen()[0]!)).toBe('**First**');
    expect(seen()).toHaveLength(1);
  });

  test('whose title is hostile or endless is described within the limit, and says nothing of it aloud', async () => {
    await open({ answer: async () => drawn(`\u202e@everyone ${'x'.repeat(3_000)}`) });
    const shown = await slash().reply();
    expect(shown.files[0]?.description).toMatch(/^@everyone x+…$/u);
    expect(shown.files[0]?.description?.length).toBeLessThanOrEqual(1_024);
    expect(shown.pings.quiet).toBe(true);
  });
});

describe('a picture that takes longer to draw than its text', () => {
  /** Does it, and lets the quarter of a second pass in which a picture comes with its text. */
  async function slowly<T>(title: string, begin: () => T): Promise<T> {
    const before = pictures.drawn.length;
    const begun = begin();
    while (!pictures.drawn.slice(before).some(([drawnTitle]) => drawnTitle === title)) await settled();
    await harness.clock.advance(TOGETHER_WITHIN);
    return begun;
  }
  const shownTimes = async (edits: number) => harness.discord.controls.waitFor(() => seen()[0]?.edits === edits);

  test('follows as one edit of the answer, with the files', async () => {
    await open({ answer: async () => drawn('First', { files: [CSV] }) });
    const held = pictures.hold('First');
    const asked = await slowly('First', () => slash());
    const shown = await asked.reply();
    expect(await asked.acknowledged()).toMatchObject({ kind: 'message' });
    expect(textOf(shown)).toContain('First');
    expect(shown).toMatchObject({ files: [], edits: 0, rows: [[{}, {}]] });
    held.finish();
    await shownTimes(1);
    expectPicture(seen()[0], 'First', ['supply.csv']);
    expect(seen()).toHaveLength(1);
    expect(complaints()).toEqual([]);
  });

  test('never lets new text stand above the old one', async () => {
    await open({ answer: views });
    const first = await slash().reply();
    const held = pictures.hold('A week');
    await (await slowly('A week', () => press(first, '1W'))).acknowledged();
    expect(seen()).toMatchObject([{ files: [], edits: 1 }]);
    expect(seen()[0]?.embeds.some(({ image }) => image !== undefined)).toBe(false);
    expect(textOf(seen()[0]!)).toContain('A week');
    held.finish();
    await shownTimes(2);
    expectPicture(seen()[0], 'A week');
  });

  test('does not land on the answer to a later press', async () => {
    await open({ answer: views });
    const held = pictures.hold('First');
    const first = await (await slowly('First', () => slash())).reply();
    await press(first, '1W').acknowledged();
    await shownTimes(1);
    expectPicture(seen()[0], 'A week');
    held.finish();
    await settled();
    await harness.platform.stop();
    expect(seen()).toMatchObject([{ edits: 1 }]);
    expectPicture(seen()[0], 'A week');
  });

  test('and whose text comes after that of a later press is left out, and the press acknowledged', async () => {
    const { answer, say } = slowlySaid();
    let asked = 0;
    await open({ answer: async (inbound) => ((asked += 1) === 2 ? answer() : views(inbound)) });
    const first = await slash().reply();
    const early = press(first, '1W');
    await harness.received(2);
    await press(first, 'Words').acknowledged();
    await shownTimes(1);
    say(drawn('A week'));
    expect(await early.acknowledged()).toMatchObject({ kind: 'deferred-update' });
    await settled();
    expect(seen()).toMatchObject([{ files: [], edits: 1 }]);
    expect(textOf(seen()[0]!)).toContain('Only words');
  });

  test('is for the asker alone where its text is', async () => {
    const { answer, say } = slowlySaid();
    await open({ answer });
    const held = pictures.hold('First');
    const asked = slash();
    await harness.received(1);
    await harness.clock.advance(1.2 * SECOND);
    await asked.acknowledged();
    await slowly('First', () => say(drawn('First', { audience: 'asker' })));
    const alerted = await asked.reply();
    expect(alerted).toMatchObject({ ephemeral: true, files: [] });
    held.finish();
    await harness.discord.controls.waitFor(() => asked.shown()[0]?.files.length === 1);
    expect(asked.shown()).toMatchObject([{ id: alerted.id, ephemeral: true, edits: 1 }]);
    expectPicture(asked.shown()[0], 'First');
    expect(seen()).toEqual([]);
  });

  test.each([
    ['cannot be drawn', 'platforms.picture-not-drawn'],
    ['is not taken', 'discord.files-not-taken'],
  ])('and %s leaves the text', async (how, event) => {
    await open({ answer: views });
    const held = pictures.hold('First');
    await (await slowly('First', () => slash())).reply();
    if (how === 'is not taken')
      harness.discord.controls.faults.next({ kind: 'refused', status: 413, code: 40_005 }, { method: 'PATCH', path: '@original' });
    held[how === 'is not taken' ? 'finish' : 'fail']();
    await harness.logged(event);
    await settled();
    expect(textOf(seen()[0]!)).toContain('First');
    expect(seen()).toMatchObject([{ files: [], rows: [[{}, {}]] }]);
  });

  test('does not keep the bot from stopping', async () => {
    await open({ answer: views });
    pictures.hold('First');
    await (await slowly('First', () => slash())).reply();
    const stopping = harness.platform.stop();
    await harness.clock.advance(10 * SECOND);
    await stopping;
    expect(textOf(seen()[0]!)).toContain('First');
  });
});

describe('files', () => {
  test('stand below the embed, as they were written', async () => {
    await open({ answer: async () => drawn('First', { files: [CSV, { ...CSV, name: 'chart.png' }] }) });
    const shown = await slash().reply();
    expectPicture(shown, 'First', ['supply.csv', '1-chart.png']);
    expect(shown.files[1]?.bytes.toString('utf8')).toBe(CSV.text);
    expect(shown.files[1]?.contentType).toBe('text/csv');
  });

  test('that are larger than this server takes are said in a sentence', async () => {
    await open({
      answer: async () => reply({ finding: ['Exported'], files: [{ ...CSV, text: 'x'.repeat(3_000_000) }] }),
      standIn: { uploadBytes: 2_097_152 },
    });
    const shown = await slash().reply();
    expect(shown.files).toEqual([]);
    expect(textOf(shown)).toContain('supply.csv is too large to be sent here: it has 2.9 MB, and 2 MB is the most.');
  });

  test('that do not fit together are sent as far as they do', async () => {
    const half = { ...CSV, text: 'x'.repeat(600_000) };
    await open({
      answer: async () => reply({ finding: ['Exported'], files: [half, { ...half, name: 'second.csv' }] }),
      standIn: { uploadBytes: 1_000_000 },
    });
    const shown = await slash().reply();
    expect(shown.files.map(({ name }) => name)).toEqual(['supply.csv']);
    expect(textOf(shown)).toContain('second.csv has no room left beside the other files. Ask for it alone.');
  });

  test('that are large are announced first, so that the upload has more time than a first answer', async () => {
    await open({ answer: async () => reply({ finding: ['Exported'], files: [{ ...CSV, text: 'x'.repeat(5_000_000) }] }) });
    const asked = slash();
    const shown = await asked.reply();
    expect(await asked.acknowledged()).toMatchObject({ kind: 'deferred' });
    expect(shown.files[0]?.bytes).toHaveLength(5_000_000);
    expect(seen()).toHaveLength(1);
  });

  test('that may not be attached there are said in a sentence', async () => {
    await open({ answer: async () => reply({ finding: ['Exported'], files: [CSV] }) });
    harness.discord.controls.faults.next({ kind: 'refused', status: 403, code: 50_013 }, { path: '/callback' });
    const shown = await slash().reply();
    expect(textOf(shown)).toMatch(/supply\.csv could not be sent here\..*attach files/u);
  });

  test('more than one message holds are said in a sentence', async () => {
    const files = Array.from({ length: 12 }, (_, at) => ({ ...CSV, name: `part-${at}.csv` }));
    await open({ answer: async () => drawn('First', { files }) });
    const shown = await slash().reply();
    expect(shown.files).toHaveLength(10);
    expect(textOf(shown)).toContain('part-9.csv has no room left');
  });
});

test('an alert is its words, whatever it carries', async () => {
  await open({ answer: views });
  const outcome = await harness.platform.notifier.deliver(address('discord', harness.channel), {
    id: 'd-1',
    reply: drawn('A mint', { files: [CSV] }),
  });
  expect(outcome).toMatchObject({ kind: 'sent' });
  expect(seen()).toMatchObject([{ files: [] }]);
  expect(textOf(seen()[0]!)).toContain('A mint');
  expect(pictures.drawn).toEqual([]);
});
