/** Shows the reply to one interaction. Discord drops an interaction that is not acknowledged within 3 seconds. */
import { InteractionResponseType as Type, MessageFlags, type InteractionResponseType } from 'discord.js';
import { z } from 'zod';
import { SECOND } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { reply, type Reply } from '../../chat/reply.js';
import { wordsOnly, type Attached, type Upload } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import { repeated, type AnswerContent, type Failure, type Form, type ReplySurface, type EditTicket } from '../conversation.js';
import type { Interaction } from './interaction.js';
import type { CommandIds } from './markup.js';
import { messagePayload, type MessagePayload } from './message.js';
import { inWords, isCode, isForFiles, outcomeOf } from './outcome.js';
import type { RestCall } from './rest.js';

/** The value is in bytes. A larger reply is deferred first, because its upload could take longer than 3 seconds. */
const MAX_UNDEFERRED_BYTES = 256 * 1024;
const FIRST_ANSWER = SECOND;

const idSchema = z.object({ id: z.string() });
const hidden = { flags: MessageFlags.Ephemeral } as const;
const SORRY = reply({ tone: 'warning', finding: ['The answer could not be shown here. The log says why.'], audience: 'asker' });

export interface SurfaceDeps {
  readonly actions: Actions;
  readonly commandIds: () => CommandIds;
  readonly log: Log;
}

/** Shows answers with their files and picture, and without them if Discord refuses them. */
export abstract class DiscordSurface<D extends SurfaceDeps> {
  protected readonly deps: D;

  constructor(deps: D) {
    this.deps = deps;
  }

  protected abstract put(attached: Attached): Promise<void>;
  /** Returns the key of the message to which a picture is attached once it is drawn. */
  protected abstract keyOf(reply: Reply): string;
  /** Identifies the answer in the log. */
  protected abstract about(): Readonly<Record<string, unknown>>;

  async show(form: Form, answer: AnswerContent): Promise<string | undefined> {
    if (form === 'whole') await this.put(shownOf(answer));
    else await this.put(form === 'words' ? wordsOnly(answer) : { reply: SORRY, files: [] });
    return answer.isDrawing ? this.keyOf(answer.reply) : undefined;
  }

  async attach(attached: Attached, turn: EditTicket['run']): Promise<void> {
    if (attached.picture === undefined && attached.files.length === 0) return;
    await turn(async () => {
      try {
        await this.put(attached);
      } catch (error) {
        if (!this.#isForFiles(error, attached)) throw error;
        await this.put(wordsOnly(attached));
      }
    });
  }

  failureOf(error: unknown, form: Form, answer: AnswerContent): Failure {
    if (form === 'whole' && this.#isForFiles(error, shownOf(answer))) return 'attachments';
    if (form === 'simple' || !isCode(error, 50_035, 50_006)) return 'final';
    // Discord refused the message's form, which is our bug. The person still gets an answer.
    this.deps.log.error('discord.answer-refused', { ...this.about(), because: inWords(error) });
    return 'form';
  }

  #isForFiles(error: unknown, { picture, files }: Attached): boolean {
    if (!isForFiles(error) || (picture === undefined && files.length === 0)) return false;
    this.deps.log.warn('discord.files-not-taken', { ...this.about(), because: inWords(error) });
    return true;
  }

  protected async payload(attached: Attached): Promise<MessagePayload> {
    const { actions, commandIds } = this.deps;
    try {
      return await messagePayload(attached, actions, commandIds());
    } catch {
      // Long command lines need the store. If it fails, an answer without buttons is better than none.
      return messagePayload({ ...attached, reply: { ...attached.reply, actions: [], fields: [] } }, actions, commandIds());
    }
  }
}

export interface DiscordReplyDeps extends SurfaceDeps {
  readonly call: RestCall;
  readonly interaction: Pick<Interaction, 'id' | 'token' | 'application' | 'chat' | 'isForwarded'>;
  /** The interaction that posted the message to edit; if undefined, a new message is posted. */
  readonly edits?: string | undefined;
  readonly isPrivate: boolean;
  readonly command?: string | undefined;
}

export class DiscordReply extends DiscordSurface<DiscordReplyDeps> implements ReplySurface {
  /** What the asker sees so far. Another process may have deferred the interaction. */
  #shown: 'nothing' | 'deferred' | 'content';
  #isRemoved = false;
  /** The answer's separate message; undefined while the answer is the deferred message. */
  #ownMessage: string | undefined;

  constructor(deps: DiscordReplyDeps) {
    super(deps);
    this.#shown = deps.interaction.isForwarded ? 'deferred' : 'nothing';
  }

  get #inPlace(): boolean {
    return this.deps.edits !== undefined;
  }

  /** Tells whether the answer needs a separate message: everybody would see an edit, but it is for the asker alone. */
  isApart({ audience }: Reply): boolean {
    return this.#inPlace && !this.deps.isPrivate && audience === 'asker';
  }

  async acknowledge(): Promise<void> {
    if (this.#shown === 'nothing') await this.#defer(this.deps.isPrivate);
  }

  async interim(text: Reply): Promise<boolean> {
    await this.#message(await this.payload({ reply: text, files: [] }), this.deps.isPrivate);
    return true;
  }

  protected keyOf(answer: Reply): string {
    const { edits, interaction } = this.deps;
    return edits === undefined || this.isApart(answer) ? interaction.id : edits;
  }

  protected about(): Readonly<Record<string, unknown>> {
    const { interaction, command } = this.deps;
    return omitUndefined({ chat: interaction.chat, command });
  }

  protected async put(attached: Attached): Promise<void> {
    const { isPrivate } = this.deps;
    const payload = await this.payload(attached);
    const isHidden = isPrivate || attached.reply.audience === 'asker';
    if (this.#ownMessage !== undefined) return this.#edit(payload);
    if (this.#shown === 'nothing' || !isHidden || isPrivate) return this.#message(payload, isHidden);
    // The response was deferred publicly but the answer is private. The pressed message stays unless an interim text replaced it.
    if (this.#inPlace) return this.#shown === 'content' ? this.#edit(payload) : this.#followUp(payload);
    if (!this.#isRemoved) await this.#request({ method: 'DELETE', path: '/messages/@original' });
    this.#isRemoved = true;
    return this.#followUp(payload);
  }

  async #message(payload: MessagePayload, isHidden: boolean): Promise<void> {
    const { body, files } = payload;
    const isLarge = files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_UNDEFERRED_BYTES;
    if (this.#shown === 'nothing' && isLarge) await this.#defer(isHidden);
    if (this.#shown !== 'nothing') await this.#edit(payload);
    else if (this.#inPlace && !isHidden) await this.#first({ type: Type.UpdateMessage, data: body, files });
    else await this.#first({ type: Type.ChannelMessageWithSource, data: { ...body, ...(isHidden ? hidden : {}) }, files });
    this.#shown = 'content';
  }

  async #defer(isHidden: boolean): Promise<void> {
    if (this.#inPlace && !isHidden) await this.#first({ type: Type.DeferredMessageUpdate });
    else await this.#first({ type: Type.DeferredChannelMessageWithSource, data: isHidden ? hidden : {} });
    this.#shown = 'deferred';
  }

  async #first(answer: FirstAnswer): Promise<void> {
    await acknowledge(this.deps.call, this.deps.interaction, answer);
  }

  async #edit({ body, files }: MessagePayload): Promise<void> {
    await this.#request({ method: 'PATCH', path: `/messages/${this.#ownMessage ?? '@original'}`, body, files });
  }

  async #followUp({ body, files }: MessagePayload): Promise<void> {
    const posted = await this.#request({ method: 'POST', body: { ...body, ...hidden }, files });
    this.#ownMessage = idSchema.safeParse(posted).data?.id;
  }

  async #request({ path = '', ...request }: Omit<Parameters<RestCall>[0], 'path'> & { readonly path?: string }): Promise<unknown> {
    const { call, interaction } = this.deps;
    return call({ ...request, path: `/webhooks/${interaction.application}/${interaction.token}${path}`, auth: false });
  }
}

/** Leaves out the files while the picture is drawn, because the later edit uploads all attachments again. */
const shownOf = ({ isDrawing, reply: said, ...attached }: AnswerContent): Attached =>
  isDrawing ? { reply: said, files: [] } : { reply: said, ...attached };

export interface FirstAnswer {
  readonly type: InteractionResponseType;
  readonly data?: object | undefined;
  readonly files?: readonly Upload[];
}

/** Sends the first response to an interaction. Rejects with the library's errors. */
export async function acknowledge(call: RestCall, { id, token }: Pick<Interaction, 'id' | 'token'>, answer: FirstAnswer): Promise<void> {
  const { type, data, files = [] } = answer;
  let tried = 0;
  const post = async (): Promise<unknown> => {
    tried += 1;
    return call({
      method: 'POST',
      path: `/interactions/${id}/${token}/callback`,
      body: omitUndefined({ type, data }),
      files,
      auth: false,
      deadlineMs: FIRST_ANSWER,
    });
  };
  try {
    await repeated(post, { tries: 2, isHarmless: true, outcomeOf, pause: async () => true });
  } catch (error) {
    // On a retry, "already acknowledged" means that the first try arrived and its response was lost.
    if (tried === 1 || !isCode(error, 40_060)) throw error;
  }
}
