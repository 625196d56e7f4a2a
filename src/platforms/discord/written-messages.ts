/** Answers messages that people write to the bot in private, and in servers if mentions are switched on. */
import { PermissionFlagsBits } from 'discord.js';
import { RecentMap } from '../../base/bounded-cache.js';
import { SECOND, type Clock } from '../../base/clock.js';
import { unlessAborted } from '../../base/deadline.js';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import type { Catalogue } from '../../chat/catalogue.js';
import { isOverheard, type Answerer, type Inbound } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import { textOnly, type Prepared, type UploadLimits } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import { Conversation, Conversations } from '../conversation.js';
import { addressOf } from './address.js';
import { ChannelReply } from './channel-reply.js';
import { attachedFile, directChat } from './inbound.js';
import { DEFAULT_MAX_UPLOAD, has } from './interaction.js';
import type { CommandIds } from './markup.js';
import { inWords } from './outcome.js';
import { mayMention, permissionsIn, type Membership, type PermissionCache } from './permissions.js';
import type { ChatOf } from './guilds.js';
import type { ServerPingRoles } from './ping-roles.js';
import type { RestCall } from './rest.js';
import { readMessage, type WrittenQuestion } from './written-question.js';

export interface MessageDeps {
  readonly call: RestCall;
  readonly actions: Actions;
  readonly commandIds: () => CommandIds;
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  readonly membership: Membership;
  readonly pingRoles: ServerPingRoles;
  readonly chatOf: ChatOf;
  readonly permissions: Pick<PermissionCache, 'read'>;
  /** Returns the channel of a thread or the category of a channel. */
  readonly parentOf: (channel: string) => string | undefined;
  readonly prepare: (reply: Reply, room: UploadLimits) => Prepared;
  readonly clock: Clock;
  readonly log: Log;
  readonly deferAfterMs: number;
}

const STOP_PATIENCE = 4 * SECOND;
const MAX_FILES = 10;
/** How many messages of one person, and of one channel, may wait, so that a crowd does not delay the others. */
const MAX_WAITING_OF_PERSON = 10;
const MAX_WAITING_OF_CHANNEL = 30;
/** How many messages are remembered, because the gateway repeats events after a reconnect. */
const MAX_REMEMBERED = 1_000;
/** How many answers are remembered, because a reply to an answer is a question. */
const MAX_ANSWERS = 5_000;

export class Messages {
  readonly #deps: MessageDeps;
  readonly #conversations: Conversations;
  readonly #lanes = lanes();
  readonly #waiting = new Map<string, number>();
  readonly #seen = new RecentMap<string, true>(MAX_REMEMBERED);
  readonly #answers = new RecentMap<string, true>(MAX_ANSWERS);
  /** Permission reads under way, so that a crowd in one channel causes one read. */
  readonly #reading = new Map<string, ReturnType<PermissionCache['read']>>();
  /** The missing permission that was last logged for each channel. */
  readonly #logged = new RecentMap<string, string>(MAX_REMEMBERED);
  readonly #over = new AbortController();
  #stopped = false;

  constructor(deps: MessageDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#conversations = new Conversations({
      clock,
      onFailure: (error) => log.warn('discord.picture-not-added', { because: inWords(error) }),
    });
  }

  /** Answers in the background. Returns undefined if the message is not for the bot. */
  receive(data: unknown, me: string): WrittenQuestion | undefined {
    const question = this.#stopped ? undefined : this.#read(data, me);
    if (question === undefined || this.#seen.has(question.message)) return undefined;
    this.#seen.set(question.message, true);
    const keys = [`person/${question.person.id}`, `channel/${question.channel}`] as const;
    const [ofPerson, ofChannel] = keys.map((key) => this.#waiting.get(key) ?? 0);
    if ((ofPerson ?? 0) >= MAX_WAITING_OF_PERSON || (question.guild !== undefined && (ofChannel ?? 0) >= MAX_WAITING_OF_CHANNEL)) {
      this.#deps.log.debug('discord.message-left-out', { chat: addressOf(question.channel) });
      return undefined;
    }
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    // One lane per person and channel, because a follow-up needs the result of the question before it.
    void this.#lanes
      .run(`${question.channel}/${question.person.id}`, async () => this.#handle(question))
      .finally(() => {
        for (const key of keys) {
          const left = (this.#waiting.get(key) ?? 1) - 1;
          if (left > 0) this.#waiting.set(key, left);
          else this.#waiting.delete(key);
        }
      });
    return question;
  }

  /** Waits up to `STOP_PATIENCE` for the answers under way, then aborts them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const finished = new AbortController();
    this.#deps.clock.sleep(STOP_PATIENCE, finished.signal).then(
      () => this.#over.abort(new Error('The bot stops.')),
      () => undefined,
    );
    await this.#lanes.idle();
    await unlessAborted(this.#over.signal, this.#conversations.idle()).catch(() => undefined);
    finished.abort();
  }

  #read(data: unknown, me: string): WrittenQuestion | undefined {
    const { log } = this.#deps;
    try {
      const read = readMessage(data, { me, isAnswer: (message) => this.#answers.has(message) });
      if (read.kind === 'question') return read;
      log.debug('discord.message-ignored', { because: read.because });
    } catch (error) {
      log.warn('discord.message-unknown', { error });
    }
    return undefined;
  }

  /** Never rejects. */
  async #handle(question: WrittenQuestion): Promise<void> {
    const { log } = this.#deps;
    try {
      const access = await this.#accessTo(question);
      if (access.mayPost) await this.#answer(question, access.refers);
    } catch (error) {
      log.warn('discord.not-answered', { chat: addressOf(question.channel), because: inWords(error) });
    }
  }

  /** Reads what the bot may do in the channel, so that an answer that cannot be posted is not computed. Rejects with the library's errors. */
  async #accessTo({ guild, channel }: WrittenQuestion): Promise<{ readonly mayPost: boolean; readonly refers: boolean }> {
    const { permissions, log } = this.#deps;
    if (guild === undefined) return { mayPost: true, refers: true };
    const reading = this.#reading.get(channel) ?? permissions.read(channel).finally(() => this.#reading.delete(channel));
    this.#reading.set(channel, reading);
    const { missing, readback } = await reading;
    const lacks = missing.join(', ');
    if (lacks !== '' && this.#logged.get(channel) !== lacks)
      log.warn('discord.mention-not-answered', { chat: addressOf(channel), missing });
    this.#logged.set(channel, lacks);
    return { mayPost: lacks === '', refers: readback === undefined };
  }

  async #answer(question: WrittenQuestion, refers: boolean): Promise<void> {
    const { call, actions, commandIds, answer, prepare, log, deferAfterMs } = this.#deps;
    const surface = new ChannelReply({
      ...{ call, actions, commandIds, log, refers, channel: question.channel, question: question.message },
      onPosted: (message) => this.#answers.set(message, true),
    });
    const conversation = new Conversation(this.#conversations, surface, { key: question.message, signal: this.#over.signal });
    if (question.line === '') return conversation.show(textOnly(this.#fileHint()));
    const inbound = await this.#inbound(question, conversation);
    // "typing" is not shown for a message that the bot may leave unanswered.
    if (!isOverheard(inbound))
      conversation.acknowledgeAfter(deferAfterMs, (error) => log.debug('discord.not-typing', { because: inWords(error) }));
    const said = await answer(inbound);
    const room = { picture: DEFAULT_MAX_UPLOAD, together: DEFAULT_MAX_UPLOAD, count: MAX_FILES };
    await conversation.show(prepare(said, room));
  }

  #fileHint(): Reply {
    const names = this.#deps.catalogue.commands.flatMap(({ name, options }) =>
      options.some(({ file }) => file === true) ? [`/${name}`] : [],
    );
    const says =
      names.length === 0 ? "I can't read files." : `What should I do with this file? Attach it to a command: ${names.join(', ')}.`;
    return reply({ tone: 'warning', finding: [says], audience: 'asker' });
  }

  async #inbound(question: WrittenQuestion, conversation: Conversation): Promise<Inbound> {
    const { call, membership, pingRoles, parentOf, chatOf, clock, log } = this.#deps;
    const { channel, guild, person, line, addressing, files, message } = question;
    const parent = guild === undefined ? undefined : parentOf(channel);
    const chat = await chatOf({ channel, parent });
    let reading: Promise<bigint> | undefined;
    const granted = async (): Promise<bigint> =>
      guild === undefined ? 0n : (reading ??= permissionsIn(call, { channel, guild, user: person.id }));
    return {
      chat,
      from: {
        id: `discord/${person.id}`,
        name: person.name,
        manages: async () => guild === undefined || has(await granted().catch(() => 0n), PermissionFlagsBits.ManageChannels),
        mayMention: async (mention) => mayMention(call, { guild, channel, person, permissions: await granted() }, mention),
        direct: async () => directChat(call, { guild, isOutside: false, chat, person }),
        isIn: async (circle) => membership(circle, person.id),
        ...(guild === undefined ? {} : { pingRoles: pingRoles.of({ guild, channel, person: person.id, question: message }) }),
      },
      ask: { line },
      circles: [
        ...(guild === undefined ? [] : [`discord/guild/${guild}`]),
        `discord/channel/${channel}`,
        ...(parent === undefined ? [] : [`discord/channel/${parent}`]),
        `discord/user/${person.id}`,
      ],
      ...(addressing === undefined ? {} : { addressing }),
      ...(files.length === 0 ? {} : { files: files.map((file) => attachedFile(file, { clock })) }),
      progress: async (interim) =>
        conversation.interim(interim).catch((error: unknown) => log.debug('discord.no-progress', { chat, because: inWords(error) })),
      signal: this.#over.signal,
    };
  }
}
