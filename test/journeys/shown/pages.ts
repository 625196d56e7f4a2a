/** Pages of what was sent and received, as Markdown in the folder that SHOWN_DIR names. */
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectedBot } from '../connected-bot.js';

const FOLDER = process.env['SHOWN_DIR'] ?? join(tmpdir(), 'shown');

export interface Page {
  add(...paragraphs: readonly string[]): void;
  /** Writes it; returns where. */
  write(): Promise<string>;
}

export function page(name: string, title: string): Page {
  const paragraphs = [`# ${title}`];
  return {
    add: (...more) => void paragraphs.push(...more),
    async write() {
      await mkdir(FOLDER, { recursive: true });
      const path = join(FOLDER, `${name}.md`);
      await writeFile(path, `${paragraphs.join('\n\n')}\n`);
      return path;
    },
  };
}

export const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, undefined, 1)}\n\`\`\``;
export const text = (value: string): string => `\`\`\`\n${value.replaceAll('```', 'ˋˋˋ')}\n\`\`\``;

/** Everything the bot posted and changed from here on, as both stand-ins received it. */
export function listen(bot: ConnectedBot) {
  const from = { discord: bot.discord.transcript.entries.length, telegram: bot.telegram.transcript.length };
  return {
    discord: (): readonly { readonly path: string; readonly body: unknown; readonly status: number }[] =>
      bot.discord.transcript.entries
        .slice(from.discord)
        .flatMap((entry) =>
          entry.kind === 'rest' && entry.body !== undefined && entry.method !== 'GET'
            ? [{ path: `${entry.method} ${hidden(entry.path)}`, body: entry.body, status: entry.status }]
            : [],
        ),
    telegram: () =>
      bot.telegram.transcript
        .slice(from.telegram)
        .filter(({ method }) => /^(send|edit|answer)/u.test(method))
        .map(({ method, params, answer }) => ({ method, params, answer })),
  };
}

/** Paths of interactions hold a token of their own. */
export const hidden = (path: string): string => path.replace(/(interactions|webhooks)\/(\d+)\/[^/]+/u, '$1/$2/…');
