/** Where the answer to one interaction appears: at once, after "thinking", or in place of the message whose button was pressed. */
import { InteractionResponseType as Type, MessageFlags } from 'discord.js';
import { z } from 'zod';
import type { Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import type { Attached } from '../attachments.js';
import { acknowledge } from './acknowledge.js';
import type { Asked } from './asked.js';
import { laden, type Laden } from './laden.js';
import type { Call } from './rest.js';

/** Bytes of files that arrive in that time on most lines; what is larger is announced first. */
const MOST_AT_ONCE = 256 * 1024;

const idSchema = z.object({ id: z.string() });

export interface Stage {
  /** Whether all that is shown is for the asker alone. */
  readonly isPrivate: boolean;
  /** Says that an answer is coming, unless something is shown already. */
  wait(): Promise<void>;
  /** Shows words until the answer comes. */
  interim(reply: Reply): Promise<void>;
  /** The answer; a later one takes its place. What is for the asker alone is shown to nobody else, whatever was announced before. */
  final(attached: Attached): Promise<void>;
}

export interface StageNeeds {
  readonly call: Call;
  readonly kept: Actions;
  readonly asked: Pick<Asked, 'id' | 'token' | 'application'>;
  /** Whether the answer takes the place of the message whose button was pressed. */
  readonly inPlace: boolean;
  /** Whether the answer is for the asker alone, as far as is known before there is one. */
  readonly isPrivate: boolean;
}

/** Each function rejects with the library's errors; they take effect in the order they are called. */
export function openStage({ call, kept, asked, inPlace, isPrivate }: StageNeeds): Stage {
  let shown: 'nothing' | 'announced' | 'something' = 'nothing';
  let isRemoved = false;
  /** The answer's message, once it is another than the one that was announced. */
  let own: string | undefined;
  let last: Promise<void> = Promise.resolve();
  const inOrder = async (work: () => Promise<void>): Promise<void> => {
    const before = last;
    const done = before.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const hidden = { flags: MessageFlags.Ephemeral } as const;
  const webhook = `/webhooks/${asked.application}/${asked.token}` as const;
  const edit = async ({ body, files }: Laden) =>
    call({ method: 'PATCH', path: `${webhook}/messages/${own ?? '@original'}`, body, files, auth: false });
  const remove = async () => call({ method: 'DELETE', path: `${webhook}/messages/@original`, auth: false });
  const followUp = async ({ body, files }: Laden): Promise<void> => {
    const posted = await call({ method: 'POST', path: webhook, body: { ...body, ...hidden }, files, auth: false });
    own = idSchema.safeParse(posted).data?.id;
  };

  const first = async (type: Type, data?: object, files: Laden['files'] = []) => acknowledge(call, asked, { type, data, files });

  async function ladenWith(attached: Attached): Promise<Laden> {
    try {
      return await laden(attached, kept);
    } catch {
      // The store keeps long lines; without it an answer with nothing to press is better than none.
      return laden({ ...attached, reply: { ...attached.reply, actions: [], fields: [] } }, kept);
    }
  }

  async function announce(isHidden: boolean): Promise<void> {
    if (inPlace && !isHidden) await first(Type.DeferredMessageUpdate);
    else await first(Type.DeferredChannelMessageWithSource, isHidden ? hidden : {});
    shown = 'announced';
  }

  /** The first thing shown is the first answer; what comes later replaces it. */
  async function show(payload: Laden, isHidden: boolean): Promise<void> {
    const isLarge = payload.files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MOST_AT_ONCE;
    if (shown === 'nothing' && isLarge) await announce(isHidden);
    if (shown !== 'nothing') await edit(payload);
    else if (inPlace && !isHidden) await first(Type.UpdateMessage, payload.body, payload.files);
    else await first(Type.ChannelMessageWithSource, { ...payload.body, ...(isHidden ? hidden : {}) }, payload.files);
    shown = 'something';
  }

  return {
    isPrivate,
    wait: async () =>
      inOrder(async () => {
        if (shown === 'nothing') await announce(isPrivate);
      }),
    interim: async (reply) => inOrder(async () => show(await ladenWith({ reply, files: [] }), isPrivate)),
    final: async (attached) =>
      inOrder(async () => {
        const payload = await ladenWith(attached);
        const isHidden = isPrivate || attached.reply.audience === 'asker';
        if (own !== undefined) return void (await edit(payload));
        if (shown === 'nothing' || !isHidden || isPrivate) return show(payload, isHidden);
        // Announced for everybody, and now it is for one. In place, what was pressed stays as it is unless it was written over already.
        if (inPlace) await (shown === 'something' ? edit(payload) : followUp(payload));
        else {
          if (!isRemoved) await remove();
          isRemoved = true;
          await followUp(payload);
        }
        return undefined;
      }),
  };
}
