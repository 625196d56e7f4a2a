/** Stores the secret URLs of calendars and feeds, `feed-address/<chat>`. Only hashes are stored, so a URL is shown once. */
import { z } from 'zod';
import type { Clock } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import { FEED_PREFIX, hashOf, isSameHash, newToken } from '../../base/secret-tokens.js';
import { addressSchema, type Address } from '../../chat/address.js';
import type { ChatData } from '../../chat/chat-data.js';
import { FEED_KINDS, type FeedAddresses, type FeedKind } from '../../chat/feed-addresses.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Collection, Store } from '../../store/store.js';

const tokenSchema = z.object({ hash: z.string(), createdAt: instantSchema });
const feedSchema = z.object({ chat: addressSchema, tokens: z.partialRecord(z.enum(FEED_KINDS), tokenSchema) });
type Feeds = z.infer<typeof feedSchema>;

const TOKEN = new RegExp(String.raw`^${FEED_PREFIX}_[a-z]+_[\w-]{43}$`, 'u');

/** The file names, from which a calendar app knows the format. */
export const FILES: Readonly<Record<FeedKind, string>> = { calendar: 'calendar.ics', alerts: 'alerts.atom' };

export class FeedTokens {
  readonly #documents: Collection<Feeds>;
  readonly #clock: Clock;
  readonly #chats = new Map<Address, Feeds>();
  readonly #byHash = new Map<string, { readonly chat: Address; readonly kind: FeedKind }>();
  readonly #writer = lanes();

  private constructor(documents: Collection<Feeds>, clock: Clock) {
    this.#documents = documents;
    this.#clock = clock;
  }

  /** Opens the tokens. An unreadable document is left out; its URLs must be created again. */
  static async open({ store, clock }: { readonly store: Store; readonly clock: Clock }): Promise<FeedTokens> {
    const tokens = new FeedTokens(store.collection({ prefix: 'feed-address', schema: feedSchema, version: 1 }), clock);
    for (const [, feeds] of (await tokens.#documents.list()).found) tokens.#put(feeds.chat, feeds);
    return tokens;
  }

  of(chat: Address): Feeds['tokens'] {
    return this.#chats.get(chat)?.tokens ?? {};
  }

  /** Returns the chat and the kind of feed that a token opens. */
  find(token: string): { readonly chat: Address; readonly kind: FeedKind } | undefined {
    if (!TOKEN.test(token)) return undefined;
    const hash = hashOf(token);
    const found = this.#byHash.get(hash);
    const kept = found && this.of(found.chat)[found.kind]?.hash;
    return kept !== undefined && isSameHash(hash, kept) ? found : undefined;
  }

  /** Replaces the chat's token of this kind and resolves with the new one. */
  async create(chat: Address, kind: FeedKind): Promise<string> {
    const token = newToken(FEED_PREFIX, kind);
    await this.#write(chat, (tokens) => ({ ...tokens, [kind]: { hash: hashOf(token), createdAt: this.#clock.now() } }));
    return token;
  }

  async revoke(chat: Address, kind: FeedKind): Promise<boolean> {
    const had = this.of(chat)[kind] !== undefined;
    await this.#write(chat, (tokens) => Object.fromEntries(Object.entries(tokens).filter(([one]) => one !== kind)));
    return had;
  }

  async forget(chat: Address): Promise<void> {
    await this.#write(chat, () => ({}));
  }

  async #write(chat: Address, edit: (tokens: Feeds['tokens']) => Feeds['tokens']): Promise<void> {
    await this.#writer.run(chat, async () => {
      const before = this.of(chat);
      const tokens = edit(before);
      const isEmpty = Object.keys(tokens).length === 0;
      // A revoked URL stops working at once, even if the write fails.
      if (Object.keys(tokens).length < Object.keys(before).length) this.#put(chat, { chat, tokens });
      if (!isEmpty) await this.#documents.set(chat, { chat, tokens });
      else if (Object.keys(before).length > 0) await this.#documents.delete(chat);
      this.#put(chat, { chat, tokens });
    });
  }

  #put(chat: Address, feeds: Feeds): void {
    for (const token of Object.values(this.of(chat))) this.#byHash.delete(token.hash);
    if (Object.keys(feeds.tokens).length === 0) this.#chats.delete(chat);
    else this.#chats.set(chat, feeds);
    for (const kind of FEED_KINDS) {
      const token = feeds.tokens[kind];
      if (token !== undefined) this.#byHash.set(token.hash, { chat, kind });
    }
  }
}

interface FeedAddressesDeps {
  readonly tokens: FeedTokens;
  readonly publicUrl: string | undefined;
  readonly data: Pick<ChatData, 'formerly'>;
}

/** Implements `/feeds`. URLs from before a chat moved stay valid, so they are listed and revoked too. */
export function feedAddresses({ tokens, publicUrl, data }: FeedAddressesDeps): FeedAddresses {
  return {
    isPublic: publicUrl !== undefined,
    read: (chat) =>
      Object.fromEntries(
        [...data.formerly(chat), chat].flatMap((one) =>
          Object.entries(tokens.of(one)).map(([kind, { createdAt }]): [string, Instant] => [kind, createdAt]),
        ),
      ),
    async create(chat, kind) {
      if (publicUrl === undefined) return undefined;
      for (const former of data.formerly(chat)) await tokens.revoke(former, kind);
      return `${publicUrl}/feeds/${await tokens.create(chat, kind)}/${FILES[kind]}`;
    },
    async revoke(chat, kind) {
      const had: boolean[] = [];
      for (const one of [...data.formerly(chat), chat]) had.push(await tokens.revoke(one, kind));
      return had.includes(true);
    },
  };
}
