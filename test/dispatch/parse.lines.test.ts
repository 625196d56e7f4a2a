/** On Discord people type the rest of a line they know into the first field that opens. It means what the line means when it is typed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Inbound } from '../../src/chat/inbound.js';
import { parse } from '../../src/dispatch/parse.js';
import { CHAT, openAppHarness, type AppHarness } from '../support/app-harness.js';
import { files, read } from '../repository/repository.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
/** So that each line has something to change or to show. */
const PREPARED = ['/watch tide', '/watch all', '/watch launches', `/watch ${WALLET} fund-1`, '/alerts tide growth silent'];
const DOCUMENTS = files.filter((file) => /^docs\/(?:guides\/.+|commands|alerts)\.md$/u.test(file));

const closing: (() => Promise<void>)[] = [];
let typing: AppHarness;
let filling: AppHarness;
let prepared: Chat;
beforeAll(async () => {
  const onClose = (close: () => Promise<void>) => void closing.push(close);
  typing = await openAppHarness({ onClose });
  filling = await openAppHarness({ onClose });
  for (const harness of [typing, filling]) for (const line of PREPARED) await harness.say(line);
  prepared = typing.watchlists.read(CHAT);
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** The lines of a document: in code, in blocks of it, and as `/help` shows them. */
function linesOf(text: string): readonly string[] {
  const spans = [...text.matchAll(/`(\/[^`\n]+)`/gu)].map(([, line = '']) => line);
  const block = [...text.matchAll(/^```text\n([^`]+)^```/gmu)].flatMap(([, lines = '']) => lines.trim().split('\n'));
  return [...spans, ...block].map((line) => line.replaceAll(/<(?:address|public key|wallet)>/gu, WALLET).replace(/^(\/\w+)@\w+/u, '$1'));
}

/** A line with a placeholder is a form of a line; the operator's page and a file are paths. */
const isTyped = (line: string): boolean =>
  !/[<[…]/u.test(line.replaceAll(/[a-z0-9]+<-?\d/gu, '')) && !/^\/(?:operator$|etc\/|feeds\/|api\/|mcp$)/u.test(line);

async function effectOf(harness: AppHarness, ask: Inbound['ask']) {
  await harness.watchlists.change(CHAT, () => prepared);
  const state = { isDone: false };
  const asked = harness.ask({ ask }).finally(() => (state.isDone = true));
  // A refresh waits for the service by the clock.
  const name = 'line' in ask ? ask.line.split(' ')[0]?.slice(1) : ask.command;
  if (name === 'refresh' || name === 'wallet') while (!state.isDone) await harness.clock.advance(SECOND);
  const { reply, text } = await asked;
  // The key of the sources is drawn by chance, and the directory counts its requests in the background.
  return {
    said: text.replaceAll(/(?<=\/sources )\S+|(?<=API requests this month: )\d+/gu, '…'),
    tone: reply.tone,
    chat: harness.watchlists.read(CHAT),
  };
}

const split = (line: string): readonly [command: string, rest: string] => {
  const [, command = '', rest = ''] = /^\/(\S+)\s*(.*)$/su.exec(line) ?? [];
  return [command, rest];
};

test('each line of the documents and of /help has the same effect typed and whole in the first option', async () => {
  const { commands } = typing.registry;
  const examples = [...commands.values()].flatMap(({ command }) => command.examples);
  const lines = [...new Set([...DOCUMENTS.flatMap((file) => linesOf(read(file))), ...examples])].filter(isTyped);
  expect(lines.length).toBeGreaterThan(150);
  for (const line of lines) {
    const [name, rest] = split(line);
    const [first] = commands.get(name)?.options ?? [];
    expect.soft(commands.has(name), line).toBe(true);
    const typed = await effectOf(typing, { line });
    const filled = await effectOf(filling, { command: name, options: first === undefined ? {} : { [first.name]: rest } });
    expect.soft(filled, line).toEqual(typed);
  }
});

const MANY_WORDS: readonly (readonly [line: string, option: string])[] = [
  ['/alerts tide supply only usd>50000', 'rule'],
  ['/alerts tide supply silent', 'rule'],
  ['/alerts tide premium below -10 band 2', 'rule'],
  ['/mute supply tomorrow 9:00', 'time'],
  ['/mute tide 3d', 'time'],
  ['/settings timezone Europe/Berlin', 'value'],
  ['/settings quiet 22:00-07:00', 'value'],
  ['/digest daily 09:00', 'time'],
  ['/why tide supply', 'topic'],
];

test.each(MANY_WORDS)(
  '%s has the same effect whole in the option %s, filled in and typed with its name or in quotes',
  async (line, option) => {
    const [name, rest] = split(line);
    const typed = await effectOf(typing, { line });
    expect(typed.tone).not.toBe('warning');
    expect(await effectOf(filling, { command: name, options: { [option]: rest } })).toEqual(typed);
    expect(await effectOf(filling, { line: `/${name} ${option}:"${rest}"` })).toEqual(typed);
  },
);

test('a word of a line in the first option leaves the other options as they are', async () => {
  const typed = await effectOf(typing, { line: '/alerts tide supply only usd>50000' });
  const options = { target: 'tide supply', action: 'only', rule: 'usd>50000' };
  expect(await effectOf(filling, { command: 'alerts', options })).toEqual(typed);
});

test('what an option takes as it is is not read as a line', async () => {
  const isRead = async (command: string, options: Readonly<Record<string, string>>): Promise<unknown> =>
    (
      await parse(
        { command, options },
        { ...typing.registry, isName: async (text) => text === 'supply only', isEntry: (text) => text === 'growth fund' },
      )
    ).values;
  const taken = [
    ['alerts', { target: 'growth fund' }],
    ['alerts', { target: 'Supply Only'.toLowerCase() }],
    ['alerts', { target: 'tide', rule: 'supply only usd>5' }],
    ['proposals', { words: 'list of grants' }],
    ['proposal', { words: 'tide pool' }],
    ['premium', { project: 'Never Heard Of' }],
    ['search', { text: 'it\'s "open' }],
    ['watch', { target: WALLET, label: 'all dm' }],
    ['settings', { setting: 'timezone', value: 'quiet bay' }],
  ] as const;
  for (const [command, options] of taken) expect.soft(await isRead(command, options), command).toEqual(options);
});
