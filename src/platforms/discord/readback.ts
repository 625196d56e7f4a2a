/** Reads a channel back to see whether a delivery stands there already. A nonce is forgotten within minutes; a message is not. */
import { z } from 'zod';
import { MINUTE, type Instant } from '../../base/clock.js';
import { idAt } from './address.js';
import type { MessageBody } from './message.js';
import type { Call } from './rest.js';

/** https://docs.discord.com/developers/resources/message#get-channel-messages */
const PAGE = 100;
/** A busier channel than two thousand messages since is not read to its end. */
const MOST_PAGES = 20;
/** Discord's clock dates its messages, and ours dates the attempt. */
const SKEW = MINUTE;

const messageSchema = z.object({
  id: z.string(),
  author: z.object({ id: z.string() }),
  nonce: z.union([z.string(), z.number()]).optional(),
  embeds: z.array(z.object({ description: z.string().optional() })).default([]),
  components: z.array(z.object({ components: z.array(z.object({ custom_id: z.string().optional() })).default([]) })).default([]),
});
type Standing = z.infer<typeof messageSchema>;

export interface ReadbackQuery {
  readonly channel: string;
  /** Our own user's id. */
  readonly me: string;
  readonly deliveryId: string;
  readonly nonce: string;
  readonly body: MessageBody;
  readonly since: Instant;
}

/** The id of the message that the delivery became since then; undefined where none stands. Rejects with the library's errors. */
export async function findPosted(call: Call, wanted: ReadbackQuery): Promise<string | undefined> {
  const isIt = recogniser(wanted);
  let after = idAt(wanted.since - SKEW);
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await call({
      method: 'GET',
      path: `/channels/${wanted.channel}/messages`,
      query: { after, limit: String(PAGE) },
    });
    const messages = z.array(messageSchema).parse(answer);
    const found = messages.find(isIt);
    if (found !== undefined) return found.id;
    if (messages.length < PAGE) return undefined;
    after = messages
      .map(({ id }) => BigInt(id))
      .reduce((a, b) => (a > b ? a : b), 0n)
      .toString();
  }
  return undefined;
}

/** An alert's "Why?" carries the delivery's id. Where no button does, the message is known by its nonce, or by saying the very same. */
function recogniser({ me, deliveryId, nonce, body }: ReadbackQuery): (message: Standing) => boolean {
  const isMarked = (ids: readonly (string | undefined)[]): boolean => ids.some((id) => id?.includes(deliveryId) === true);
  const marked = isMarked(body.components.flatMap((row) => row.components.map((one) => ('custom_id' in one ? one.custom_id : undefined))));
  const description = body.embeds[0]?.description?.trim();
  return (message) => {
    if (message.author.id !== me) return false;
    if (message.nonce === nonce) return true;
    if (marked) return isMarked(message.components.flatMap((row) => row.components.map((one) => one.custom_id)));
    return description !== undefined && message.embeds[0]?.description?.trim() === description;
  };
}
