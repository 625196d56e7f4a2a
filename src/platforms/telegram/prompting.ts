/** Posts prompts and turns a reply to a prompt into a command line. */
import { later, MINUTE } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { filled } from '../../chat/command-line.js';
import { ActiveOnlyError } from '../../chat/forwarding.js';
import { isEphemeral } from './ephemeral.js';
import type { ShownAnswer } from './pictures.js';
import type { ButtonPress, TypedQuestion } from './incoming-update.js';
import { inWords, retrying } from './outcome.js';
import { forceReply, promptHtml, type Prompt, type Prompts, type TextField } from './prompts.js';
import type { TelegramReplyDeps } from './reply-surface.js';
import type { Rights } from './rights.js';
import { postPrompt } from './send-and-edit.js';

/** When a group becomes a supergroup, unanswered prompts up to this age are posted again. */
const ASKED_AGAIN_WITHIN = 30 * MINUTE;

export interface PromptingDeps extends Pick<TelegramReplyDeps, 'api' | 'clock' | 'log' | 'report'> {
  readonly prompts: Prompts;
  readonly rights: Rights;
}

export type PromptAnswer = { readonly line: string; readonly menu?: ShownAnswer | undefined } | { readonly says: string } | 'nothing';

export interface Prompting {
  /** Posts a prompt for a pressed button. `alert` means that the answer must not replace the pressed message. */
  ask(press: ButtonPress, field: TextField & { readonly alert: boolean }, signal: AbortSignal): Promise<void>;
  /** Reads a reply to a prompt. Rejects with the store's error. */
  fill(answer: TypedQuestion, prompt: number): Promise<PromptAnswer>;
  /** Posts the unanswered prompts of the old chat again in the new one. Never rejects. */
  follow(moved: { readonly from: number; readonly to: number }, signal: AbortSignal): Promise<void>;
}

const UNKNOWN = 'This question has expired: an answer counts for a day. Press its button again, or type the command; /help lists them all.';

const notTheirs = ({ person }: Prompt): string =>
  `Only ${person.hidden ? 'the administrator who pressed the button' : person.name} can fill this in. Press the button yourself to fill in your own.`;

class TelegramPrompting implements Prompting {
  readonly #deps: PromptingDeps;

  constructor(deps: PromptingDeps) {
    this.#deps = deps;
  }

  async ask(
    { place, scene, from, message, picture }: ButtonPress,
    { label, hint, line, alert }: TextField & { readonly alert: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const hidden = await this.#deps.rights.hidden({ chat: place.chat, scene, from });
    const person = { id: from.id, name: from.name, hidden };
    // Telegram takes edits of an ephemeral message for too short a time to type an answer.
    const menu = alert || isEphemeral(message) ? undefined : omitUndefined({ message, picture });
    const prompt = {
      ...{ ...place, message: 0, person, label, hint, line, askedAt: this.#deps.clock.now(), answered: false, othersTold: false },
      ...omitUndefined({ menu }),
    };
    await this.#post(prompt, { replyTo: scene === 'private' || isEphemeral(message) ? undefined : message, signal });
  }

  async fill({ place, from, line: typed }: TypedQuestion, message: number): Promise<PromptAnswer> {
    const at = { chat: place.chat, message };
    const prompt = await this.#deps.prompts.find(at);
    if (prompt === undefined) return { says: UNKNOWN };
    const { person, line, answered, othersTold } = prompt;
    const isTheirs = from.as === 'person' ? from.id === person.id : from.as === 'chat' && person.hidden;
    if (isTheirs) {
      if (!answered) await this.#deps.prompts.note(at, { answered: true });
      return { line: filled(line, typed), menu: prompt.menu };
    }
    // Others are told once that the prompt is not theirs; further replies are ignored.
    if (othersTold) return 'nothing';
    await this.#deps.prompts.note(at, { othersTold: true });
    return { says: notTheirs(prompt) };
  }

  async follow({ from, to }: { readonly from: number; readonly to: number }, signal: AbortSignal): Promise<void> {
    try {
      for (const prompt of await this.#deps.prompts.takeOut(from))
        if (later(prompt.askedAt, ASKED_AGAIN_WITHIN) > this.#deps.clock.now())
          await this.#post({ ...prompt, chat: to, menu: undefined }, { replyTo: undefined, signal });
    } catch (error) {
      this.#deps.log.warn('telegram.not-asked-again', { chat: to, error: inWords(error) });
    }
  }

  /** Posts the prompt. Names the person in chats where others could answer. */
  async #post(prompt: Prompt, { replyTo, signal }: { readonly replyTo: number | undefined; readonly signal: AbortSignal }): Promise<void> {
    const { chat, topic, person } = prompt;
    const isPrivate = chat === person.id;
    const who = isPrivate || person.hidden ? undefined : person;
    const field: TextField = { kind: 'text', ...prompt };
    const { at, retry } = retrying(this.#deps, { place: omitUndefined({ chat, topic }), signal });
    await this.#deps.prompts.keep(chat, async () => {
      const message = await retry(false, async () =>
        postPrompt(this.#deps.api, {
          place: at(),
          // A message id is valid only in its own chat.
          replyTo: at().chat === chat ? replyTo : undefined,
          html: promptHtml(field, who),
          // Without a mention, the reply field would open for everybody in the group.
          force: isPrivate || who !== undefined ? forceReply(field, !isPrivate) : undefined,
        }),
      );
      const { menu, ...rest } = prompt;
      return { ...rest, ...at(), message, ...(at().chat === chat ? omitUndefined({ menu }) : {}) };
    });
  }
}

export const createPrompting = (deps: PromptingDeps): Prompting => new TelegramPrompting(deps);

const elsewhere = async (): Promise<never> => {
  throw new ActiveOnlyError();
};

export const promptingElsewhere: Prompting = { ask: elsewhere, fill: elsewhere, follow: elsewhere };
