/** Shows the reply to a message, as a message of the channel that refers to it and pings nobody. */
import { z } from 'zod';
import type { Log } from '../../base/log.js';
import type { Reply } from '../../chat/reply.js';
import { wordsOnly, type Attached } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import type { AnswerContent, Failure, Form, ReplySurface } from '../conversation.js';
import type { EditTicket } from '../message-order.js';
import type { CommandIds } from './markup.js';
import { messagePayload, type MessagePayload } from './message.js';
import { inWords, isCode, isForFiles } from './outcome.js';
import { SORRY, shownOf } from './reply-surface.js';
import type { RestCall } from './rest.js';

const idSchema = z.object({ id: z.string() });

export interface ChannelReplyDeps {
  readonly call: RestCall;
  readonly actions: Actions;
  readonly commandIds: () => CommandIds;
  readonly channel: string;
  /** The message that is answered. */
  readonly question: string;
  /** A reply that refers to a message needs Read Message History. */
  readonly refers: boolean;
  /** Called with the id of the message that was posted. */
  readonly onPosted: (message: string) => void;
  readonly log: Log;
}

export class ChannelReply implements ReplySurface {
  readonly #deps: ChannelReplyDeps;
  #message: string | undefined;

  constructor(deps: ChannelReplyDeps) {
    this.#deps = deps;
  }

  /** Discord shows "typing" for ten seconds. */
  async acknowledge(): Promise<void> {
    const { call, channel } = this.#deps;
    if (this.#message === undefined) await call({ method: 'POST', path: `/channels/${channel}/typing` });
  }

  async interim(text: Reply): Promise<boolean> {
    await this.#put({ reply: text, files: [] });
    return true;
  }

  async show(form: Form, answer: AnswerContent): Promise<string | undefined> {
    if (form === 'whole') await this.#put(shownOf(answer));
    else await this.#put(form === 'words' ? wordsOnly(answer) : { reply: SORRY, files: [] });
    return answer.isDrawing ? this.#deps.question : undefined;
  }

  async attach(attached: Attached, turn: EditTicket['run']): Promise<void> {
    if (attached.picture === undefined && attached.files.length === 0) return;
    await turn(async () => {
      try {
        await this.#put(attached);
      } catch (error) {
        if (!this.#isForFiles(error, attached)) throw error;
        await this.#put(wordsOnly(attached));
      }
    });
  }

  failureOf(error: unknown, form: Form, answer: AnswerContent): Failure {
    if (form === 'whole' && this.#isForFiles(error, shownOf(answer))) return 'attachments';
    if (form === 'simple' || !isCode(error, 50_035, 50_006)) return 'final';
    this.#deps.log.error('discord.answer-refused', { channel: this.#deps.channel, because: inWords(error) });
    return 'form';
  }

  #isForFiles(error: unknown, { picture, files }: Attached): boolean {
    if (!isForFiles(error) || (picture === undefined && files.length === 0)) return false;
    this.#deps.log.warn('discord.files-not-taken', { channel: this.#deps.channel, because: inWords(error) });
    return true;
  }

  async #put(attached: Attached): Promise<void> {
    const { call, channel, question, refers, onPosted } = this.#deps;
    const { body: content, files } = await this.#payload(attached);
    const body = { ...content, allowed_mentions: { parse: [], replied_user: false } };
    if (this.#message !== undefined) {
      await call({ method: 'PATCH', path: `/channels/${channel}/messages/${this.#message}`, body, files });
      return;
    }
    const reference = refers ? { message_reference: { message_id: question, fail_if_not_exists: false } } : {};
    // The nonce makes an event that is repeated after a restart find the answer that stands.
    const posted = await call({
      ...{ method: 'POST', path: `/channels/${channel}/messages`, files },
      body: { ...body, ...reference, nonce: question, enforce_nonce: true },
    });
    this.#message = idSchema.parse(posted).id;
    onPosted(this.#message);
  }

  async #payload(attached: Attached): Promise<MessagePayload> {
    const { actions, commandIds } = this.#deps;
    try {
      return await messagePayload(attached, actions, commandIds());
    } catch {
      // Long command lines are kept in the store. Without it an answer without buttons is better than none.
      return messagePayload({ ...attached, reply: { ...attached.reply, actions: [], fields: [] } }, actions, commandIds());
    }
  }
}
