/** Ping roles, which the bot creates so that members choose what they are pinged for. They grant no permission; each press checks that again. */
import { createHash } from 'node:crypto';
import { PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { later, MINUTE, DAY, type Clock, type Instant } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import type { MadePingRoles, PingRoleChange, PingRoles, WantedPingRole } from '../../chat/ping-roles.js';
import type { Reply } from '../../chat/reply.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import type { Actions } from '../button-payloads.js';
import { idAt } from './address.js';
import type { ChannelRecords } from './guilds.js';
import { has } from './interaction.js';
import { messageOf } from './message.js';
import { inWords, isCode, outcomeOf, refusalInWords } from './outcome.js';
import { memberSchema, overwriteSchema, permissionsIn, permissionsOf } from './permissions.js';
import type { RestCall } from './rest.js';

/** Discord allows 250 roles and 500 channels; a longer list is refused as a fault. */
const MAX_ROLES = 1_000;
const MAX_CHANNELS = 2_000;
const roleSchema = z.object({
  id: z.string().regex(/^\d{1,20}$/u),
  name: z.string(),
  permissions: z.string().regex(/^\d+$/u).transform(BigInt),
  position: z.int(),
  managed: z.boolean().default(false),
});
type Role = z.infer<typeof roleSchema>;
const guildSchema = z.object({ owner_id: z.string(), roles: z.array(roleSchema).max(MAX_ROLES) });
type Guild = z.infer<typeof guildSchema>;
const channelsSchema = z.array(z.object({ id: z.string(), permission_overwrites: z.array(overwriteSchema).default([]) })).max(MAX_CHANNELS);
type Member = z.infer<typeof memberSchema>;

/** A record without an id is an attempt to create the role at `since`; a kill may have come before the id was recorded. */
const recordSchema = z.object({
  roles: z.record(z.string(), z.object({ id: roleSchema.shape.id.optional(), since: instantSchema })),
});
type GuildRecord = z.infer<typeof recordSchema>;

/** An attempt is searched for this long; after that another role is created. */
const ATTEMPT_AGE = DAY;
/** The assumed difference between Discord's clock and ours. */
const SKEW = MINUTE;

const WINDOW = MINUTE;
export const MAX_PRESSES_OF_PERSON = 6;
/** A press costs up to five of the fifty requests that a bot has per second. */
const MAX_PRESSES_IN_GUILD = 120;
const MAX_COUNTED = 10_000;

const NONCE_LENGTH = 25;
/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const TOO_MANY_ROLES = 30_005;

export interface PingRolesDeps {
  readonly call: RestCall;
  readonly store: Store;
  readonly actions: Actions;
  readonly channels: Pick<ChannelRecords, 'all'>;
  /** The ids of all channels of a server, also of hidden ones; undefined while nobody tells. */
  readonly channelsOf: (guild: string) => readonly string[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PingRolesFor {
  readonly guild: string;
  readonly channel: string;
  readonly person: string;
  /** The id of the question. A repeated question posts its message only once. */
  readonly question: string;
}

export class ServerPingRoles {
  readonly #deps: PingRolesDeps;
  readonly #documents;
  readonly #making = lanes();
  readonly #presses = new RecentMap<string, readonly Instant[]>(MAX_COUNTED);
  #me: string | undefined;

  constructor(deps: PingRolesDeps) {
    this.#deps = deps;
    this.#documents = deps.store.collection({ prefix: 'discord-pings', version: 1, schema: recordSchema });
  }

  of(asked: PingRolesFor): PingRoles {
    return {
      blocked: async () => this.#orSentence(async () => this.#blocked(asked)),
      make: async (wanted) => this.#making.run(asked.guild, async () => this.#make(asked.guild, wanted)),
      post: async (reply) => this.#orSentence(async () => this.#post(asked, reply)),
      toggle: async (purpose) => this.#toggle(asked, purpose),
    };
  }

  async countIn(guild: string): Promise<number> {
    return Object.keys((await this.#documents.get(guild))?.roles ?? {}).length;
  }

  /** Deletes the records of servers in which the bot knows no channel any more. */
  async sweep(): Promise<void> {
    const guilds = new Set((await this.#deps.channels.all()).map(([, { guild }]) => guild));
    for await (const { found } of this.#documents.scan())
      for (const [guild] of found) if (!guilds.has(guild)) await this.#documents.delete(guild);
  }

  async #blocked({ guild: id, channel, person }: PingRolesFor): Promise<string | undefined> {
    const me = await this.#myId();
    const [standing, asker, here] = await Promise.all([
      this.#standing(id),
      this.#member(id, person),
      permissionsIn(this.#deps.call, { channel, guild: id, user: me }),
    ]);
    const { guild, bot } = standing;
    // In a channel the same bit means to edit the channel's permissions, so only what roles grant in the whole server counts.
    if (!mayManageRoles({ id, guild, member: asker, user: person }))
      return 'You need Manage Roles in this server to set up ping roles. Ask somebody who has it.';
    if (!mayManageRoles({ id, guild, member: bot, user: me }))
      return 'I need Manage Roles in this server. Grant it to my role, then try again.';
    if (!has(here, PermissionFlagsBits.MentionEveryone))
      return 'I need "Mention @everyone, @here, and All Roles" in this channel, because nobody else can mention these roles. Grant it, then try again.';
    return this.#hiddenFault(standing);
  }

  async #make(id: string, wanted: readonly WantedPingRole[]): Promise<MadePingRoles> {
    const { clock } = this.#deps;
    const replaced = new Map<string, string>();
    try {
      const guild = await this.#guild(id);
      for (const { purpose, name } of wanted) {
        const before = await this.#read(id);
        const known = before.roles[purpose];
        if (known?.id !== undefined && guild.roles.some((role) => role.id === known.id)) continue;
        const role = adopted(guild, { name, known, record: before, now: clock.now() }) ?? (await this.#create(id, { purpose, name }));
        await this.#record(id, purpose, { id: role.id, since: clock.now() });
        if (known?.id !== undefined) replaced.set(known.id, role.id);
      }
      const { roles } = await this.#read(id);
      const ids = wanted.flatMap(({ purpose }): readonly (readonly [string, string])[] => {
        const role = roles[purpose]?.id;
        return role === undefined ? [] : [[purpose, role]];
      });
      const standing = await this.#standing(id);
      const found = standing.guild.roles.filter((role) => ids.some(([, made]) => made === role.id));
      const [warning] = found.flatMap((role) => heightFault(role, standing) ?? powerFault(role, standing) ?? []);
      return { kind: 'made', roles: Object.fromEntries(ids), replaced, warning };
    } catch (error) {
      return { kind: 'refused', says: this.#sentence(error), replaced };
    }
  }

  /** The attempt is recorded first, so that a role whose id is lost in a kill is found again. */
  async #create(id: string, { purpose, name }: WantedPingRole): Promise<Role> {
    const { clock, log, call } = this.#deps;
    await this.#record(id, purpose, { since: clock.now() });
    // Without `permissions`, Discord would give the role the permissions of everybody.
    const body = { name, permissions: 0, mentionable: false, hoist: false };
    const answer = await call({ method: 'POST', path: `/guilds/${id}/roles`, body }).catch(async (error: unknown) => {
      // A refused request created no role, so the attempt is forgotten.
      if (outcomeOf(error).kind !== 'unclear') await this.#record(id, purpose, undefined);
      throw error;
    });
    const role = roleSchema.parse(answer);
    log.info('discord.ping-role-made', { guild: id, role: role.id, purpose });
    return role;
  }

  async #post({ channel, question }: PingRolesFor, reply: Reply): Promise<undefined> {
    const { call, actions } = this.#deps;
    const nonce = createHash('sha256').update(`pings/${channel}/${question}`).digest('base64url').slice(0, NONCE_LENGTH);
    const body = { ...(await messageOf(reply, actions)), nonce, enforce_nonce: true };
    await call({ method: 'POST', path: `/channels/${channel}/messages`, body });
  }

  async #toggle({ guild: id, person }: PingRolesFor, purpose: string): Promise<PingRoleChange> {
    if (this.#isTooMany(`${id} ${person}`, MAX_PRESSES_OF_PERSON)) return refused('You pressed this often. Try again in a minute.');
    if (this.#isTooMany(id, MAX_PRESSES_IN_GUILD)) return refused('Many people are choosing right now. Try again in a minute.');
    const { call, log } = this.#deps;
    try {
      const role = (await this.#read(id)).roles[purpose]?.id;
      if (role === undefined) return { kind: 'absent' };
      const [standing, member] = await Promise.all([this.#standing(id), this.#member(id, person)]);
      const found = standing.guild.roles.find((one) => one.id === role);
      if (found === undefined) {
        // Meanwhile the role may be made again.
        await this.#making.run(id, async () => {
          if ((await this.#read(id)).roles[purpose]?.id === role) await this.#record(id, purpose, undefined);
        });
        log.info('discord.ping-role-deleted', { guild: id, role, purpose });
        return { kind: 'deleted', role };
      }
      const isTaken = member.roles.includes(role);
      // Whoever has a role may always leave it, also when it may do more than it should.
      const fault = heightFault(found, standing) ?? (isTaken ? undefined : (powerFault(found, standing) ?? this.#hiddenFault(standing)));
      if (fault !== undefined) {
        log.warn('discord.ping-role-refused', { guild: id, role, because: fault });
        return refused(fault);
      }
      await call({ method: isTaken ? 'DELETE' : 'PUT', path: `/guilds/${id}/members/${person}/roles/${role}` });
      return isTaken ? { kind: 'taken' } : { kind: 'given', role };
    } catch (error) {
      return refused(this.#sentence(error));
    }
  }

  /** Counts the press and tells whether there were too many. */
  #isTooMany(key: string, most: number): boolean {
    const now = this.#deps.clock.now();
    const recent = (this.#presses.get(key) ?? []).filter((at) => later(at, WINDOW) > now && at <= now);
    const isOver = recent.length >= most;
    this.#presses.set(key, isOver ? recent : [...recent, now]);
    return isOver;
  }

  async #orSentence(work: () => Promise<string | undefined>): Promise<string | undefined> {
    return work().catch((error: unknown) => this.#sentence(error));
  }

  #sentence(error: unknown): string {
    this.#deps.log.warn('discord.ping-roles-failed', { because: inWords(error) });
    if (isCode(error, TOO_MANY_ROLES)) return 'This server has as many roles as Discord allows. Delete one, then try again.';
    if (isCode(error, 50_013)) return 'I need Manage Roles in this server, and my role above these. Grant it, then try again.';
    return refusalInWords(error) ?? "Discord isn't responding, so nothing was changed. Try again in a minute.";
  }

  async #myId(): Promise<string> {
    return (this.#me ??= z.object({ id: z.string() }).parse(await this.#deps.call({ method: 'GET', path: '/users/@me' })).id);
  }

  /** What decides whether a role may be given. */
  async #standing(id: string): Promise<Standing> {
    const me = await this.#myId();
    const [guild, channels, bot] = await Promise.all([
      this.#guild(id),
      this.#deps.call({ method: 'GET', path: `/guilds/${id}/channels` }).then(channelsSchema.parse),
      this.#member(id, me),
    ]);
    return { id, me, guild, channels, bot };
  }

  /** Discord leaves out of its list what the bot cannot see, and any of that may have settings for the role. */
  #hiddenFault({ id, me, guild, channels, bot }: Standing): string | undefined {
    if (has(grantedIn({ id, guild, member: bot, user: me }), PermissionFlagsBits.Administrator)) return undefined;
    const all = this.#deps.channelsOf(id);
    if (all === undefined)
      return "I can't tell right now whether this server has channels that I can't see, so I give no roles. Try again in a minute.";
    const seen = new Set(channels.map((channel) => channel.id));
    return all.every((channel) => seen.has(channel))
      ? undefined
      : "This server has channels that I can't see, and such a role could open one, so I give none. Somebody with Manage Roles can grant my role View Channel in every channel and category, or Administrator.";
  }

  async #guild(id: string): Promise<Guild> {
    return guildSchema.parse(await this.#deps.call({ method: 'GET', path: `/guilds/${id}` }));
  }

  async #member(guild: string, user: string): Promise<Member> {
    return memberSchema.parse(await this.#deps.call({ method: 'GET', path: `/guilds/${guild}/members/${user}` }));
  }

  async #read(guild: string): Promise<GuildRecord> {
    return (await this.#documents.get(guild)) ?? { roles: {} };
  }

  async #record(guild: string, purpose: string, role: GuildRecord['roles'][string] | undefined): Promise<void> {
    const { [purpose]: _, ...others } = (await this.#read(guild)).roles;
    const roles = role === undefined ? others : { ...others, [purpose]: role };
    if (Object.keys(roles).length === 0) await this.#documents.delete(guild);
    else await this.#documents.set(guild, { roles });
  }
}

const refused = (says: string): Extract<PingRoleChange, { kind: 'refused' }> => ({ kind: 'refused', says });

interface Standing {
  readonly id: string;
  readonly me: string;
  readonly guild: Guild;
  readonly channels: z.infer<typeof channelsSchema>;
  readonly bot: Member;
}

interface Asked {
  readonly id: string;
  readonly guild: Guild;
  readonly member: Member;
  readonly user: string;
}

/** What the roles of somebody grant in the whole server, apart from the settings of channels. */
const grantedIn = ({ id, ...whose }: Asked): bigint => permissionsOf({ guildId: id, overwrites: [], ...whose });

const mayManageRoles = (asked: Asked): boolean => has(grantedIn(asked), PermissionFlagsBits.ManageRoles);

interface Attempt {
  readonly name: string;
  readonly known: GuildRecord['roles'][string] | undefined;
  readonly record: GuildRecord;
  readonly now: Instant;
}

/** Finds the role of an interrupted attempt. Roles cannot carry an id of ours, so it is recognised by name, age and lack of permissions. */
function adopted({ roles }: Guild, { name, known, record, now }: Attempt): Role | undefined {
  if (known === undefined || known.id !== undefined || known.since > now || now - known.since > ATTEMPT_AGE) return undefined;
  const since = BigInt(idAt(known.since - SKEW));
  const taken = new Set(Object.values(record.roles).map(({ id }) => id));
  return roles
    .filter((role) => role.name === name && role.permissions === 0n && !role.managed && !taken.has(role.id) && BigInt(role.id) >= since)
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))[0];
}

/** Discord lets the bot give and take only roles below its highest one. Roles share places, where the older one is above. */
function heightFault(role: Role, { guild: { roles }, bot }: Pick<Standing, 'guild' | 'bot'>): string | undefined {
  const isAbove = (one: Role): boolean =>
    one.position > role.position || (one.position === role.position && BigInt(one.id) < BigInt(role.id));
  return roles.some((one) => bot.roles.includes(one.id) && isAbove(one))
    ? undefined
    : "This role is above mine in the server's list of roles, so I can't give it or take it away. Somebody with Manage Roles can move it down.";
}

function powerFault(role: Role, { channels }: Pick<Standing, 'channels'>): string | undefined {
  const { id, permissions, managed } = role;
  if (managed) return "Discord manages this role, so I don't give it to anybody.";
  if (permissions !== 0n)
    return "This role has permissions now, so I don't give it to anybody. Somebody with Manage Roles can take them away.";
  // The text does not name the channel, because the member may not see it.
  return channels.some(({ permission_overwrites: overwrites }) => overwrites.some((one) => one.id === id))
    ? "A channel has permission settings for this role, so I don't give it to anybody. Somebody with Manage Roles can remove them."
    : undefined;
}
