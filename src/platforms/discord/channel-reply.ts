/** Shows the reply to a written message as a Discord reply that pings nobody. */
import { z } from 'zod';
import type { Reply } from '../../chat/reply.js';
import type { Attached } from '../attachments.js';
import type { ReplySurface } from '../conversation.js';
import { DiscordSurface, type SurfaceDeps } from './reply-surface.js';
import type { RestCall } from './rest.js';

const idSchema = z.object({ id: z.string() });

export interface ChannelReplyDeps extends SurfaceDeps {
  readonly call: RestCall;
  readonly channel: string;
  /** The id of the message that is answered. */
  readonly question: string;
  /** True if the answer may refer to the question, which needs Read Message History. */
  readonly refers: boolean;
  /** Called with the id of the message that was posted. */
  readonly onPosted: (message: string) => void;
}

export class ChannelReply extends DiscordSurface<ChannelReplyDeps> implements ReplySurface {
  #message: string | undefined;

  /** Discord shows "typing" for ten seconds. */
  async acknowledge(): Promise<void> {
    const { call, channel } = this.deps;
    if (this.#message === undefined) await call({ method: 'POST', path: `/channels/${channel}/typing` });
  }

  async interim(text: Reply): Promise<boolean> {
    await this.put({ reply: text, files: [] });
    return true;
  }

  protected keyOf(): string {
    return this.deps.question;
  }

  protected about(): Readonly<Record<string, unknown>> {
    return { channel: this.deps.channel };
  }

  protected async put(attached: Attached): Promise<void> {
    const { call, channel, question, refers, onPosted } = this.deps;
    const { body: content, files } = await this.payload(attached);
    const body = { ...content, allowed_mentions: { parse: [], replied_user: false } };
    if (this.#message !== undefined) {
      await call({ method: 'PATCH', path: `/channels/${channel}/messages/${this.#message}`, body, files });
      return;
    }
    const reference = refers ? { message_reference: { message_id: question, fail_if_not_exists: false } } : {};
    // If the event is repeated after a restart, the nonce makes Discord return the existing answer.
    const posted = await call({
      ...{ method: 'POST', path: `/channels/${channel}/messages`, files },
      body: { ...body, ...reference, nonce: question, enforce_nonce: true },
    });
    this.#message = idSchema.parse(posted).id;
    onPosted(this.#message);
  }
}
