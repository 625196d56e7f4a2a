/** Lifecycle of the reply to one interaction: acknowledged within 3 seconds, then shown as one message or text first. */
import { InteractionResponseType as Type, MessageFlags, type InteractionResponseType } from 'discord.js';
import { z } from 'zod';
import { SECOND } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Address } from '../../chat/address.js';
import { reply, type Reply } from '../../chat/reply.js';
import { wordsOnly, type Attached, type Upload } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import type { DisplaySteps } from '../text-first.js';
import type { Interaction } from './interaction.js';
import { messagePayload, type MessagePayload } from './message.js';
import { inWords, isCode, isForFiles, outcomeOf } from './outcome.js';
import type { RestCall } from './rest.js';

/** A larger reply is deferred first. */
const MAX_UNDEFERRED_BYTES = 256 * 1024;

const idSchema = z.object({ id: z.string() });

export interface DiscordReplyLifecycle {
  readonly isPrivate: boolean;
  wait(): Promise<void>;
  interim(reply: Reply): Promise<void>;
  /** Replaced by a later one. */
  final(attached: Attached): Promise<void>;
}

export interface DiscordReplyDeps {
  readonly call: RestCall;
  readonly actions: Actions;
  readonly interaction: Pick<Interaction, 'id' | 'token' | 'application'>;
  readonly inPlace: boolean;
  readonly isPrivate: boolean;
  /** By another process. */
  readonly isDeferred?: boolean;
}

/** Reject with the library's errors; effective in order. */
export function openReplyLifecycle(deps: DiscordReplyDeps): DiscordReplyLifecycle {
  const { call, actions, interaction, inPlace, isPrivate, isDeferred = false } = deps;
  let shown: 'nothing' | 'deferred' | 'content' = isDeferred ? 'deferred' : 'nothing';
  let isRemoved = false;
  /** Of the deferred message: undefined. */
  let ownMessage: string | undefined;
  let last: Promise<void> = Promise.resolve();
  const inOrder = async (work: () => Promise<void>): Promise<void> => {
    const before = last;
    const done = before.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const hidden = { flags: MessageFlags.Ephemeral } as const;
  const webhook = `/webhooks/${interaction.application}/${interaction.token}` as const;
  const edit = async ({ body, files }: MessagePayload) =>
    call({ method: 'PATCH', path: `${webhook}/messages/${ownMessage ?? '@original'}`, body, files, auth: false });
  const remove = async () => call({ method: 'DELETE', path: `${webhook}/messages/@original`, auth: false });
  const followUp = async ({ body, files }: MessagePayload): Promise<void> => {
    const posted = await call({ method: 'POST', path: webhook, body: { ...body, ...hidden }, files, auth: false });
    ownMessage = idSchema.safeParse(posted).data?.id;
  };

  const first = async (type: Type, data?: object, files: MessagePayload['files'] = []) =>
    acknowledge(call, interaction, { type, data, files });

  async function payloadWith(attached: Attached): Promise<MessagePayload> {
    try {
      return await messagePayload(attached, actions);
    } catch {
      // Long command lines are kept in the store. Without it an answer without buttons is better than none.
      return messagePayload({ ...attached, reply: { ...attached.reply, actions: [], fields: [] } }, actions);
    }
  }

  async function defer(isHidden: boolean): Promise<void> {
    if (inPlace && !isHidden) await first(Type.DeferredMessageUpdate);
    else await first(Type.DeferredChannelMessageWithSource, isHidden ? hidden : {});
    shown = 'deferred';
  }

  async function show(payload: MessagePayload, isHidden: boolean): Promise<void> {
    const isLarge = payload.files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_UNDEFERRED_BYTES;
    if (shown === 'nothing' && isLarge) await defer(isHidden);
    if (shown !== 'nothing') await edit(payload);
    else if (inPlace && !isHidden) await first(Type.UpdateMessage, payload.body, payload.files);
    else await first(Type.ChannelMessageWithSource, { ...payload.body, ...(isHidden ? hidden : {}) }, payload.files);
    shown = 'content';
  }

  return {
    isPrivate,
    wait: async () =>
      inOrder(async () => {
        if (shown === 'nothing') await defer(isPrivate);
      }),
    interim: async (reply) => inOrder(async () => show(await payloadWith({ reply, files: [] }), isPrivate)),
    final: async (attached) =>
      inOrder(async () => {
        const payload = await payloadWith(attached);
        const isHidden = isPrivate || attached.reply.audience === 'asker';
        if (ownMessage !== undefined) return void (await edit(payload));
        if (shown === 'nothing' || !isHidden || isPrivate) return show(payload, isHidden);
        // Deferred for everybody, and now it is for the asker. The pressed message stays unless an interim text replaced it.
        if (inPlace) await (shown === 'content' ? edit(payload) : followUp(payload));
        else {
          if (!isRemoved) await remove();
          isRemoved = true;
          await followUp(payload);
        }
        return undefined;
      }),
  };
}

const FIRST_ANSWER = SECOND;

export interface FirstAnswer {
  readonly type: InteractionResponseType;
  readonly data?: object | undefined;
  readonly files?: readonly Upload[];
}

/** Rejects with the library's errors. */
export async function acknowledge(call: RestCall, { id, token }: Pick<Interaction, 'id' | 'token'>, answer: FirstAnswer): Promise<void> {
  const { type, data, files = [] } = answer;
  const post = async () =>
    call({
      method: 'POST',
      path: `/interactions/${id}/${token}/callback`,
      body: omitUndefined({ type, data }),
      files,
      auth: false,
      deadlineMs: FIRST_ANSWER,
    });
  try {
    await post();
  } catch (error) {
    const { kind } = outcomeOf(error);
    if (kind !== 'unclear' && kind !== 'later') throw error;
    await post().catch((again: unknown) => {
      // "Acknowledged already": by the first try, whose answer was lost.
      if (!isCode(again, 40_060)) throw again;
    });
  }
}

export interface DisplayDeps {
  readonly key: string;
  readonly ready: () => Promise<void>;
  readonly chat: Address;
  readonly command: string;
  readonly log: Log;
}

export function displaySteps(lifecycle: DiscordReplyLifecycle, { key, ready, chat, command, log }: DisplayDeps): DisplaySteps {
  const orText = async (attached: Attached): Promise<void> => {
    try {
      await lifecycle.final(attached);
    } catch (error) {
      if (!isForFiles(error) || (attached.picture === undefined && attached.files.length === 0)) throw error;
      log.warn('discord.files-not-taken', { chat, command, because: inWords(error) });
      await lifecycle.final(wordsOnly(attached));
    }
  };

  async function shown(attached: Attached): Promise<void> {
    await ready();
    try {
      await orText(attached);
    } catch (error) {
      // Refused for its form, which is our bug: the person still gets an answer.
      if (!isCode(error, 50_035, 50_006)) throw error;
      log.error('discord.answer-refused', { chat, command, because: inWords(error) });
      const sorry = reply({ tone: 'warning', finding: ['The answer could not be shown here. The log says why.'], audience: 'asker' });
      await lifecycle.final({ reply: sorry, files: [] });
    }
  }

  return {
    async whole(attached) {
      await shown(attached);
      return undefined;
    },
    // The files follow with the picture: an edit uploads all attachments again.
    async text({ reply: said }) {
      await shown({ reply: said, files: [] });
      return key;
    },
    async rest(attached, ticket) {
      if (attached.picture === undefined && attached.files.length === 0) return;
      await ticket.run(async () => orText(attached));
    },
  };
}
