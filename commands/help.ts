/** /help [command]: all commands, or one in full. */
import { z } from 'zod';
import { brief } from '../src/base/one-line.js';
import { either } from '../src/base/sentence-lists.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import type { CommandEntry } from '../src/chat/catalogue.js';
import { defineCommand } from '../src/dispatch/command.js';
import { UserError } from '../src/replies/user-error.js';
import { nearest } from '../src/replies/word-suggestions.js';
import { usage } from '../src/dispatch/option.js';
import { line } from '../src/replies/blocks.js';

const HEADINGS = { asking: 'Asking', watching: 'Watching', bot: 'The bot' } as const;

export default defineCommand({
  name: 'help',
  summary: 'What can be asked',
  group: 'bot',
  audience: 'asker',
  args: z.object({ command: z.string().trim().min(1).optional().describe('one command').meta({ complete: 'command' }) }),
  examples: ['/help', '/help premium'],

  async run({ command: name }, { catalogue: { commands } }) {
    if (name === undefined) return everything(commands);
    const wanted = name.replace(/^\//u, '').toLowerCase();
    const found = commands.find((entry) => entry.name === wanted);
    if (found) return inFull(found);
    const near = nearest(
      wanted,
      commands.map((entry) => entry.name),
    );
    throw new UserError(`There is no command "${brief(wanted)}".${near.length === 0 ? '' : ` Did you mean ${either(near)}?`}`, {
      actions: [...near.map((other) => ({ label: other, line: `/help ${other}` })), { label: 'Help', line: '/help' }],
    });
  },
});

const everything = (commands: readonly CommandEntry[]): Reply =>
  reply({
    finding: [{ strong: 'Ask about ownership coins, or have them watched' }],
    blocks: [
      ...(['asking', 'watching', 'bot'] as const).flatMap((group) =>
        section(
          HEADINGS[group],
          commands.filter((entry) => (entry.group ?? 'asking') === group),
        ),
      ),
      line(
        'Words may stand in any order: ',
        { code: '/premium tide 3M' },
        ' or ',
        { code: '/premium project:tide range:3M' },
        '. ',
        { code: '/help premium' },
        ' shows one command in full.',
      ),
    ],
    actions: [
      { label: 'Launches', line: '/launches' },
      { label: 'Live proposals', line: '/proposals' },
      { label: 'Watch', line: '/watch' },
      { label: 'Status', line: '/status' },
    ],
  });

const section = (title: string, entries: readonly CommandEntry[]): readonly BlockDraft[] =>
  entries.length === 0
    ? []
    : [
        line({ strong: title }),
        { kind: 'list', items: entries.map((entry) => ({ line: [{ code: usage(entry) }, `: ${entry.summary}`] })) },
      ];

const inFull = (entry: CommandEntry): Reply =>
  reply({
    finding: [{ strong: `/${entry.name}` }, `: ${entry.summary}`],
    blocks: [
      line('Usage: ', { code: usage(entry) }),
      {
        kind: 'list',
        items: entry.options.map(({ name, summary, required, choices }) => ({
          line: [{ strong: name }, `: ${summary}${required ? '' : ' (may be left out)'}`],
          detail: choices && [choices.join(', ')],
        })),
      },
      { kind: 'list', items: entry.examples.map((example) => ({ line: [{ code: example }] })) },
    ],
    actions: [{ label: 'All commands', line: '/help' }],
  });
