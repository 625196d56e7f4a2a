/** Takes the channel out of a question about another one, and writes the answer so that its buttons stay with that channel. */
import { both } from '../base/sentence-lists.js';
import type { Inbound } from '../chat/inbound.js';
import type { Probe } from '../chat/notifier.js';
import type { Block, Field, Reply } from '../chat/reply.js';
import { UserError } from '../reply/index.js';
import { nameOf, type RegisteredCommand } from './parse.js';

type Commands = ReadonlyMap<string, Pick<RegisteredCommand, 'command'>>;

/** Discord writes a channel so in text; a filled-in option arrives in the same form. */
const IN_LINE = /(?<=\s)(?:channel:\s*)?<#(\d{1,20})>(?=\s|$)/iu;
const ALONE = /^<#(\d{1,20})>$/u;

/** Parts the channel from the rest. It is undefined for commands that concern no channel. */
export function splitAsk(ask: Inbound['ask'], commands: Commands): { readonly ask: Inbound['ask']; readonly channel?: string } {
  if (!('line' in ask)) {
    const { channel: given, ...options } = ask.options;
    const [, channel] = ALONE.exec(given?.trim() ?? '') ?? [];
    return channel === undefined || !isElsewhere(ask.command, commands) ? { ask } : { ask: { ...ask, options }, channel };
  }
  if (!isElsewhere(nameOf(ask.line), commands)) return { ask };
  // What a pasted list has below its first line is text.
  const [head = '', ...below] = ask.line.split('\n');
  const [token, channel] = IN_LINE.exec(head) ?? [];
  if (token === undefined || channel === undefined) return { ask };
  const line = [head.replace(token, () => '').trimEnd(), ...below].join('\n');
  return { ask: { line }, channel };
}

const isElsewhere = (name: string, commands: Commands): boolean => commands.get(name)?.command.elsewhere === true;

type ElsewhereInbound = Inbound & Required<Pick<Inbound, 'elsewhere'>>;

/** Rejects with a `UserError` for a channel that the person does not manage now. */
export async function aboutChannel(inbound: Inbound, channel: string): Promise<ElsewhereInbound> {
  const { from, chat: askedIn } = inbound;
  if (from.inChannel === undefined) throw new UserError(SLASH_ONLY);
  const found = await from.inChannel(channel);
  if (found.kind === 'refused') throw new UserError(found.says);
  const { mayMention, chat, name, circles } = found;
  return {
    ...inbound,
    chat,
    circles,
    from: { id: from.id, name: from.name, manages: async () => true, direct: notBoth, ...(mayMention === undefined ? {} : { mayMention }) },
    elsewhere: { channel, name, askedIn },
  };
}

const SLASH_ONLY =
  'Another channel can be chosen with slash commands on Discord only, in their option "channel". Run the command in that channel.';

const notBoth = async (): Promise<never> => {
  throw new UserError('Alerts go to a private chat or to a channel. Leave one of the two out.');
};

/** Writes a line for the channel that the question concerns. */
export const typedThere = (line: string, { elsewhere }: Pick<Inbound, 'elsewhere'>): string =>
  elsewhere === undefined ? line : line.replace(/^(\/?\S+)/u, (name) => `${name} <#${elsewhere.channel}>`);

export interface ShownElsewhere {
  readonly channel: NonNullable<Inbound['elsewhere']>;
  readonly commands: Commands;
  /** It says what the bot lacks there. */
  readonly probe?: Probe;
}

/** Only the asker sees it, because others may not see that channel. Buttons that would concern the chat of the question are left out. */
export function shownElsewhere(answer: Reply, { channel, commands, probe }: ShownElsewhere): Reply {
  const there = <T extends { readonly line: string }>(one: T): readonly T[] => {
    const command = commands.get(nameOf(one.line))?.command;
    if (command?.elsewhere === true) return [{ ...one, line: typedThere(one.line, { elsewhere: channel }) }];
    return command?.group === 'watching' ? [] : [one];
  };
  return {
    ...answer,
    blocks: [{ kind: 'line', line: ['Channel: ', { strong: channel.name }] }, ...lacking(channel.name, probe), ...answer.blocks],
    actions: answer.actions.flatMap(there),
    fields: answer.fields.flatMap((field): readonly Field[] => {
      if (field.kind === 'text') return there(field);
      const options = field.options.flatMap(there);
      return options.length === 0 ? [] : [{ ...field, options }];
    }),
    ...(answer.form === undefined ? {} : { form: there(answer.form)[0] }),
    audience: 'asker',
  };
}

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
