/** Files that somebody gives the bot: a watchlist to import, and an export to restore. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readList } from '../../../src/dispatch/watchlists/read-list.js';
import { readExport } from '../../../src/operations/backup/export-file.js';
import { BackupError } from '../../../src/operations/backup/export-format.js';
import { LARGEST_FILE } from '../../../src/chat/inbound.js';
import type { Target } from '../fuzz.js';
import { openFuzzedBot, unbroken } from '../bot.js';
import { harmless } from '../harmless.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const LIFETIME = 200;

const LISTS = [
  JSON.stringify({
    navwatch: 'watchlist',
    version: 1,
    entries: [
      { project: 'tide', kinds: { supply: ['usd>10000'], premium: ['premium<-20'] } },
      { wallet: WALLET, label: 'ours' },
      { all: true },
    ],
  }),
  JSON.stringify([{ address: WALLET, name: 'one' }, 'tide']),
  `tide\n${WALLET} our wallet\nlaunches\nall`,
  `address,label\n${WALLET},"one, two"\n`,
];

/** An import is asked for in a chat; its answer stands on every surface. */
export async function watchlistFiles(): Promise<Target> {
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  const exported = await exportedList(bot.current());
  return {
    name: 'watchlist-files',
    json: true,
    inputs: [...LISTS, ...exported],
    words: ['tide', WALLET, 'all', 'launches', ',', ';', '\n', 'address', 'label'],
    mayKeepMb: 120,
    async run(sent) {
      const harness = await bot.next();
      // Platforms refuse what is larger.
      const input = Buffer.from(sent).subarray(0, LARGEST_FILE).toString();
      const read = await readList(input);
      const files = [{ name: 'list.json', size: Buffer.byteLength(input), read: async () => input }];
      const { reply } = await harness.ask({ ask: { line: '/watchlist import' }, files });
      unbroken(harness);
      await harmless(reply);
      return read.read ? 'list' : 'refused';
    },
    idle: async () => bot.current().clock.next(),
    close: bot.close,
  };
}

async function exportedList({ say }: ReturnType<Awaited<ReturnType<typeof openFuzzedBot>>['current']>): Promise<readonly string[]> {
  for (const line of ['/watch tide', `/watch ${WALLET} ours`, '/alerts tide supply usd>10000', '/alerts tide premium premium<-20'])
    await say(line);
  const { reply } = await say('/watchlist export');
  return reply.files.map(({ text }) => text);
}

const HEADER = { application: 'navwatch', format: 1, storeFormat: 1, at: '2026-11-20T12:00:00.000Z' };
const withTrailer = (lines: readonly string[]): string => {
  const body = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ documents: lines.length - 1, sha256 })}\n`;
};

export async function exports(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-fuzz-'));
  const file = join(folder, 'export.gz');
  const documents = [
    ['chat/console/main', '{"v":1,"d":{}}'],
    ['watermark/supply/tide', '{"v":1,"d":{"seen":[1]}}'],
  ];
  let runs = 0;
  return {
    name: 'exports',
    json: true,
    inputs: [withTrailer([JSON.stringify(HEADER), ...documents.map((one) => JSON.stringify(one))]), withTrailer([JSON.stringify(HEADER)])],
    async run(input) {
      runs += 1;
      const bytes = runs % 2 === 0 ? withTrailer(input.split('\n').slice(0, -2)) : input;
      const packed = gzipSync(bytes, { level: 1 });
      await writeFile(file, runs % 7 === 0 ? packed.subarray(0, Math.floor(packed.length / 2)) : packed);
      try {
        const { documents: count, pages } = await readExport(file);
        let found = 0;
        for await (const page of pages()) found += page.length;
        if (found !== count) throw new Error('the second reading differs from the first');
        return 'read';
      } catch (error) {
        if (error instanceof BackupError) return 'refused';
        throw error;
      }
    },
    close: async () => rm(folder, { recursive: true }),
  };
}
