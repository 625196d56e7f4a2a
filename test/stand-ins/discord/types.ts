/** What a test may do with the Discord stand-in, and what it gets to see. No wire shapes here: those are in `wire.ts`. */
import type { Clock } from '../../../src/base/clock.js';
import type { SaidWords } from './channel-controls.js';
import type { FormValues } from './form-values.js';
import type { InteractionsEndpoint } from './interactions-endpoint.js';
import type { Transcript } from './transcript.js';

/** A snowflake, as text. */
export type Id = string;

export interface DiscordOptions {
  /** The bot's token. Anything else is refused: 401 by REST, close code 4004 by the gateway. */
  readonly token: string;
  /** The application's and the bot user's id; made up unless given. */
  readonly applicationId?: Id;
  /** Times interactions, their tokens, nonces and ids. Heartbeats and rate limits run on real time, since the client library does too. */
  readonly clock?: Clock;
  /** How long the client is alerted to wait between heartbeats, in milliseconds; 41,250 unless given. */
  readonly heartbeatMs?: number;
  /** How long a nonce is remembered, in milliseconds; five minutes unless given. */
  readonly nonceWindowMs?: number;
  /** How many bytes of files a message may carry; 10 MiB unless given. Beyond it: 413 with code 40005. */
  readonly uploadBytes?: number;
  /** Privileged intents switched on for the application (bits 1, 8 and 15); none unless given. Asking for another closes with 4014. */
  readonly privilegedIntents?: number;
  /** How many times a day the bot may identify; 1,000 unless given. */
  readonly identifies?: number;
  /** How many shards the bot needs; one unless given. */
  readonly shards?: number;
  /** Every bucket's size unless a route was given its own by `controls.limit`; 1,000 a second unless given. */
  readonly bucket?: Bucket;
  /** What counts over all routes but an interaction's; 50 a second unless given, as on the platform. */
  readonly globalBucket?: Bucket;
}

export interface Bucket {
  readonly limit: number;
  readonly windowMs: number;
}

export interface DiscordStandIn {
  /** For discord.js: `new Client({ rest: { api: url } })`. The library adds the version. */
  readonly url: string;
  readonly token: string;
  readonly applicationId: Id;
  readonly controls: Controls;
  readonly transcript: Transcript;
  /** Drops every connection and frees the port. Waits that are still pending fail with a sentence. May be called twice. */
  close(): Promise<void>;
}

export type ChannelKind = 'text' | 'announcement' | 'voice' | 'forum' | 'media' | 'category';

export interface Controls {
  // The world. Each returns the id, and the client is alerted of it as the platform would.
  /**
   * A server that the bot is in, since a day ago unless `joinedAt` (Unix milliseconds) says otherwise, with the permissions given (or View, Send,
   * Embed, Attach, History, threads). The owner is a user of its own.
   */
  addGuild(guild?: { readonly id?: Id; readonly name?: string; readonly botPermissions?: bigint; readonly joinedAt?: number }): Id;
  /** Where the server posts its notices; nowhere unless it was set. */
  setSystemChannel(guild: Id, channel: Id | undefined): void;
  addChannel(channel: {
    readonly guild: Id;
    readonly kind?: ChannelKind;
    readonly id?: Id;
    readonly name?: string;
    readonly parent?: Id;
    readonly position?: number;
  }): Id;
  /** Replaces the tags of a forum, and says whether each post needs one. */
  setForum(
    forum: Id,
    change: { readonly tags?: readonly { readonly name: string; readonly moderated?: boolean }[]; readonly needsTag?: boolean },
  ): void;
  /** The posts of a forum, the oldest first, with their tags by name. */
  posts(forum: Id): readonly { readonly id: Id; readonly name: string; readonly archived: boolean; readonly tags: readonly string[] }[];
  /** A moderator gives a post another tag. */
  tagPost(post: Id, tag: string): void;
  addThread(thread: {
    readonly parent: Id;
    readonly id?: Id;
    readonly name?: string;
    readonly archived?: boolean;
    readonly locked?: boolean;
    readonly isPrivate?: boolean;
    /** Whether the bot was added to a private one; it is unless this says no, and then sees it only with Manage Threads. */
    readonly withBot?: boolean;
  }): Id;
  /** A person; `closed` refuses direct messages of the bot with 50007. */
  addUser(user?: { readonly id?: Id; readonly name?: string; readonly isBot?: boolean; readonly closed?: boolean }): Id;
  addRole(role: { readonly guild: Id; readonly name?: string; readonly permissions?: bigint; readonly mentionable?: boolean }): Id;
  /** A file that a person attaches: its id is the value of an option for one. `size` is what is alerted of it; `trouble` strikes when it is fetched. */
  addFile(file: {
    readonly name: string;
    readonly bytes: Uint8Array;
    readonly size?: number;
    readonly contentType?: string;
    readonly trouble?: 'gone' | 'cut' | 'hang';
  }): Id;
  /** Lets a person into a server. Who is not let in explicitly and acts in a channel of it joins with no role. */
  addMember(member: { readonly guild: Id; readonly user: Id; readonly roles?: readonly Id[] }): void;
  /** The private chat of the bot and a person, made when it is not there yet. */
  openDirect(user: Id): Id;
  /** Writes an overwrite on a channel, for the bot, for everyone, or for a role's or user's id. `inherit` takes bits out of both. */
  setPermission(change: {
    readonly channel: Id;
    /** 'bot', 'everyone', or an id. */
    readonly target: string;
    readonly allow?: bigint;
    readonly deny?: bigint;
    readonly inherit?: bigint;
  }): void;
  /** Replaces the permissions of the bot's own role in a server. */
  setBotPermissions(guild: Id, permissions: bigint): void;
  setRolePermissions(role: Id, permissions: bigint): void;
  /** Somebody moves a role to the top of the list, or to the bottom, where new roles are. */
  moveRole(role: Id, to: 'top' | 'bottom'): void;
  deleteRole(role: Id): void;
  /** The roles of a server as they stand, the lowest first. */
  roles(guild: Id): readonly SeenRole[];
  /** The roles of a member beside that of everybody. */
  rolesOfMember(guild: Id, user: Id): readonly Id[];
  /** The permissions the bot has in a channel now. */
  botPermissions(channel: Id): bigint;
  setThread(thread: Id, change: { readonly archived?: boolean; readonly locked?: boolean }): void;
  closeDirect(user: Id, closed: boolean): void;
  deleteChannel(channel: Id): void;
  /** Takes the bot out of a server; its channels then answer 50001. */
  kick(guild: Id): void;
  /** Lets the bot back into a server it was taken out of: it joins now. */
  invite(guild: Id): void;
  /** A server is away for an outage, or back. The bot stays in it. */
  setUnavailable(guild: Id, unavailable: boolean): void;
  /** A moderator deletes a message. */
  deleteMessage(message: Id): void;

  // People. Each returns what the person sees happen.
  /** A person writes in a channel. The client hears of it only with the intents for it. */
  say(words: SaidWords): Id;
  /** A person changes what they wrote. */
  rewrite(message: Id, content: string): void;
  /**
   * A person runs a command that is registered. Options are given by name and checked as a Discord client checks them; a subcommand follows
   * the name after a space. Throws a sentence when the person could not have run it.
   */
  slash(run: { readonly channel: Id; readonly user: Id; readonly command: string; readonly options?: OptionValues }): Interaction;
  /** A person runs a message command of the bot on a message. */
  onMessage(run: { readonly message: Id; readonly user: Id; readonly command: string }): Interaction;
  /** A person installs the application for themselves, and takes it to servers where the bot is not. */
  installFor(user: Id): void;
  /** A person types in an option with autocomplete, and sees the choices offered. */
  autocomplete(typing: {
    readonly channel: Id;
    readonly user: Id;
    readonly command: string;
    readonly focused: string;
    readonly options?: OptionValues;
  }): Promise<readonly Choice[]>;
  /** A person presses a button, named by its label or its custom id. Throws when the message shows no such button to them. */
  press(press: { readonly message: Id; readonly user: Id; readonly button: string }): Interaction;
  /** A person picks in a select menu; the first one of the message unless its custom id is given. */
  select(pick: { readonly message: Id; readonly user: Id; readonly customId?: string; readonly values: readonly string[] }): Interaction;
  /** A person fills the form that an interaction opened: values by custom id. */
  submit(form: { readonly opened: Interaction; readonly values: FormValues }): Interaction;

  // What stands there.
  /** What a channel shows to everyone, oldest first: neither deleted nor ephemeral messages. */
  messages(channel: Id): readonly Seen[];
  /** One message as it stands, deleted and ephemeral ones included. */
  message(id: Id): Seen | undefined;
  /** Every message the bot ever made, with deleted and ephemeral ones, in order. */
  everything(): readonly Seen[];
  /** The commands as registered, for one server or for all. */
  commands(guild?: Id): readonly RegisteredCommand[];
  /** How many 401, 403 and 429 answers were given in the last ten minutes; 10,000 would ban the address. */
  invalidRequests(): number;

  /** Where interactions are posted, and what the bot answered there. */
  readonly endpoint: InteractionsEndpoint;

  // Waiting, without sleeping: looked at now and after each thing that happens.
  waitFor<T>(look: () => T | undefined | false | null): Promise<T>;

  // What goes wrong.
  readonly faults: RestFaults;
  readonly gateway: GatewayControls;
  /** Gives a route a bucket of its own: `limit('POST', '/channels/:channel/messages', { limit: 5, windowMs: 5000 })`. */
  limit(method: string, route: string, bucket: Bucket): void;
}

export type OptionValues = Readonly<Record<string, string | number | boolean>>;

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}

export interface RegisteredCommand {
  readonly id: Id;
  readonly name: string;
  readonly description: string;
  /** The whole command as the platform answers it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** What came of a person's action. */
export interface Interaction {
  readonly id: Id;
  readonly token: string;
  readonly user: Id;
  readonly channel: Id;
  /** Resolves when the bot acknowledges it. */
  acknowledged(): Promise<Acknowledgement>;
  /** Resolves with the first message the person sees of it: a reply, a deferral once edited, an update, or a followup. "Thinking" is none. */
  reply(): Promise<Seen>;
  /** Everything it left for this person to see now, in order, "thinking" included, deleted messages not. */
  shown(): readonly Seen[];
  /** The choices offered, for an autocomplete. */
  choices(): Promise<readonly Choice[]>;
  /** The form that it opened. */
  form(): Promise<Form>;
}

export interface Acknowledgement {
  readonly kind: 'message' | 'deferred' | 'deferred-update' | 'update' | 'choices' | 'form';
  readonly ephemeral: boolean;
  /** How long the person waited for it, in milliseconds of the clock. */
  readonly afterMs: number;
}

export interface Form {
  readonly customId: string;
  readonly title: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A message as it stands. */
export interface Seen {
  readonly id: Id;
  readonly channel: Id;
  readonly author: Id;
  readonly content: string;
  /** As they stand: dropped for want of Embed Links, trimmed, without empty ones. */
  readonly embeds: readonly SeenEmbed[];
  /** Buttons and menus by row, as they were sent. */
  readonly rows: readonly (readonly SeenComponent[])[];
  readonly files: readonly SeenFile[];
  readonly ephemeral: boolean;
  /** Whether it still says that the bot is thinking. */
  readonly thinking: boolean;
  readonly deleted: boolean;
  /** How often it was changed. */
  readonly edits: number;
  readonly nonce: string | undefined;
  /** Whom it would have pinged when it was created or followed up. Nobody: `quiet` is true. */
  readonly pings: Pings;
  readonly repliesTo: Id | undefined;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Whether Suppress Notifications was set. */
  readonly silent: boolean;
  readonly pinned: boolean;
}

export interface SeenRole {
  readonly id: Id;
  readonly name: string;
  readonly permissions: bigint;
  readonly mentionable: boolean;
}

export interface Pings {
  readonly everyone: boolean;
  readonly users: readonly Id[];
  readonly roles: readonly Id[];
  readonly quiet: boolean;
}

export interface SeenEmbed {
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly color?: number;
  readonly timestamp?: string;
  readonly author?: { readonly name: string; readonly url?: string };
  readonly footer?: { readonly text: string };
  readonly image?: { readonly url: string };
  readonly thumbnail?: { readonly url: string };
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[];
}

export interface SeenComponent {
  /** 2 is a button, 3 a menu of texts. */
  readonly type: number;
  readonly custom_id?: string;
  readonly label?: string;
  readonly style?: number;
  readonly url?: string;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly options?: readonly {
    readonly label: string;
    readonly value: string;
    readonly description?: string;
    readonly default?: boolean;
  }[];
  readonly min_values?: number;
  readonly max_values?: number;
}

export interface SeenFile {
  readonly id: Id;
  readonly name: string;
  /** What a screen reader says. */
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** What may go wrong with a REST call. Codes in `refused` are Discord's; `limited` counts seconds, as the platform does. */
export type RestFault =
  | { readonly kind: 'status'; readonly status: 500 | 502 | 503 | 504 }
  | { readonly kind: 'store-then-status'; readonly status: 500 | 502 | 503 | 504 }
  | { readonly kind: 'cut' }
  | { readonly kind: 'store-then-cut' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'store-then-hang' }
  | { readonly kind: 'slow'; readonly until: Promise<unknown> }
  | { readonly kind: 'limited'; readonly retryAfter: number; readonly scope?: 'user' | 'shared' | 'global'; readonly code?: number }
  | { readonly kind: 'refused'; readonly status: number; readonly code: number; readonly message?: string };

export interface RestFaults {
  /** Spoils the next calls that match: one unless `times` says more, any route unless `method` and `path` (a piece of it, or a pattern) say. */
  next(fault: RestFault, when?: FaultWhen): PlannedFault;
  clear(): void;
}

export interface FaultWhen {
  readonly times?: number;
  readonly method?: string;
  readonly path?: string | RegExp;
}

export interface PlannedFault {
  /** Resolves when it happened for the first time. */
  readonly hit: Promise<void>;
  /** How many more times it will happen. */
  left(): number;
  /** Takes it back; what hangs on it is cut. */
  clear(): void;
}

export interface GatewayControls {
  /** Resolves when a client has identified or resumed and its READY or RESUMED is out. */
  ready(): Promise<void>;
  /** The intents the client identified with, as bits. */
  intents(): number | undefined;
  /** Sessions that are connected now. */
  connections(): number;
  /** Cuts the socket without a word; the session may be resumed and what happens meanwhile is replayed. */
  drop(): void;
  /** Closes with a code, say 4000 (resumable) or 4004 (final). */
  close(code: number): void;
  /** Opcode 7: asks the client to reconnect and resume. */
  reconnect(): void;
  /** Opcode 9 now. Not resumable: the session is forgotten. */
  invalidate(resumable: boolean): void;
  /** Stops, or starts again, acknowledging heartbeats: a zombie. */
  withholdAcks(withhold: boolean): void;
  /** Refuses so many resumes with opcode 9, `d: false`. */
  refuseResumes(times: number): void;
  /** Closes so many identifies with a code, say 4004 or 4014. */
  refuseIdentifies(code: number, times: number): void;
  /** Refuses new connections (503 to the upgrade) while it is set: an outage. */
  setDown(down: boolean): void;
  /** Sends the last so many events again under new numbers: the platform delivers at least once. */
  repeat(events: number): void;
  /** How many times a client identified, resumed, and failed to do so. */
  counts(): { readonly identifies: number; readonly resumes: number; readonly refused: number };
}
