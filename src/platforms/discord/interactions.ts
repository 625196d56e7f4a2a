/** Answers interactions: commands, buttons, menus, forms and option completion. */
import { InteractionResponseType, MessageFlags } from 'discord.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Catalogue } from '../../chat/catalogue.js';
import { ActiveOnlyError, type Forwarding } from '../../chat/forwarding.js';
import type { Answerer, Inbound } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import { textOnly, type Prepared, type UploadLimits } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import { aborted, Conversation, Conversations } from '../conversation.js';
import { offerChoices } from './autocomplete.js';
import { formOf, isForm, isStep, leadsBack, lineOf, MAX_CHOICE, modalOf, stepComponents, stepOf } from './components.js';
import { openHandOver } from './hand-over.js';
import { attachedFile, directChat } from './inbound.js';
import { readInteraction, type Interaction, type PressedMessage } from './interaction.js';
import { plain } from './markup.js';
import { inWords } from './outcome.js';
import { mayMention, type Membership } from './permissions.js';
import { noWallet, walletsIn, watchLine, whichWallet } from './register-commands.js';
import { acknowledge, DiscordReply, type DiscordReplyDeps } from './reply-surface.js';
import type { RestCall } from './rest.js';

/** Of 3 seconds; the rest is for the network and one retry. */
export const DEFER_AFTER = 1.2 * SECOND;
const STOP_PATIENCE = 4 * SECOND;
/** https://docs.discord.com/developers/resources/message#create-message */
const MAX_FILES = 10;
/** Of one person, over all channels and servers. */
const MAX_UNDER_WAY_OF_PERSON = 30;
/** The gateway repeats events after a reconnect. */
const MAX_REMEMBERED = 1_000;

export interface Interactions {
  /** In the background. Undefined where there is nothing to do. */
  receive(data: unknown): Interaction | undefined;
  /** Acknowledged and forwarded by another process. Resolves when answered. */
  take(data: unknown, endTurn?: () => void): Promise<Interaction | undefined>;
  /** Aborts those under way after `STOP_PATIENCE`. */
  stop(): Promise<void>;
}

export interface InteractionDeps {
  readonly call: RestCall;
  readonly actions: Actions;
  readonly catalogue: Catalogue;
  readonly answer: Answerer;
  readonly membership: Membership;
  readonly prepare: (reply: Reply, room: UploadLimits) => Prepared;
  readonly clock: Clock;
  readonly log: Log;
  readonly deferAfterMs: number;
  readonly forwarding?: Forwarding | undefined;
}

export function createInteractions(deps: InteractionDeps): Interactions {
  const { call, actions, catalogue, answer, membership, prepare, clock, log, deferAfterMs, forwarding } = deps;
  const stopping = new AbortController();
  const handOver = forwarding && openHandOver({ forwarding, log, stopping: stopping.signal });
  const underWay = new Set<Promise<void>>();
  const underWayOf = new Map<string, number>();
  const seen = new Set<string>();
  const over = new AbortController();
  const conversations = new Conversations({
    clock,
    onFailure: (error) => log.warn('discord.picture-not-added', { because: inWords(error) }),
  });
  let stopped = false;

  async function respond(
    interaction: Interaction,
    ask: Inbound['ask'],
    { target, origin }: { target: 'new message' | 'edit' | 'ephemeral edit'; origin?: string | undefined },
  ): Promise<void> {
    const name = 'command' in ask ? ask.command : nameOf(ask.line);
    const command = catalogue.commands.find((one) => one.name === name);
    // Outside nobody else has asked for it. A message that everybody sees is edited for everybody.
    const isPrivate = interaction.isOutside || command?.audience === 'asker' || (command?.personal === true && target === 'new message');
    const edits = target === 'new message' ? undefined : (origin ?? interaction.id);
    // An edit of an ephemeral message is ephemeral.
    const conversation = converse(interaction, { command: name, edits, isPrivate: isPrivate && target !== 'ephemeral edit' });
    if ((await handOver?.isBehind(interaction)) === true) return handOver?.forward(interaction, conversation);
    conversation.acknowledgeAfter(deferAfterMs, (error) =>
      log.warn('discord.not-deferred', { chat: interaction.chat, because: inWords(error) }),
    );
    const inbound: Inbound = {
      chat: interaction.chat,
      from: {
        id: `discord/${interaction.person.id}`,
        name: interaction.person.name,
        manages: async () => interaction.manages,
        mayMention: async (mention) => mayMention(call, interaction, mention),
        direct: async () => directChat(call, interaction),
        isIn: async (circle) => membership(circle, interaction.person.id),
      },
      ...(interaction.isOutside ? { outside: true as const } : {}),
      ask,
      ...(interaction.request.kind === 'command' &&
        interaction.request.files.length > 0 && { files: interaction.request.files.map((file) => attachedFile(file, { clock })) }),
      circles: interaction.circles,
      progress: async (interim) =>
        conversation
          .interim(interim)
          .catch((error: unknown) => log.debug('discord.no-progress', { chat: interaction.chat, because: inWords(error) })),
      ...(interaction.endTurn === undefined ? {} : { endTurn: interaction.endTurn }),
      signal: over.signal,
    };
    let said: Reply;
    try {
      said = await answer(inbound);
    } catch (error) {
      if (handOver === undefined || !(error instanceof ActiveOnlyError)) throw error;
      return handOver.forward(interaction, conversation);
    }
    const room = { picture: interaction.maxUploadBytes, together: interaction.maxUploadBytes, count: MAX_FILES };
    await conversation.show(prepare(said, room));
  }

  const converse = (interaction: Interaction, how: Pick<DiscordReplyDeps, 'command' | 'edits' | 'isPrivate'>): Conversation =>
    new Conversation(conversations, new DiscordReply({ call, actions, log, interaction, ...how }), {
      key: how.edits ?? interaction.id,
      signal: over.signal,
    });

  async function press(
    interaction: Interaction,
    { payload, label, on }: Extract<Interaction['request'], { kind: 'press' }>,
  ): Promise<void> {
    if (isForm(payload)) return openForm(interaction, { payload, label });
    if (isStep(payload)) return showStep(interaction, payload, on);
    const line = await stored(interaction, async () => actions.line(payload));
    if (line?.startsWith('/') !== true) return hint(interaction, FORGOTTEN);
    return respondTo(interaction, line, on);
  }

  async function openForm(interaction: Interaction, button: { readonly payload: string; readonly label: string }): Promise<void> {
    const form = await stored(interaction, async () => formOf(button.payload, actions));
    if (form === undefined) return hint(interaction, FORGOTTEN);
    return acknowledge(call, interaction, { type: InteractionResponseType.Modal, data: modalOf(form, button) });
  }

  /** Others' messages stay. */
  async function showStep(interaction: Interaction, payload: string, { own }: PressedMessage): Promise<void> {
    const step = await stored(interaction, async () => stepOf(payload, actions));
    const components = step && (await stored(interaction, async () => stepComponents(step, actions)));
    if (step === undefined || components === undefined) return hint(interaction, FORGOTTEN);
    if (own) return acknowledge(call, interaction, { type: InteractionResponseType.UpdateMessage, data: { components } });
    const data = {
      content: plain(step.menu?.label ?? 'Choose', MAX_CHOICE),
      components,
      flags: MessageFlags.Ephemeral,
      allowed_mentions: { parse: [] },
    };
    return acknowledge(call, interaction, { type: InteractionResponseType.ChannelMessageWithSource, data });
  }

  async function submit(
    interaction: Interaction,
    { payload, typed, on }: Extract<Interaction['request'], { kind: 'submit' }>,
  ): Promise<void> {
    const form = await stored(interaction, async () => formOf(payload, actions));
    if (form === undefined) return hint(interaction, FORGOTTEN);
    const line = lineOf(form, typed);
    return line === undefined
      ? hint(interaction, 'Nothing was typed. Press the button again and type an answer.')
      : respondTo(interaction, line, on);
  }

  async function stored<T>(interaction: Interaction, read: () => Promise<T | undefined>): Promise<T | undefined> {
    return read().catch((error: unknown) => {
      log.error('discord.button-unreadable', { chat: interaction.chat, error });
      return undefined;
    });
  }

  const respondTo = async (interaction: Interaction, line: string, { own, origin, hidden, payloads }: PressedMessage): Promise<void> => {
    const isEdit = own && mayEdit(line, payloads, catalogue);
    return respond(interaction, { line }, { target: isEdit ? (hidden ? 'ephemeral edit' : 'edit') : 'new message', origin });
  };

  const hint = async (interaction: Interaction, sentence: string): Promise<void> => privately(interaction, warning(sentence));

  const privately = async (interaction: Interaction, said: Reply): Promise<void> =>
    converse(interaction, { isPrivate: true }).show(textOnly(said));

  async function watchWallet(interaction: Interaction, texts: readonly string[]): Promise<void> {
    const wallets = walletsIn(texts);
    const [only, ...others] = wallets;
    if (only === undefined) return privately(interaction, noWallet());
    if (others.length > 0) return privately(interaction, whichWallet(wallets));
    return respond(interaction, { line: watchLine(only) }, { target: 'new message' });
  }

  async function handle(interaction: Interaction): Promise<void> {
    const { request: what } = interaction;
    try {
      if (what.kind === 'complete') await offerChoices(interaction, what, { call, catalogue, clock });
      else if (what.kind === 'press') await press(interaction, what);
      else if (what.kind === 'submit') await submit(interaction, what);
      else if (what.kind === 'message command') await watchWallet(interaction, what.texts);
      else await respond(interaction, { command: what.command, options: what.options }, { target: 'new message' });
    } catch (error) {
      // The next letter makes choices obsolete.
      if (what.kind === 'complete') log.debug('discord.no-choices', { chat: interaction.chat, because: inWords(error) });
      else log.warn('discord.not-answered', { chat: interaction.chat, because: inWords(error) });
    }
  }

  function read(data: unknown, isForwarded: boolean): Interaction | undefined {
    try {
      return readInteraction(data, isForwarded);
    } catch (error) {
      log.warn('discord.interaction-unknown', { error });
      return undefined;
    }
  }

  async function begin(interaction: Interaction): Promise<void> {
    const { id } = interaction.person;
    const others = underWayOf.get(id) ?? 0;
    underWayOf.set(id, others + 1);
    const work = (others < MAX_UNDER_WAY_OF_PERSON ? handle(interaction) : tooMany(interaction)).finally(() => {
      underWay.delete(work);
      const left = (underWayOf.get(id) ?? 1) - 1;
      if (left > 0) underWayOf.set(id, left);
      else underWayOf.delete(id);
    });
    underWay.add(work);
    return work;
  }

  async function tooMany(interaction: Interaction): Promise<void> {
    if (interaction.request.kind === 'complete') return;
    await hint(interaction, TOO_MANY).catch((error: unknown) =>
      log.warn('discord.not-answered', { chat: interaction.chat, because: inWords(error) }),
    );
  }

  return {
    receive(data) {
      const interaction = stopped ? undefined : read(data, false);
      if (interaction === undefined || seen.has(interaction.id)) return undefined;
      seen.add(interaction.id);
      const [oldest] = seen;
      if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
      void begin(interaction);
      return interaction;
    },
    async take(data, endTurn) {
      if (stopped) throw new Error('discord: the process stops');
      const interaction = read(data, true);
      if (interaction !== undefined) await begin(endTurn === undefined ? interaction : { ...interaction, endTurn });
      return interaction;
    },
    async stop() {
      stopped = true;
      stopping.abort(new Error('The bot stops.'));
      const finished = new AbortController();
      clock.sleep(STOP_PATIENCE, finished.signal).then(
        () => over.abort(new Error('The bot stops.')),
        () => undefined,
      );
      await Promise.all(underWay);
      await Promise.race([conversations.idle(), aborted(over.signal)]);
      finished.abort();
    },
  };
}

/** Another button runs the same command. */
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
