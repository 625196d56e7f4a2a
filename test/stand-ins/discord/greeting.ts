/** The events a client hears when it has identified: READY with every server still unavailable, then each server that is there. */
import { Intent } from './flags.js';
import { isOf, type Session } from './session.js';
import { wireGuildCreate, wireUser } from './wire.js';
import { botIsIn, known, type World } from './world.js';

export function greeting(world: World, session: Session, url: string): readonly { readonly name: string; readonly data: unknown }[] {
  const guilds = [...world.guilds.values()].filter((guild) => botIsIn(world, guild) && isOf(session.shard, guild.id));
  const ready = {
    v: 10,
    user_settings: {},
    user: { ...wireUser(known(world.users, world.applicationId, 'user')), verified: true, mfa_enabled: true, email: null, clan: null },
    session_type: 'normal',
    session_id: session.id,
    shard: [session.shard.id, session.shard.of],
    resume_gateway_url: url,
    relationships: [],
    private_channels: [],
    presences: [],
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    guild_join_requests: [],
    geo_ordered_rtc_regions: [],
    auth: {},
    application: { id: world.applicationId, flags: 0 },
    _trace: [],
  };
  const tells = (session.intents & Intent.GUILDS) !== 0;
  const there = guilds.filter(({ unavailable }) => tells && !unavailable);
  return [{ name: 'READY', data: ready }, ...there.map((guild) => ({ name: 'GUILD_CREATE', data: wireGuildCreate(world, guild) }))];
}
