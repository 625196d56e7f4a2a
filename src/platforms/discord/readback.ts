/** Finds a delivery that may have been posted in a channel, by its id on a button. */
import { z } from 'zod';
import { MINUTE, type Instant } from '../../base/clock.js';
import { idAt } from './address.js';
import type { MessageBody } from './message.js';
import type { RestCall } from './rest.js';

/** https://docs.discord.com/developers/resources/message#get-channel-messages */
const PAGE = 100;
const MAX_PAGES = 20;
export const MAX_READ_BACK = PAGE * MAX_PAGES;
/** The assumed difference between Discord's clock and ours. */
export const SKEW = MINUTE;

export const postedMessageSchema = z.object({
  id: z.string(),
  author: z.object({ id: z.string() }),
  /** Set in replies to commands and buttons, which may name the delivery too but are not the alert. */
  webhook_id: z.string().optional(),
  nonce: z.union([z.string(), z.number()]).optional(),
  content: z.string().default(''),
  embeds: z.array(z.object({ description: z.string().optional() })).default([]),
  components: z.array(z.object({ components: z.array(z.object({ custom_id: z.string().optional() })).default([]) })).default([]),
});
type PostedMessage = z.infer<typeof postedMessageSchema>;

export interface ReadbackQuery {
  readonly channel: string;
  readonly me: string;
  readonly deliveryId: string;
  readonly nonce: string;
  readonly body: MessageBody;
  readonly since: Instant;
}

/**
 * `empty` means no message at all, which is also what Discord shows without the permission to read; `too many` means that the search gave up after `MAX_PAGES`
 * pages.
 */
export type Readback = PostedMessage | 'absent' | 'empty' | 'too many';

/** Reads the channel from the first attempt on, oldest message first. Rejects with the library's errors. */
export async function findPosted(call: RestCall, query: ReadbackQuery): Promise<Readback> {
  const isIt = isMessageOf(query);
  let after = idAt(query.since - SKEW);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await call({
      method: 'GET',
      path: `/channels/${query.channel}/messages`,
      query: { after, limit: String(PAGE) },
    });
    const messages = z.array(postedMessageSchema).parse(answer);
    const found = messages.findLast(isIt);
    if (found !== undefined) return found;
    if (messages.length < PAGE) return page === 0 && messages.length === 0 ? 'empty' : 'absent';
    after = messages
      .map(({ id }) => BigInt(id))
      .reduce((a, b) => (a > b ? a : b), 0n)
      .toString();
  }
  return 'too many';
}

/** Recognises a message by its delivery id ("Why?" button), nonce or text. */
export function isMessageOf({
  me,
  deliveryId,
  nonce,
  body,
}: Pick<ReadbackQuery, 'me' | 'deliveryId' | 'nonce' | 'body'>): (message: PostedMessage) => boolean {
  const hasId = (ids: readonly (string | undefined)[]): boolean => ids.some((id) => id?.includes(deliveryId) === true);
  const identifiable = hasId(
    body.components.flatMap((row) => row.components.map((one) => ('custom_id' in one ? one.custom_id : undefined))),
  );
  const content = body.content.trim();
  const description = body.embeds[0]?.description?.trim();
  return (message) => {
    if (message.author.id !== me || message.webhook_id !== undefined) return false;
    if (message.nonce === nonce) return true;
    if (identifiable) return hasId(message.components.flatMap((row) => row.components.map((one) => one.custom_id)));
    const [embed] = message.embeds;
    return message.content.trim() === content && (embed === undefined ? content !== '' : embed.description?.trim() === description);
  };
}
