/** /help [command]: common tasks, all commands, or one in full. */
import { z } from 'zod';
import { brief } from '../src/base/one-line.js';
import { either } from '../src/base/sentence-lists.js';
import { reply, type BlockDraft, type Line, type Reply } from '../src/chat/reply.js';
import type { CommandEntry } from '../src/chat/catalogue.js';
import { defineCommand, usage } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import {
  UserError,
  ages,
  commandLine,
  fieldOf,
  line,
  nearest,
  optional,
  projectRows,
  MAX_MENU_OPTIONS,
  textOption,
} from '../src/reply/index.js';
import { glossaryTerms, type GlossaryTerm } from '../src/domain/glossary-terms.js';
import { termNamed } from '../src/domain/glossary.js';

const HEADINGS = { asking: 'Data', watching: 'Alerts', bot: 'Bot' } as const;
const ALL = 'all';
const GLOSSARY = 'glossary';

export default defineCommand({
  name: 'help',
  summary: 'What you can do here',
  group: 'bot',
  audience: 'asker',
  args: z.object({
    command: textOption('a command, a term such as nav, permissions, topics, all or glossary').meta({ complete: 'command', rest: true }),
  }),
  examples: ['/help', '/help all', '/help premium', '/help nav', '/help glossary'],
  phrases: {
    '/help all': `list all commands | all commands | help all | full command list | every command | what commands are there`,
    '/help': `help | what can you do | commands | how does this work | help please | what can I ask | how do I use you | list all commands |
      what commands are there | what can you do for my server | how I must use you explain a little | hello what can you do | I need
      help | instructions | how do you work | what are you for | I don't know what to do`,
    '/help glossary': `glossary | list of terms | dictionary | all terms | vocabulary | which terms do you know | explain all the terms | show the glossary |
      what do all these words mean`,
    '/help {term}': `what is nav | what is a runway | what does twap mean | explain premium | meaning of tranche | define pass edge | what is an
      ownership coin | nav meaning | what does treasury mean | twap | what means runway | explain futarchy | eli5 decision market |
      what is meant by premium | what is a discount | how do decision markets work | explain vesting in simple words | what does burn
      mean | what do you call a tranche | pass edge what does this signify | what is a dao | what is an opco | explain hysteresis |
      whats a quiet hours | explain me the word premium how you use it | what is minting | runway ? | what is backtest | what is a
      z-score | what is a digest | definition of nav | how is runway calculated | can you explain tranches in one sentence | I don't
      understand vesting can you explain that | what is liquidity | what is a cliff | why would anybody burn a token what does that
      mean | difference between dao and opco | what's market cap | how do you calc runway`,
    '/help {about}': `how do I use screen | help with premium command | how does muting work here | help watch | how do alerts work | help screen |
      how to use mute | explain the watch command | how does the digest work`,
  },

  async run({ command: name }, context) {
    const { commands } = context.catalogue;
    if (name === undefined) return tasks(context);
    const wanted = name.replace(/^\//u, '').toLowerCase();
    if (wanted === ALL || wanted === 'commands') return everything(commands);
    if (wanted === GLOSSARY || wanted === 'terms') return glossary();
    const page = PAGES.find(({ names }) => names.includes(wanted));
    if (page !== undefined) return pageOf(page);
    const found = commands.find((entry) => entry.name === wanted);
    const term = termNamed(wanted);
    if (found) return inFull(found, term);
    if (term !== undefined) return explained(term, context);
    const near = nearest(
      wanted,
      commands.map((entry) => entry.name),
    );
    throw new UserError(`No command "${brief(wanted)}".${near.length === 0 ? '' : ` Did you mean ${either(near)}?`}`, {
      actions: [...near.map((other) => ({ label: other, line: `/help ${other}` })), ALL_COMMANDS],
    });
  },
});

/** Explains a term, with a project's figure as an example if one shows it. */
async function explained(term: GlossaryTerm, context: Context): Promise<Reply> {
  const slug = await exampleProject(context);
  const shown = term.line.replace('{project}', slug);
  const figure = await exampleOf(term, slug, context);
  return reply({
    finding: [{ strong: term.title }, ': ', uncapitalised(term.says)],
    blocks: figure === undefined ? [] : [figure.line],
    actions: [{ label: 'Example', line: shown }, ALL_COMMANDS],
    ...figure?.ages,
  });
}

/** Returns an example; undefined if no figure shows the term or it cannot be read now. */
async function exampleOf({ figure }: GlossaryTerm, slug: string, { analytics, signal }: Context) {
  if (figure === undefined) return undefined;
  const { answer: found } = await optional(projectRows(analytics, { activity: false, signal }));
  const row = found?.rows.find((one) => one.slug === slug) ?? found?.rows[0];
  const value = row && fieldOf(figure).of(row);
  if (found === undefined || row === undefined || value === undefined) return undefined;
  return {
    line: line(`For example, ${row.symbol ?? row.name ?? slug}: `, { strong: fieldOf(figure).show(value) }, '.'),
    ages: ages(found),
  };
}

/** Lists all terms, with buttons. */
const glossary = (): Reply =>
  reply({
    finding: [{ strong: 'Glossary' }, `: ${glossaryTerms.length} terms`],
    blocks: [
      line(
        glossaryTerms
          .map(({ title }) => title)
          .toSorted()
          .join(' · '),
      ),
      line('Ask for one, such as ', { code: 'what is NAV' }, '.'),
    ],
    actions: [ALL_COMMANDS],
    fields: [
      {
        kind: 'menu',
        label: 'Explain a term',
        options: glossaryTerms
          .toSorted((one, other) => menuRank(one) - menuRank(other))
          .slice(0, MAX_MENU_OPTIONS)
          .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
          .map(({ id, title }) => ({ label: title, line: commandLine('help', id) })),
      },
    ],
  });

/** Not all terms fit into the menu: those with a figure come first, and those that are ordinary words last. */
const menuRank = ({ figure, isCommonWord }: GlossaryTerm): number => (figure !== undefined ? 0 : isCommonWord === true ? 2 : 1);

/** Makes the first letter lower case for a sentence after a colon, except in names such as NAV. */
const uncapitalised = (text: string): string =>
  /^\p{Lu}[\p{Ll}'\s]/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

const ALL_COMMANDS = { label: 'All commands', line: `/help ${ALL}` };

interface Page {
  readonly names: readonly [string, ...string[]];
  readonly finding: Line;
  readonly items: readonly Line[];
  readonly actions: readonly { readonly label: string; readonly line: string }[];
}

const PAGES: readonly Page[] = [
  {
    names: ['permissions', 'permission', 'rights', 'administrators', 'admins', 'moderators'],
    finding: [{ strong: 'Administrators change what is alerted here' }, ', and everyone can ask'],
    items: [
      ['On Discord: members with Manage Channels. On Telegram: administrators of the group; in a channel, those who may post.'],
      ['They change the watchlist, alerts, mutes, the digest, the board and the settings. Each button checks who presses it.'],
      ['In a private chat with me, you change your own watchlist.'],
    ],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Settings', line: '/settings' },
    ],
  },
  {
    names: ['topics', 'topic', 'threads', 'thread'],
    finding: [{ strong: 'Alerts go to the topic in which you type /watch' }, '. Each topic or thread has its own watchlist'],
    items: [
      ['To move one project: ', { code: '/watch tide' }, ' in the other topic, then ', { code: '/unwatch tide' }, ' here.'],
      [
        ...[
          'To move everything: ',
          { code: '/watchlist export' },
          ' here, ',
          { code: '/watchlist import' },
          ' with that file there, then ',
        ],
        ...[{ code: '/unwatch' }, ' what is watched here.'],
      ],
      ['Mutes, quiet hours, the digest and the board belong to a topic too.'],
    ],
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      { label: 'Export watchlist', line: '/watchlist export' },
    ],
  },
  {
    names: ['forgetting', 'forget', 'members', 'member'],
    finding: [{ strong: 'Each person deletes their own data' }, ': they type ', { code: '/privacy delete me' }],
    items: [
      ['It works in any chat with me, and removes their name and id from all chats. Nobody can do it for someone else.'],
      ['Administrators can delete everything about a chat, with the names in it: ', { code: '/privacy delete chat' }, ' in that chat.'],
    ],
    actions: [
      { label: 'Stored data', line: '/privacy' },
      { label: 'Delete my name', line: '/privacy delete me' },
    ],
  },
];

const pageOf = ({ finding, items, actions }: Page): Reply =>
  reply({
    finding,
    blocks: [{ kind: 'list', items: items.map((item) => ({ line: item })) }],
    actions: [...actions, ALL_COMMANDS],
  });

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
      line(
        ...['Also: ', { code: '/help permissions' }, ' (who can change alerts), ', { code: '/help topics' }, ' and '],
        ...[{ code: '/help forgetting' }, ' (data of other people).'],
      ),
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

const inFull = (entry: CommandEntry, term: GlossaryTerm | undefined): Reply =>
  reply({
    finding: [{ strong: `/${entry.name}` }, `: ${entry.summary}`],
    blocks: [
      ...(term === undefined ? [] : [line({ strong: term.title }, `: ${uncapitalised(term.says)}`)]),
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
