/** Answers questions about another channel or chat. The buttons of such an answer concern that chat too. */
import { both, capitalised } from '../base/sentence-lists.js';
import { localOf, type Address } from '../chat/address.js';
import { ActiveOnlyError } from '../chat/forwarding.js';
import type { Inbound } from '../chat/inbound.js';
import type { Probe } from '../chat/notifier.js';
import type { ActionDraft, Block, Field, Reply } from '../chat/reply.js';
import type { Decision } from '../reading/decide.js';
import { UserError } from '../reply/index.js';
import { nameOf, type RegisteredCommand } from './parse.js';

type Commands = ReadonlyMap<string, Pick<RegisteredCommand, 'command'>>;

/** Matches a channel in a line: Discord's `<#id>`, which options and our buttons also use, or a typed `channel:@name`. */
const IN_LINE = /(?<=\s)(?:channel:\s*)?<#(-?\d{1,20})>(?=\s|$)|(?<=\s)channel:\s*(@\w{4,32}|-?\d{5,20})(?=\s|$)/iu;
const ALONE = /^<#(-?\d{1,20})>$/u;

/** Separates the channel from the rest. The channel is undefined for commands that concern none. */
export function splitAsk(ask: Inbound['ask'], commands: Commands): { readonly ask: Inbound['ask']; readonly channel?: string } {
  if (!('line' in ask)) {
    const { channel: given, ...options } = ask.options;
    const [, channel] = ALONE.exec(given?.trim() ?? '') ?? [];
    return channel === undefined || !isElsewhere(ask.command, commands) ? { ask } : { ask: { ...ask, options }, channel };
  }
  if (!isElsewhere(nameOf(ask.line), commands)) return { ask };
  // Only the first line is searched; the lines below it are a pasted list.
  const [head = '', ...below] = ask.line.split('\n');
  const [token, written, typed] = IN_LINE.exec(head) ?? [];
  const channel = written ?? typed;
  if (token === undefined || channel === undefined) return { ask };
  const line = [head.replace(token, () => '').trimEnd(), ...below].join('\n');
  return { ask: { line }, channel };
}

const isElsewhere = (name: string, commands: Commands): boolean => commands.get(name)?.command.elsewhere === true;

export type ElsewhereInbound = Inbound & Required<Pick<Inbound, 'elsewhere'>>;

/** Makes a question about the channel. Rejects with a `UserError` if the person does not manage it now. */
export async function aboutChannel(inbound: Inbound, channel: string): Promise<ElsewhereInbound> {
  const { from, chat: askedIn } = inbound;
  if (from.inChannel === undefined) throw new UserError(NOT_FROM_HERE);
  const found = await from.inChannel(channel);
  if (found.kind === 'refused') throw new UserError(found.says);
  const { mayMention, chat, name, circles, author = from.name } = found;
  return {
    ...inbound,
    chat,
    circles,
    from: { id: from.id, name: author, manages: async () => true, direct: notBoth, ...(mayMention === undefined ? {} : { mayMention }) },
    elsewhere: { channel: localOf(chat), name, askedIn },
  };
}

const NOT_FROM_HERE =
  'Another channel can be chosen with slash commands on Discord, in their option "channel", and in a private chat with me on Telegram. Run the command in that channel.';

const notBoth = async (): Promise<never> => {
  throw new UserError('Alerts go to a private chat or to a channel. Leave one of the two out.');
};

export interface AboutDeps {
  readonly commands: Commands;
  /** Reads what a sentence asks for. */
  readonly meant: (sentence: string, inbound: Inbound) => Promise<Decision>;
  /** Resolves with the asker's circles. Rejects with a `UserError` for people who may not ask there. */
  readonly admit: (inbound: Inbound) => Promise<readonly string[]>;
  readonly answer: (inbound: Inbound, circles: readonly string[]) => Promise<Reply>;
  /** Turns an error into a reply. */
  readonly failed: (error: unknown, inbound: Inbound) => Reply;
  readonly probe: (chat: Address) => Promise<Probe>;
  readonly placeWord: (chat: Address) => string;
}

/** Answers about the channel that the question names, else the one that the person manages from here, else the chat itself. */
export async function answerAbout(inbound: Inbound, deps: AboutDeps): Promise<Reply> {
  const { ask, channel: named } = splitAsk(inbound.ask, deps.commands);
  const channel = named ?? (await chosenFor(inbound, deps));
  if (channel === undefined) {
    const answer = await deps.answer(inbound, await deps.admit(inbound));
    return concernsThisChat(inbound, deps) ? answer : withChosen(answer, inbound, deps);
  }
  await deps.admit(inbound).catch((error: unknown) => {
    // A manager of a listed channel may ask about it from elsewhere. People who are not listed must not cause the costly lookup of a name.
    if (!(error instanceof UserError) || channel.startsWith('@')) throw error;
  });
  const there = await aboutChannel({ ...inbound, ask }, channel).catch((error: unknown) => {
    throw named === undefined && error instanceof UserError ? stillChosen(error, inbound) : error;
  });
  const shown = {
    ...{ channel: there.elsewhere, commands: deps.commands, word: deps.placeWord(there.chat) },
    ...{
      isChosen: named === undefined || inbound.chosen?.channel === there.elsewhere.channel,
      isAlone: inbound.from.managed !== undefined,
    },
  };
  try {
    const answer = await deps.answer(there, await deps.admit(there));
    return shownElsewhere(answer, { ...shown, probe: await deps.probe(there.chat) });
  } catch (error) {
    if (error instanceof ActiveOnlyError) throw error;
    return shownElsewhere(deps.failed(error, there), shown);
  }
}

/** Tells whether a question stays with its chat: buttons from before the choice, deep links, and commands that never concern another chat. */
function concernsThisChat({ ask }: Inbound, { commands }: AboutDeps): boolean {
  const name = 'line' in ask ? nameOf(ask.line) : ask.command;
  return name === 'start' || commands.get(name)?.command.group === 'watching';
}

/** Returns the channel that the person manages from here. A button is excluded: it names its chat, and may be older than the choice. */
async function chosenFor(inbound: Inbound, { commands, meant: read }: AboutDeps): Promise<string | undefined> {
  const { ask, chosen } = inbound;
  if (chosen?.isTyped !== true || !('line' in ask)) return undefined;
  const name = nameOf(ask.line);
  if (commands.has(name)) return isElsewhere(name, commands) ? chosen.channel : undefined;
  const decision = await read(ask.line, inbound);
  const [meant] = decision.kind === 'run' ? [decision.line] : decision.kind === 'propose' ? decision.lines : [];
  return meant !== undefined && isElsewhere(nameOf(meant), commands) ? chosen.channel : undefined;
}

const DONE: ActionDraft & { readonly on: boolean } = { label: 'Done', line: '/manage done', on: false };

function stillChosen({ says, remedy }: UserError, { chosen }: Pick<Inbound, 'chosen'>): UserError {
  if (chosen === undefined) return new UserError(says, remedy);
  return new UserError(says, {
    ...remedy,
    lines: [
      ...(remedy.lines ?? []),
      ['Nothing was changed. You are managing ', { strong: chosen.name }, ' from here until you press Done.'],
    ],
    actions: [...(remedy.actions ?? []), DONE],
  });
}

/** Writes a line for the channel that the question concerns. */
export const typedThere = (line: string, { elsewhere }: { readonly elsewhere?: { readonly channel: string } | undefined }): string =>
  elsewhere === undefined ? line : line.replace(/^(\/?\S+)/u, (name) => `${name} <#${elsewhere.channel}>`);

/** Makes the buttons of an answer concern the channel. With `only`, buttons for the chat of the question are left out. */
function withButtons(
  answer: Reply,
  { channel, commands, only }: { channel: { readonly channel: string }; commands: Commands; only: boolean },
) {
  const there = <T extends { readonly line: string }>(one: T): readonly T[] => {
    const command = commands.get(nameOf(one.line))?.command;
    if (command?.elsewhere === true && splitAsk({ line: one.line }, commands).channel === undefined)
      return [{ ...one, line: typedThere(one.line, { elsewhere: channel }) }];
    return only && command?.elsewhere !== true && command?.group === 'watching' ? [] : [one];
  };
  return {
    ...answer,
    actions: answer.actions.flatMap(there),
    fields: answer.fields.flatMap((field): readonly Field[] => {
      if (field.kind === 'text') return there(field);
      const options = field.options.flatMap(there);
      return options.length === 0 ? [] : [{ ...field, options }];
    }),
    ...(answer.form === undefined ? {} : { form: there(answer.form)[0] }),
  };
}

/** Completes an answer that concerns no chat while another chat is managed: its buttons concern the managed chat. */
function withChosen(answer: Reply, { chosen }: Pick<Inbound, 'chosen'>, { commands }: Pick<AboutDeps, 'commands'>): Reply {
  return chosen === undefined ? answer : withButtons(answer, { channel: chosen, commands, only: false });
}

export interface ShownElsewhere {
  readonly channel: NonNullable<Inbound['elsewhere']>;
  readonly commands: Commands;
  /** The word for the place, such as "channel". */
  readonly word: string;
  /** What the bot lacks there. */
  readonly probe?: Probe;
  /** Typed commands concern this chat until the person leaves it. */
  readonly isChosen?: boolean;
  /** Nobody else is in the chat of the question. */
  readonly isAlone?: boolean;
}

/** Shows the answer to the asker only, because others may not see that channel. Leaves out buttons for the chat of the question. */
export function shownElsewhere(
  answer: Reply,
  { channel, commands, word, probe, isChosen = false, isAlone = false }: ShownElsewhere,
): Reply {
  const shown = withButtons(answer, { channel, commands, only: true });
  return {
    ...shown,
    blocks: [
      ...(isNamed(channel.name, answer) ? [] : [{ kind: 'line' as const, line: [`${capitalised(word)}: `, { strong: channel.name }] }]),
      ...lacking(channel.name, probe),
      ...answer.blocks,
    ],
    ...(isChosen ? { actions: [...shown.actions.filter(({ line }) => line !== DONE.line), DONE] } : {}),
    ...(isAlone ? {} : { audience: 'asker' as const }),
  };
}

/** Tells whether the answer begins with the channel's name, which is then not repeated. */
const isNamed = (name: string, { finding }: Pick<Reply, 'finding'>): boolean =>
  finding.some((span) => (typeof span === 'string' ? span : 'strong' in span ? span.strong : '').includes(name));

function lacking(name: string, { missing, blocked, tags = [] }: Probe = { missing: [] }): readonly Block[] {
  if (blocked !== undefined) return [{ kind: 'line', line: [`⚠ ${blocked}`] }];
  if (missing.length === 0 && tags.length > 0)
    return [
      {
        kind: 'line',
        line: ['⚠ Posts go without some tags: grant me ', { strong: 'Manage Channels' }, ` there, or make them: ${tags.join(', ')}.`],
      },
    ];
  if (missing.length === 0) return [];
  return [{ kind: 'line', line: [`⚠ I can't post alerts in ${name}: I need `, { strong: both(missing) }, ' there.'] }];
}
