/** Where the bot connects to, of its own accord. */
import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { openBot } from './bot.js';

/** The host of each connection that this process opens, however a library opens it. */
function connectedHosts(): ReadonlySet<string> {
  const hosts = new Set<string>();
  const connect = Socket.prototype.connect;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function observed(this: Socket, ...given: unknown[]) {
    // Node passes the options alone or in a list.
    const [options] = given.flat();
    const host: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'host') : given[1];
    hosts.add(typeof host === 'string' ? host : 'localhost');
    return Reflect.apply(connect, this, given);
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
  return hosts;
}

test('nothing calls home: a bot without tokens that starts, answers, checks and stops connects to this machine only', async () => {
  const hosts = connectedHosts();
  const bot = await openBot();
  await bot.say('/watch tide');
  await bot.say('/premium tide');
  await bot.clock.advance(90 * MINUTE);
  await bot.app().idle();
  await bot.say('/status');
  await bot.app().stop();
  expect(hosts.size).toBeGreaterThan(0);
  expect([...hosts].filter((host) => !['127.0.0.1', 'localhost', '::1'].includes(host))).toEqual([]);
});
