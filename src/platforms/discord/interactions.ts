/** Answers interactions: commands, buttons, menus, forms and option completion. */
import { InteractionResponseType, MessageFlags } from 'discord.js';
import { RecentMap } from '../../base/bounded-cache.js';
import { SECOND, type Clock } from '../../base/clock.js';
import { unlessAborted, within } from '../../base/deadline.js';
import type { Log } from '../../base/log.js';
import type { Catalogue } from '../../chat/catalogue.js';
import { ActiveOnlyError, type Forwarding } from '../../chat/forwarding.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import { textOnly, type Prepared, type UploadLimits } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import { Conversation, Conversations } from '../conversation.js';
import { isAboutChannel, otherChannel } from './other-channel.js';
import { truncateLine } from '../truncate.js';
import { MAX_CHOICE, askedBy, formOf, isForm, isStep, leadsBack, modalOf, payloadOf, stepComponents, stepOf } from './components.js';
import { editLine, editModal, editOf, isEdit } from './edit-form.js';
import { openHandOver, type HandOver } from './hand-over.js';
import { attachedFile, directChat } from './inbound.js';
import { readInteraction, type Interaction, type PressedMessage } from './interaction.js';
import { plain, type CommandIds } from './markup.js';
import { inWords, isCode } from './outcome.js';
import { mayMention, type Membership } from './permissions.js';
import type { ChatOf } from './guilds.js';
import type { ServerPingRoles } from './ping-roles.js';
import { noWallet, walletsIn, watchLine, whichWallet } from './register-commands.js';
import { DiscordReply, acknowledge, type DiscordReplyDeps } from './reply-surface.js';
import type { RestCall } from './rest.js';

/** Discord waits 3 seconds for the first response; the remainder is for the network and one retry. */
export const DEFER_AFTER = 1.2 * SECOND;
const STOP_PATIENCE = 4 * SECOND;
/** https://docs.discord.com/developers/resources/message#create-message */
const MAX_FILES = 10;
/** https://docs.discord.com/developers/interactions/application-commands#autocomplete */
const MAX_CHOICES = 25;
const COMPLETE_WITHIN = 2 * SECOND;
/** How many questions of one person may be under way, in all channels and servers. */
const MAX_UNDER_WAY_OF_PERSON = 30;
/** How many interactions are remembered, because the gateway repeats events after a reconnect. */
const MAX_REMEMBERED = 1_000;

export interface InteractionDeps {
  readonly call: RestCall;
  readonly actions: Actions;
  readonly commandIds: () => CommandIds;
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  readonly membership: Membership;
  readonly pingRoles: ServerPingRoles;
  /** Returns the chat of a channel; for a forum post, the chat of its forum. */
  readonly chatOf: ChatOf;
  readonly prepare: (reply: Reply, room: UploadLimits) => Prepared;
  readonly clock: Clock;
  readonly log: Log;
  readonly deferAfterMs: number;
  readonly forwarding?: Forwarding | undefined;
}

export class Interactions {
  readonly #deps: InteractionDeps;
  readonly #stopping = new AbortController();
  readonly #handOver: HandOver | undefined;
  readonly #underWay = new Set<Promise<void>>();
  readonly #underWayOf = new Map<string, number>();
  readonly #seen = new RecentMap<string, true>(MAX_REMEMBERED);
  readonly #over = new AbortController();
  readonly #conversations: Conversations;
  #stopped = false;

  constructor(deps: InteractionDeps) {
    this.#deps = deps;
    const { forwarding, log, clock } = deps;
    this.#handOver = forwarding && openHandOver({ forwarding, log, stopping: this.#stopping.signal });
    this.#conversations = new Conversations({
      clock,
      onFailure: (error) => log.warn('discord.picture-not-added', { because: inWords(error) }),
    });
  }

  /** Answers in the background. Returns undefined if there is nothing to do. */
  receive(data: unknown): Interaction | undefined {
    const interaction = this.#stopped ? undefined : this.#read(data, false);
    if (interaction === undefined || this.#seen.has(interaction.id)) return undefined;
    this.#seen.set(interaction.id, true);
    void this.#begin(interaction);
    return interaction;
  }

  /** Answers an interaction that another process acknowledged and forwarded. Resolves when it is answered. */
  async take(data: unknown, endTurn?: () => void): Promise<Interaction | undefined> {
    if (this.#stopped) throw new Error('discord: the process stops');
    const interaction = this.#read(data, true);
    if (interaction !== undefined) await this.#begin(endTurn === undefined ? interaction : { ...interaction, endTurn });
    return interaction;
  }

  /** Waits up to `STOP_PATIENCE` for the interactions under way, then aborts them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping.abort(new Error('The bot stops.'));
    const finished = new AbortController();
    this.#deps.clock.sleep(STOP_PATIENCE, finished.signal).then(
      () => this.#over.abort(new Error('The bot stops.')),
      () => undefined,
    );
    await Promise.all(this.#underWay);
    await unlessAborted(this.#over.signal, this.#conversations.idle()).catch(() => undefined);
    finished.abort();
  }

  async #respond(
    interaction: Interaction,
    ask: Inbound['ask'],
    { target, origin }: { target: 'new message' | 'edit' | 'ephemeral edit'; origin?: string | undefined },
  ): Promise<void> {
    const { catalogue, deferAfterMs, log, answer, prepare } = this.#deps;
    const name = 'command' in ask ? ask.command : nameOf(ask.line);
    const command = catalogue.commands.find((one) => one.name === name);
    // Where the server has not installed the bot, answers are for the asker alone. A message that everybody sees stays public when edited.
    const isPrivate =
      interaction.isOutside ||
      isAboutChannel(ask) ||
      command?.audience === 'asker' ||
      (command?.personal === true && target === 'new message');
    const edits = target === 'new message' ? undefined : (origin ?? interaction.id);
    // An edit of an ephemeral message stays ephemeral.
    const conversation = this.#converse(interaction, { command: name, edits, isPrivate: isPrivate && target !== 'ephemeral edit' });
    if ((await this.#handOver?.isBehind(interaction)) === true) return this.#handOver?.forward(interaction, conversation);
    conversation.acknowledgeAfter(deferAfterMs, (error) =>
      log.warn('discord.not-deferred', { chat: interaction.chat, because: inWords(error) }),
    );
    let said: Reply;
    try {
      said = await answer(this.#inbound(interaction, ask, conversation));
    } catch (error) {
      if (this.#handOver === undefined || !(error instanceof ActiveOnlyError)) throw error;
      return this.#handOver.forward(interaction, conversation);
    }
    const room = { picture: interaction.maxUploadBytes, together: interaction.maxUploadBytes, count: MAX_FILES };
    await conversation.show(prepare(said, room));
  }

  #inbound(interaction: Interaction, ask: Inbound['ask'], conversation: Conversation): Inbound {
    const { call, membership, pingRoles, clock, log } = this.#deps;
    const { guild, channel, person, id, isOutside } = interaction;
    return {
      chat: interaction.chat,
      from: {
        id: `discord/${interaction.person.id}`,
        name: interaction.person.name,
        manages: async () => interaction.manages,
        mayMention: async (mention) => mayMention(call, interaction, mention),
        direct: async () => directChat(call, interaction),
        isIn: async (circle) => membership(circle, interaction.person.id),
        inChannel: async (other) => otherChannel(call, { ...interaction, other, log }),
        ...(guild === undefined || isOutside ? {} : { pingRoles: pingRoles.of({ guild, channel, person: person.id, question: id }) }),
      },
      ...(interaction.isOutside ? { outside: true as const } : {}),
      ask,
      ...('files' in interaction.request &&
        interaction.request.files.length > 0 && { files: interaction.request.files.map((file) => attachedFile(file, { clock })) }),
      circles: interaction.circles,
      progress: async (interim) =>
        conversation
          .interim(interim)
          .catch((error: unknown) => log.debug('discord.no-progress', { chat: interaction.chat, because: inWords(error) })),
      ...(interaction.endTurn === undefined ? {} : { endTurn: interaction.endTurn }),
      signal: this.#over.signal,
    };
  }

  #converse(interaction: Interaction, how: Pick<DiscordReplyDeps, 'command' | 'edits' | 'isPrivate'>): Conversation {
    const { call, actions, commandIds, log } = this.#deps;
    return new Conversation(this.#conversations, new DiscordReply({ call, actions, commandIds, log, interaction, ...how }), {
      key: how.edits ?? interaction.id,
      signal: this.#over.signal,
    });
  }

  async #press(interaction: Interaction, { payload, label, on }: Extract<Interaction['request'], { kind: 'press' }>): Promise<void> {
    if (isEdit(payload)) return this.#openEdit(interaction, payload);
    if (isForm(payload)) return this.#openForm(interaction, { payload, label });
    if (isStep(payload)) return this.#showStep(interaction, payload, on);
    const line = await this.#stored(interaction, async () => this.#deps.actions.line(payload));
    if (line?.startsWith('/') !== true) return this.#hint(interaction, FORGOTTEN);
    return this.#respondTo(interaction, line, on);
  }

  async #openForm(interaction: Interaction, button: { readonly payload: string; readonly label: string }): Promise<void> {
    const { actions, call } = this.#deps;
    const form = await this.#stored(interaction, async () => formOf(button.payload, actions));
    if (form === undefined) return this.#hint(interaction, FORGOTTEN);
    return acknowledge(call, interaction, { type: InteractionResponseType.Modal, data: modalOf(form, button) });
  }

  async #command(interaction: Interaction, what: Extract<Interaction['request'], { kind: 'command' }>): Promise<void> {
    const { command, options } = what;
    const upload = this.#deps.catalogue.commands.find(({ name }) => name === command)?.upload;
    const isAlone = what.files.length === 0 && Object.keys(options).length === 1;
    const isAsked = upload !== undefined && isAlone && options[upload.option] === upload.value;
    // A form must be the first response, which a forwarded interaction has already got from another process.
    if (isAsked && interaction.manages && !interaction.isForwarded && (await this.#openUpload(interaction, upload.field))) return;
    return this.#respond(interaction, { command, options }, { target: 'new message' });
  }

  /** Opens the form and tells whether that succeeded. If not, the command's answer explains how else to send the text. */
  async #openUpload(interaction: Interaction, field: Parameters<typeof payloadOf>[0]): Promise<boolean> {
    const { actions, call, log } = this.#deps;
    const payload = await this.#stored(interaction, async () => payloadOf(field, actions));
    if (payload === undefined) return false;
    const form = { line: field.line, hint: field.hint, takesFile: true };
    try {
      const data = modalOf(form, { payload, label: field.label });
      await acknowledge(call, interaction, { type: InteractionResponseType.Modal, data });
      return true;
    } catch (error) {
      if (!isCode(error, 50_035)) throw error;
      log.error('discord.form-refused', { chat: interaction.chat, because: inWords(error) });
      return false;
    }
  }

  async #openEdit(interaction: Interaction, payload: string): Promise<void> {
    const { actions, call, log } = this.#deps;
    const form = await this.#stored(interaction, async () => editOf(payload, actions));
    if (form === undefined) return this.#hint(interaction, FORGOTTEN);
    try {
      return await acknowledge(call, interaction, { type: InteractionResponseType.Modal, data: editModal(form, payload) });
    } catch (error) {
      if (!isCode(error, 50_035)) throw error;
      log.error('discord.form-refused', { chat: interaction.chat, because: inWords(error) });
      return this.#hint(interaction, "Discord can't show this form. Use the menus, or type the rule.");
    }
  }

  /** Shows a menu step in the pressed message, or in a new message if the pressed one answers somebody else. */
  async #showStep(interaction: Interaction, payload: string, { own }: PressedMessage): Promise<void> {
    const { actions, call } = this.#deps;
    const step = await this.#stored(interaction, async () => stepOf(payload, actions));
    const components = step && (await this.#stored(interaction, async () => stepComponents(step, actions)));
    if (step === undefined || components === undefined) return this.#hint(interaction, FORGOTTEN);
    if (own) return acknowledge(call, interaction, { type: InteractionResponseType.UpdateMessage, data: { components } });
    const data = {
      content: plain(step.menu?.label ?? 'Choose', MAX_CHOICE),
      components,
      flags: MessageFlags.Ephemeral,
      allowed_mentions: { parse: [] },
    };
    return acknowledge(call, interaction, { type: InteractionResponseType.ChannelMessageWithSource, data });
  }

  async #submit(
    interaction: Interaction,
    { payload, typed, parts, files, on }: Extract<Interaction['request'], { kind: 'submit' }>,
  ): Promise<void> {
    const { actions } = this.#deps;
    if (isEdit(payload)) {
      const edit = await this.#stored(interaction, async () => editOf(payload, actions));
      return edit === undefined ? this.#hint(interaction, FORGOTTEN) : this.#respondTo(interaction, editLine(edit, parts), on);
    }
    const form = await this.#stored(interaction, async () => formOf(payload, actions));
    if (form === undefined) return this.#hint(interaction, FORGOTTEN);
    const asked = askedBy(form, { typed, files: files.length });
    return 'says' in asked ? this.#hint(interaction, asked.says) : this.#respondTo(interaction, asked.line, on);
  }

  async #stored<T>(interaction: Interaction, read: () => Promise<T | undefined>): Promise<T | undefined> {
    return read().catch((error: unknown) => {
      this.#deps.log.error('discord.button-unreadable', { chat: interaction.chat, error });
      return undefined;
    });
  }

  async #respondTo(interaction: Interaction, line: string, { own, origin, hidden, payloads }: PressedMessage): Promise<void> {
    const { catalogue } = this.#deps;
    const isEdit = own && mayEdit(line, payloads, catalogue);
    return this.#respond(interaction, { line }, { target: isEdit ? (hidden ? 'ephemeral edit' : 'edit') : 'new message', origin });
  }

  async #hint(interaction: Interaction, sentence: string): Promise<void> {
    return this.#privately(interaction, warning(sentence));
  }

  async #privately(interaction: Interaction, said: Reply): Promise<void> {
    return this.#converse(interaction, { isPrivate: true }).show(textOnly(said));
  }

  async #watchWallet(interaction: Interaction, texts: readonly string[]): Promise<void> {
    const wallets = walletsIn(texts);
    const [only, ...others] = wallets;
    if (only === undefined) return this.#privately(interaction, noWallet());
    if (others.length > 0) return this.#privately(interaction, whichWallet(wallets));
    return this.#respond(interaction, { line: watchLine(only) }, { target: 'new message' });
  }

  /** Offers completions, or none if they would come too late. Rejects with the library's errors. */
  async #offerChoices(asked: Interaction, what: Extract<Interaction['request'], { kind: 'complete' }>): Promise<void> {
    const { call, catalogue, clock } = this.#deps;
    const completing = catalogue.completeOption({ ...what, chat: asked.chat }, MAX_CHOICES);
    const found = await within(clock, COMPLETE_WITHIN, completing, []);
    const choices = found
      .map(({ value, label }) => ({ name: truncateLine(label, MAX_CHOICE).trim() || truncateLine(value, MAX_CHOICE), value }))
      .filter(({ name, value }) => name !== '' && value.length <= MAX_CHOICE)
      .slice(0, MAX_CHOICES);
    await call({
      method: 'POST',
      path: `/interactions/${asked.id}/${asked.token}/callback`,
      body: { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices } },
      auth: false,
    });
  }

  async #handle(received: Interaction): Promise<void> {
    const { log, chatOf } = this.#deps;
    const { request: what } = received;
    let interaction = received;
    try {
      interaction = { ...received, chat: await chatOf(received) };
      if (what.kind === 'complete') await this.#offerChoices(interaction, what);
      else if (what.kind === 'press') await this.#press(interaction, what);
      else if (what.kind === 'submit') await this.#submit(interaction, what);
      else if (what.kind === 'message command') await this.#watchWallet(interaction, what.texts);
      else await this.#command(interaction, what);
    } catch (error) {
      // A failure is only logged at debug level, because the next letter asks again.
      if (what.kind === 'complete') log.debug('discord.no-choices', { chat: interaction.chat, because: inWords(error) });
      else log.warn('discord.not-answered', { chat: interaction.chat, because: inWords(error) });
    }
  }

  #read(data: unknown, isForwarded: boolean): Interaction | undefined {
    try {
      return readInteraction(data, isForwarded);
    } catch (error) {
      this.#deps.log.warn('discord.interaction-unknown', { error });
      return undefined;
    }
  }

  async #begin(interaction: Interaction): Promise<void> {
    const { id } = interaction.person;
    const others = this.#underWayOf.get(id) ?? 0;
    this.#underWayOf.set(id, others + 1);
    const work = (others < MAX_UNDER_WAY_OF_PERSON ? this.#handle(interaction) : this.#tooMany(interaction)).finally(() => {
      this.#underWay.delete(work);
      const left = (this.#underWayOf.get(id) ?? 1) - 1;
      if (left > 0) this.#underWayOf.set(id, left);
      else this.#underWayOf.delete(id);
    });
    this.#underWay.add(work);
    return work;
  }

  async #tooMany(interaction: Interaction): Promise<void> {
    if (interaction.request.kind === 'complete') return;
    await this.#hint(interaction, TOO_MANY).catch((error: unknown) =>
      this.#deps.log.warn('discord.not-answered', { chat: interaction.chat, because: inWords(error) }),
    );
  }
}

/** Tells whether the answer may replace the message: one of its buttons must run the same command. */
function mayEdit(line: string, payloads: readonly string[], { commands }: Catalogue): boolean {
  const name = nameOf(line);
  const command = commands.find((one) => one.name === name);
  const isReading = command !== undefined && (command.group ?? 'asking') === 'asking';
  if (payloads.some(leadsBack)) return true;
  return isReading || payloads.filter((other) => other !== line && nameOf(other) === name).length > 0;
}

const TOO_MANY = "Too many of your questions are waiting. I'll answer those; ask the others again in a minute.";
const FORGOTTEN = 'This button has expired. Ask again for a new one.';

const nameOf = (line: string): string => /^\/([\w-]+)/u.exec(line)?.[1]?.toLowerCase() ?? '';

const warning = (sentence: string): Reply => reply({ tone: 'warning', finding: [sentence], audience: 'asker' });
