/** What every client of ours keeps: a request settles within its deadline, whatever the other side does, and leaves no connection open. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { MINUTE } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { createHeartbeatCalls } from '../../src/operations/heartbeat-calls.js';
import { attachedFile } from '../../src/platforms/discord/inbound.js';
import { openRest } from '../../src/platforms/discord/rest.js';
import { openApi } from '../../src/platforms/telegram/api.js';
import { openFiles } from '../../src/platforms/telegram/files.js';
import { post } from '../../src/platforms/webhook/post.js';
import { WELL } from '../operations/notices/states.js';
import { NASTY, startNastyPeer, type Nasty } from '../stand-ins/nasty-peer.js';
import { handClock, type HandClock } from '../support/clock.js';
import { connect, reply, serve, tide } from '../support/service.js';

type Client = (url: string, clock: HandClock) => Promise<unknown>;

const never = new AbortController().signal;
const telegram = (apiRoot: string, clock: HandClock) => openApi({ token: 'token', apiRoot, clock, polling: never, closing: never });

const CLIENTS: Readonly<Record<string, Client>> = {
  'a webhook': async (url, clock) => post({ url, headers: {}, body: '{}' }, { clock, isPrivateAllowed: false, signal: never }),
  'the analytics service': async (url, clock) => {
    const { analytics } = await connect(url, { clock });
    return analytics.call(supplyOverview, tide);
  },
  'the heartbeat': async (url, clock) => createHeartbeatCalls({ url, clock, log: silentLog }).tick(WELL),
  'a request to Discord': async (apiUrl, clock) => {
    const { call, close } = openRest({ token: 'token', apiUrl, clock, deadlineMs: 15_000, patienceMs: 0 });
    onTestFinished(close);
    return call({ method: 'POST', path: '/channels/1/messages', body: { content: 'an alert' } });
  },
  'a file from Discord': async (url, clock) => attachedFile({ name: 'list.txt', size: 1, url }, { clock }).read(),
  'a request to Telegram': async (url, clock) => telegram(url, clock).sendMessage(7, 'an alert'),
  'a file from Telegram': async (apiRoot, clock) => {
    const api = await serve((asked) => reply(asked, '{"ok":true,"result":{"file_id":"1","file_unique_id":"1","file_path":"a"}}'));
    const deps = { api: telegram(api.url, clock), token: 'token', apiRoot, clock, log: silentLog, closing: never };
    return openFiles(deps)({ id: '1', name: 'list.txt', size: 1 }, never).read();
  },
};

const isNasty = (name: string): name is Nasty => name in NASTY;

describe.each(Object.entries(CLIENTS))('%s', (_, ask) => {
  test.each(Object.keys(NASTY).filter(isNasty))('settles within a minute where the other side %s', async (behaviour) => {
    const clock = handClock();
    const peer = await startNastyPeer(behaviour);
    const settled = ask(peer.url, clock).then(
      () => 'settled',
      () => 'settled',
    );
    await peer.arrived;
    await clock.advance(MINUTE);
    expect(await settled).toBe('settled');
    // What is left of an answer is read for a while.
    await clock.advance(MINUTE);
    // A handshake that nobody waits for is ended by a timer of the library, on the machine's clock.
    if (behaviour !== 'never ends the TLS handshake') await peer.left();
  });
});
