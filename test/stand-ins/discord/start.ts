/**
 * The Discord stand-in: REST and gateway on one loopback port, as strict as the platform.
 *
 * Left out: voice, reactions, polls, stickers, webhooks other than an interaction's, answers inside the post of an interaction, members lists, compression of the gateway,
 * and the layout of components v2 (the published contract alone looks at those).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { systemClock } from '../../../src/base/clock.js';
import { openBus } from './bus.js';
import { channelControls, directChannel } from './channel-controls.js';
import { openCommands } from './commands.js';
import { openFaults } from './faults.js';
import { openGateway } from './gateway.js';
import { greeting } from './greeting.js';
import { guildControls } from './guild-controls.js';
import { openInteractions } from './interactions.js';
import { shortenPauses } from './library-pauses.js';
import { openNonces } from './nonces.js';
import { peopleControls } from './people-controls.js';
import { openRateLimits } from './rate.js';
import { openRest, type Rest } from './rest.js';
import { channelRoutes } from './routes-channels.js';
import { roleRoutes } from './routes-roles.js';
import { threadRoutes } from './routes-threads.js';
import { commandRoutes } from './routes-commands.js';
import { guildRoutes } from './routes-guilds.js';
import { interactionRoutes } from './routes-interactions.js';
import { stateControls } from './state-controls.js';
import type { StandInContext } from './context.js';
import { openTranscript } from './transcript.js';
import type { DiscordOptions, DiscordStandIn } from './types.js';
import { createWorld } from './world.js';

const NONCE_WINDOW = 300_000;
const UPLOAD = 10 * 1024 * 1024;

/** Starts the stand-in on a free port of 127.0.0.1; resolves when it listens. */
export async function startDiscord(options: DiscordOptions): Promise<DiscordStandIn> {
  const { token, clock = systemClock } = options;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `127.0.0.1:${port}`;
  const gatewayUrl = `ws://${origin}/gateway`;
  const restorePauses = shortenPauses();

  const bus = openBus();
  const world = createWorld(clock, options.applicationId);
  const transcript = openTranscript(bus);
  const interactions = openInteractions({ clock, world });
  const commands = openCommands(world);
  const faults = openFaults(bus);
  const limits = openRateLimits(options.bucket, options.globalBucket);
  const gateway = openGateway({
    token,
    clock,
    bus,
    transcript,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    privilegedIntents: options.privilegedIntents ?? 0,
    identifies: options.identifies ?? 1000,
    shards: options.shards ?? 1,
    greet: (session) => greeting(world, session, gatewayUrl),
  });
  const context: StandInContext = {
    token,
    clock,
    world,
    bus,
    view: { world, filesUrl: `http://${origin}`, metadata: interactions.metadata },
    nonces: openNonces(clock, options.nonceWindowMs ?? NONCE_WINDOW),
    uploadBytes: options.uploadBytes ?? UPLOAD,
    dispatch: gateway.dispatch,
  };
  const rest: Rest = openRest({
    context,
    faults,
    limits,
    transcript,
    routes: [
      ...guildRoutes(context, { url: gatewayUrl, shards: options.shards ?? 1, startLimit: gateway.startLimit }),
      ...roleRoutes(context),
      ...channelRoutes(context, (user) => directChannel(context, user)),
      ...threadRoutes(context),
      ...commandRoutes(context, commands),
      ...interactionRoutes(context, interactions),
    ],
  });
  const answer = getRequestListener(rest.app.fetch);
  server.on('request', (request, response) => void answer(request, response));
  server.on('upgrade', gateway.upgrade);

  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    faults.clear();
    gateway.close();
    server.closeAllConnections();
    await closed;
    bus.close();
    restorePauses();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: `http://${origin}/api`,
    token,
    applicationId: world.applicationId,
    transcript,
    controls: {
      ...guildControls(context),
      ...channelControls(context),
      ...peopleControls(context, commands, interactions),
      ...stateControls(context, commands),
      invalidRequests: rest.invalidRequests,
      waitFor: bus.waitFor,
      faults,
      gateway: gateway.controls,
      endpoint: world.endpoint,
      limit: limits.set,
    },
    close: async () => (stopped ??= stop()),
  };
}
