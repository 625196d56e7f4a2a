/** Answers typed questions and button presses. It never edits an alert. */
import type { Api } from 'grammy/web';
import { RecentMap } from '../../base/bounded-cache.js';
import { later, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { filled } from '../../chat/command-line.js';
import { ActiveOnlyError, NO_ACTIVE_PROCESS } from '../../chat/forwarding.js';
import { isOverheard, type Answerer, type Inbound, type Person } from '../../chat/inbound.js';
import { reply, type Reply } from '../../chat/reply.js';
import { textOnly, type Prepared } from '../attachments.js';
import { Conversation, type Conversations } from '../conversation.js';
import { truncate, truncateLine } from '../truncate.js';
import { addressOf, type ChatTopic } from './address.js';
import { isEphemeral, receiverOf, type Receiver } from './ephemeral.js';
import type { ShownAnswer } from './pictures.js';
import type { Files } from './files.js';
import type { ButtonPress, IncomingUpdate, TypedQuestion } from './incoming-update.js';
import { positionOf, type PanelPosition } from './keyboard-pages.js';
import { pressed, type Pressed } from './keyboard.js';
import { inWords } from './outcome.js';
import { MAX_NOTICE, noticeOf, openCallbackAnswer, turnPage, type CallbackAnswer } from './presses.js';
import { managingFrom, type Managing } from './managing.js';
import type { Prompting } from './prompting.js';
import type { TextField } from './prompts.js';
import { TelegramReply, type ReplyPlace, type TelegramReplyDeps } from './reply-surface.js';
import type { Rights } from './rights.js';
import type { UpdateTurn } from './update-queue.js';

export interface QuestionDeps extends TelegramReplyDeps {
  /** The client whose requests wait in this person's turn at the rate limiter. */
  readonly apiOf: (asker: string) => Api;
  readonly rights: Rights;
  readonly prompting: Prompting;
  readonly managing: Managing;
  readonly files: Files;
  readonly answer: Answerer;
  readonly takesFiles: readonly string[];
  /** Names of the commands whose answers are for the asker alone. */
  readonly personal: ReadonlySet<string>;
  readonly prepare: (reply: Reply) => Prepared;
  readonly conversations: Conversations;
}

/** Every edit counts against the flood limits, so interim texts are this far apart. */
const INTERIM_EVERY = 2 * SECOND;
/** Telegram does not accept an answer to a callback query after this time. */
const ANSWER_WITHIN = 5 * SECOND;
/** Shown instead of a prompt in a channel, where all readers would see the prompt. */
const NO_ASKING = "I can't ask for text in a channel. Post the command there yourself: ";
/** The shortest time between two equal hints to a chat or person. */
const HINT_EVERY = 10 * MINUTE;
const MAX_HINTED = 1_000;
/** A menu is edited only if at most so many messages came after it. */
const NEAR = 10;
/** The value is in characters. */
const MAX_QUOTED = 60;
const NOT_ASKED = "That didn't work. Press again in a minute, or type the command; /help lists them all.";
const NOT_SHOWN = "The answer couldn't be shown. Press again in a minute, or type the command.";
const TOO_MANY = "Too many of your questions are waiting. I'll answer those; ask the others again in a minute.";
const NOT_YOURS = 'Only administrators of this channel can open its menus.';
const UNKNOWN_BUTTON = 'This button has expired. Type the command instead; /help lists them all.';

const withRemedy = (answer: Reply): Reply =>
  answer.tone === 'warning' && answer.audience === 'asker'
    ? { ...answer, blocks: [...answer.blocks, { kind: 'line', line: ['To correct it, reply to the same message again.'] }] }
    : answer;

interface Teller {
  readonly signal: AbortSignal;
  /** The person in whose rate-limiter turn the message is sent; if absent, it has no turn. */
  readonly asker?: Pick<TypedQuestion['from'], 'id'>;
  readonly onlyFor?: Receiver | undefined;
}

/** Tells whether the menu is near enough that the person notices an edit of it. */
const isNear = (menu: ShownAnswer | undefined, { scene, message }: TypedQuestion): boolean =>
  menu !== undefined && (scene === 'private' || message - menu.message <= NEAR);

/** Tells whether the bot says nothing about a failure: a channel has many readers, and a group reply may be meant for people. */
const isQuiet = (incoming: TypedQuestion | ButtonPress): boolean =>
  incoming.scene === 'channel' || (incoming.kind === 'ask' && isOverheard(incoming));

const said = (says: string): Prepared => textOnly(reply({ tone: 'warning', finding: [says], audience: 'asker' }));

export class Questions {
  readonly #deps: QuestionDeps;
  readonly #hinted = new RecentMap<number, Instant>(MAX_HINTED);
  readonly #waited = new RecentMap<number, Instant>(MAX_HINTED);
  readonly #warned = new RecentMap<number, Instant>(MAX_HINTED);

  constructor(deps: QuestionDeps) {
    this.#deps = deps;
  }

  /** Answers a typed question. Resolves with false if `signal` aborted before anything was shown. */
  async ask(incoming: TypedQuestion, { signal, endTurn }: UpdateTurn): Promise<boolean> {
    const { prompting, files, answer, prepare } = this.#deps;
    const what = incoming.prompt === undefined ? { line: incoming.line } : await prompting.fill(incoming, incoming.prompt);
    if (what === 'nothing') return true;
    const fresh = this.#begin(incoming, { signal });
    if ('says' in what) {
      await this.#show(fresh, said(what.says));
      return true;
    }
    const menu = 'menu' in what && isNear(what.menu, incoming) ? what.menu : undefined;
    const conversation = menu === undefined ? fresh : this.#begin(incoming, { signal, pressed: menu });
    const progress = async (shown: Reply): Promise<void> => this.#showInterim(conversation, shown, incoming.place);
    const sent = (incoming.files ?? []).map((file) => files(file, signal));
    const { addressing } = incoming;
    const more = omitUndefined({ progress, endTurn, signal, addressing, files: sent.length === 0 ? undefined : sent });
    const answered = await answer(await this.#inbound(incoming, { ask: { line: what.line }, ...more }));
    if (signal.aborted) return false;
    const ready = prepare(incoming.prompt === undefined ? answered : withRemedy(answered));
    if (menu === undefined || (answered.audience === 'asker' && !conversation.hasInterim)) await this.#show(fresh, ready);
    else if (await this.#show(conversation, ready)) await this.#removePrompt(incoming);
    return true;
  }

  async press(incoming: ButtonPress, { signal, endTurn }: UpdateTurn): Promise<boolean> {
    const { actions, api, log, rights, answer, clock, prepare } = this.#deps;
    const what = await pressed(incoming.data, actions);
    if (what.kind === 'field') return this.#askFor({ ...what.field, alert: what.alert }, incoming, signal);
    const callback = openCallbackAnswer({ api, query: incoming.query, log });
    // A forged press can hold the key of another keyboard.
    const isForeign = what.kind === 'view' && incoming.panel !== undefined && what.key !== incoming.panel;
    if (what.kind === 'unknown' || isForeign) {
      await callback.showNotice(UNKNOWN_BUTTON);
      return true;
    }
    // Every reader of a channel can press a button, but only its managers may change the message that all readers see.
    const isShown =
      incoming.scene !== 'channel' || (await rights.manages({ chat: incoming.place.chat, scene: incoming.scene, from: incoming.from }));
    if (what.kind === 'view')
      return isShown ? this.#turn(what, incoming, { callback, signal }) : callback.showNotice(NOT_YOURS).then(() => true);
    const { place, message, picture } = incoming;
    const leaves = what.alert || incoming.fixed === true;
    const shown = leaves ? undefined : { message, picture };
    const position = leaves ? undefined : await this.#positionOfPress(incoming);
    const conversation = this.#begin(incoming, { signal, pressed: shown, position, isPersonal: leaves && this.#isPersonal(what.line) });
    const progress = async (interim: Reply): Promise<void> => {
      await callback.acknowledge();
      if (isShown) await this.#showInterim(conversation, interim, place);
    };
    const asked = await this.#inbound(incoming, omitUndefined({ ask: { line: what.line }, progress, endTurn, signal }));
    const answered = await this.#patiently(callback, async () => answer(asked));
    if (signal.aborted) return false;
    if (!isShown) await callback.showNotice(noticeOf(answered, clock.now()).text);
    else if (answered.audience === 'asker' && !conversation.hasInterim) {
      const { text, whole } = noticeOf(answered, clock.now());
      // In a group a notice is shown to one person, and no message is posted. A private chat has room for the message, and a form always needs one.
      const isNotice = whole || (incoming.scene !== 'private' && answered.fields.length === 0);
      if (isNotice && (await callback.showNotice(text))) return true;
      if (!(await this.#show(this.#begin(incoming, { signal, isPersonal: true }), prepare(answered)))) await callback.showNotice(NOT_SHOWN);
    } else if (!(await this.#show(conversation, prepare(answered)))) await callback.showNotice(NOT_SHOWN);
    await callback.acknowledge();
    return true;
  }

  /** Tells the asker that the question is given up after two crashes. Never rejects. */
  async giveUp(incoming: TypedQuestion | ButtonPress, signal: AbortSignal): Promise<void> {
    if (isQuiet(incoming) && (incoming.kind === 'press' || incoming.scene !== 'channel')) return;
    const what = incoming.kind === 'ask' ? `"${truncateLine(incoming.line, MAX_QUOTED).trim()}"` : 'this button';
    await this.#tell(incoming, `I failed twice to answer ${what}. Ask again, or ask for less.`, {
      signal,
      onlyFor: receiverOf(incoming, false),
    });
  }

  /** Tells the chat that no process is active, at most once in ten minutes. Never rejects. */
  async waiting(incoming: TypedQuestion | ButtonPress, signal: AbortSignal): Promise<void> {
    if (isQuiet(incoming) || !this.#isDue(this.#waited, incoming.place.chat)) return;
    await this.#tell(incoming, NO_ACTIVE_PROCESS, { signal, onlyFor: receiverOf(incoming, false) });
  }

  /** Tells the person that a question was left out, at most once in ten minutes. Never rejects. */
  async tooMany(incoming: TypedQuestion | ButtonPress, signal: AbortSignal): Promise<void> {
    const { api, log } = this.#deps;
    const { from } = incoming;
    // If a crowd mentions the bot, each of them would get this message.
    if (isQuiet(incoming) || (incoming.kind === 'ask' && incoming.addressing !== undefined) || !this.#isDue(this.#warned, from.id)) return;
    if (incoming.kind === 'press') await openCallbackAnswer({ api, query: incoming.query, log }).showNotice(TOO_MANY);
    else await this.#tell(incoming, TOO_MANY, { signal, asker: from, onlyFor: receiverOf(incoming, false) });
  }

  async file(incoming: Extract<IncomingUpdate, { kind: 'file' }>, signal: AbortSignal): Promise<void> {
    const { takesFiles } = this.#deps;
    // An album of ten documents arrives as ten updates and gets one explanation.
    if (takesFiles.length === 0 || !this.#isDue(this.#hinted, incoming.place.chat)) return;
    const hint = `What should I do with this file? Send it with a command as its caption, or reply to it with one: ${takesFiles.join(', ')}.`;
    await this.#tell(incoming, hint, { signal });
  }

  #isDue(last: Map<number, Instant>, chat: number): boolean {
    const { clock } = this.#deps;
    const before = last.get(chat);
    if (before !== undefined && later(before, HINT_EVERY) > clock.now()) return false;
    last.set(chat, clock.now());
    return true;
  }

  #converse(where: ReplyPlace, asker?: Pick<TypedQuestion['from'], 'id'>): Conversation {
    const { apiOf, conversations } = this.#deps;
    const { place, pressed: edited, signal } = where;
    const surface = new TelegramReply(asker === undefined ? this.#deps : { ...this.#deps, api: apiOf(String(asker.id)) }, where);
    return new Conversation(conversations, surface, {
      key: edited && `${place.chat}/${edited.message}`,
      signal,
      interimEvery: INTERIM_EVERY,
    });
  }

  #isPersonal(line: string): boolean {
    return this.#deps.personal.has(line.split(/\s/u, 1)[0] ?? '');
  }

  #begin(
    incoming: TypedQuestion | ButtonPress,
    { signal, isPersonal = false, ...edited }: Pick<ReplyPlace, 'pressed' | 'position' | 'signal'> & { readonly isPersonal?: boolean },
  ): Conversation {
    const { kind, place, scene, message, from } = incoming;
    // In a group the answer replies to the person's message, because Telegram refuses an ephemeral answer that is no reply.
    const isNamed = kind === 'ask' && (incoming.addressing !== undefined || isEphemeral(message));
    const replyTo = ({ audience }: Reply) =>
      kind === 'press' || isNamed || (audience === 'asker' && scene !== 'private') ? message : undefined;
    return this.#converse({ place, replyTo, signal, onlyFor: receiverOf(incoming, isPersonal), ...edited }, from);
  }

  /** Says why there is no answer. Never rejects. */
  async #tell(
    { place, message }: Pick<TypedQuestion, 'place' | 'message'>,
    says: string,
    { signal, asker, onlyFor }: Teller,
  ): Promise<void> {
    await this.#show(this.#converse({ place, replyTo: () => message, signal, onlyFor }, asker), said(says));
  }

  #person({ place, scene, from }: TypedQuestion | ButtonPress): Person {
    return {
      id: `telegram/${from.id}`,
      name: from.name,
      manages: async () => this.#deps.rights.manages({ chat: place.chat, scene, from }),
      ...managingFrom(this.#deps, { scene, from }),
    };
  }

  async #inbound(
    incoming: TypedQuestion | ButtonPress,
    more: Pick<Inbound, 'ask' | 'progress' | 'endTurn' | 'files' | 'signal' | 'addressing'>,
  ): Promise<Inbound> {
    const { scene, from, kind } = incoming;
    const chosen = scene === 'private' && from.as === 'person' ? await this.#deps.managing.chosen(from.id) : undefined;
    // The answer to a prompt is shown in the menu whose button opened the prompt.
    const isTyped = kind === 'ask' && incoming.prompt === undefined;
    return {
      chat: addressOf(incoming.place),
      from: this.#person(incoming),
      circles: [`telegram/chat/${incoming.place.chat}`, ...(incoming.from.as === 'person' ? [`telegram/user/${incoming.from.id}`] : [])],
      ...more,
      ...(chosen === undefined ? {} : { chosen: { ...chosen, isTyped } }),
    };
  }

  /** Never rejects; a failure is logged. */
  async #show(conversation: Conversation, prepared: Prepared): Promise<boolean> {
    return conversation.show(prepared).then(
      () => true,
      () => false,
    );
  }

  /** Never rejects. */
  async #showInterim(conversation: Conversation, text: Reply, place: ChatTopic): Promise<void> {
    await conversation
      .interim(text)
      .catch((error: unknown) => this.#deps.log.debug('telegram.interim-not-shown', { at: addressOf(place), error: inWords(error) }));
  }

  async #patiently<T>(callback: CallbackAnswer, work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const patience = this.#deps.clock.sleep(ANSWER_WITHIN, done.signal).then(callback.acknowledge, () => undefined);
    try {
      return await work();
    } finally {
      done.abort(new Error('done'));
      await patience;
    }
  }

  async #askFor(field: TextField & { readonly alert: boolean }, incoming: ButtonPress, signal: AbortSignal): Promise<boolean> {
    const { api, log, prompting } = this.#deps;
    const callback = openCallbackAnswer({ api, query: incoming.query, log });
    if (incoming.scene === 'channel') {
      await callback.showNotice(truncate(NO_ASKING + filled(field.line, '…'), MAX_NOTICE));
      return true;
    }
    try {
      await this.#patiently(callback, async () => prompting.ask(incoming, field, signal));
      await callback.acknowledge();
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof ActiveOnlyError) throw error;
      log.warn('telegram.not-asked-back', { chat: incoming.place.chat, error: inWords(error) });
      await callback.showNotice(NOT_ASKED);
    }
    return true;
  }

  async #turn(
    view: Extract<Pressed, { kind: 'view' }>,
    incoming: ButtonPress,
    { callback, signal }: { readonly callback: CallbackAnswer; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const turned = await this.#patiently(callback, async () => turnPage(this.#deps, view, { ...incoming, signal }));
    if (turned === 'unknown') await callback.showNotice(UNKNOWN_BUTTON);
    if (turned === 'refused') await callback.showNotice(NOT_SHOWN);
    await callback.acknowledge();
    return turned !== 'aborted';
  }

  async #positionOfPress({ panel: key, data }: ButtonPress): Promise<PanelPosition | undefined> {
    const panel = key === undefined ? undefined : await this.#deps.panels.find(key);
    return panel && positionOf(panel, data);
  }

  /** Deletes the prompt, because its menu shows the answer. */
  async #removePrompt({ place, prompt }: TypedQuestion): Promise<void> {
    const { api, log } = this.#deps;
    if (prompt === undefined) return;
    await api.deleteMessage(place.chat, prompt).catch((error: unknown) => log.debug('telegram.not-deleted', { error: inWords(error) }));
  }
}
