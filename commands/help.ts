/** /help [command]: common tasks, all commands, or one in full. */
import { z } from 'zod';
import { brief } from '../src/base/one-line.js';
import { either } from '../src/base/sentence-lists.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import type { CommandEntry } from '../src/chat/catalogue.js';
import { defineCommand, usage } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { UserError, commandLine, line, nearest, optional, textOption } from '../src/reply/index.js';

const HEADINGS = { asking: 'Data', watching: 'Alerts', bot: 'Bot' } as const;
const ALL = 'all';

export default defineCommand({
  name: 'help',
  summary: 'What you can do here',
  group: 'bot',
  audience: 'asker',
  args: z.object({ command: textOption('a command, or all').meta({ complete: 'command' }) }),
  examples: ['/help', '/help all', '/help premium'],

  async run({ command: name }, context) {
    const { commands } = context.catalogue;
    if (name === undefined) return tasks(context);
    const wanted = name.replace(/^\//u, '').toLowerCase();
    if (wanted === ALL || wanted === 'commands') return everything(commands);
    const found = commands.find((entry) => entry.name === wanted);
    if (found) return inFull(found);
    const near = nearest(
      wanted,
      commands.map((entry) => entry.name),
    );
    throw new UserError(`No command "${brief(wanted)}".${near.length === 0 ? '' : ` Did you mean ${either(near)}?`}`, {
      actions: [...near.map((other) => ({ label: other, line: `/help ${other}` })), ALL_COMMANDS],
    });
  },
});

const ALL_COMMANDS = { label: 'All commands', line: `/help ${ALL}` };

interface Task {
  readonly does: string;
  readonly label: string;
  readonly line: string;
}

async function tasks(context: Context): Promise<Reply> {
  const project = await exampleProject(context);
  const list: readonly Task[] = [
    { does: 'Get alerts about a project', label: 'Watch', line: commandLine('watch', project) },
    { does: 'See a project at a glance', label: 'Project', line: commandLine('project', project) },
    { does: 'Compare price and NAV', label: 'Premium', line: commandLine('premium', project, '3M') },
    { does: 'See which proposals are passing', label: 'Proposals', line: '/proposals' },
    { does: 'See token launches', label: 'Launches', line: '/launches' },
    { does: 'See the whole market', label: 'Overview', line: '/overview' },
    { does: 'Look up a wallet', label: 'Wallet', line: '/wallet' },
    { does: "Change this chat's alerts", label: 'Watchlist', line: '/watchlist' },
  ];
  return reply({
    finding: [{ strong: 'What would you like to do?' }],
    blocks: [{ kind: 'list', items: list.map(({ does, line: example }) => ({ line: [`${does}: `, { code: example }] })) }],
    actions: [...list.map(({ label, line: example }) => ({ label, line: example })), ALL_COMMANDS],
  });
}

async function exampleProject({ watchlists, chat, directory }: Context): Promise<string> {
  const watched = watchlists.read(chat).entries.flatMap(({ target }) => (target.kind === 'project' ? [target.slug] : []));
  const all = (await optional(directory.all())).answer ?? [];
  return watched[0] ?? all[0]?.slug ?? 'tide';
}

const everything = (commands: readonly CommandEntry[]): Reply =>
  reply({
    finding: [{ strong: 'All commands' }],
    blocks: [
      ...(['asking', 'watching', 'bot'] as const).flatMap((group) =>
        section(
          HEADINGS[group],
          commands.filter((entry) => (entry.group ?? 'asking') === group),
        ),
      ),
      line({ code: '/help premium' }, ' explains one command with examples.'),
    ],
    actions: [{ label: 'Common tasks', line: '/help' }],
  });

const section = (title: string, entries: readonly CommandEntry[]): readonly BlockDraft[] =>
  entries.length === 0
    ? []
    : [
        line({ strong: title }),
        { kind: 'list', items: entries.map(({ name, summary }) => ({ line: [{ code: `/${name}` }, `: ${summary}`] })) },
      ];

const inFull = (entry: CommandEntry): Reply =>
  reply({
    finding: [{ strong: `/${entry.name}` }, `: ${entry.summary}`],
    blocks: [
      line('Usage: ', { code: usage(entry) }),
      {
        kind: 'list',
        items: entry.options.map(({ name, summary, required, choices }) => ({
          line: [{ strong: name }, `${required ? '' : ' (optional)'}: ${summary}`],
          detail: choices && [choices.join(', ')],
        })),
      },
      line({ strong: entry.examples.length === 1 ? 'Example' : 'Examples' }),
      { kind: 'list', items: entry.examples.map((example) => ({ line: [{ code: example }] })) },
    ],
    actions: [ALL_COMMANDS, { label: 'Common tasks', line: '/help' }],
  });
