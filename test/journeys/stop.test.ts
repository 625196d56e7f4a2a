/** A stop while the service has taken requests that it never answers. */
import { expect, test } from 'vitest';
import type { Connect } from '../../src/analytics/transport.js';
import { createTransport } from '../../src/analytics/transport.js';
import { unlessAborted } from '../../src/base/deadline.js';
import { SECOND } from '../../src/base/clock.js';
import { signalOnce } from '../../src/base/when-ready.js';
import { openBot } from './bot.js';

/** Answers nothing from `hang` on; `asked` resolves at the first request that it keeps. */
function silentService() {
  const asked = signalOnce();
  let isSilent = false;
  const connect: Connect = (options) => {
    const transport = createTransport(options);
    return {
      ...transport,
      async send(request) {
        if (!isSilent) return transport.send(request);
        asked.signal();
        return unlessAborted(request.signal, new Promise<never>(() => {}));
      },
    };
  };
  return { connect, asked: asked.done, hang: () => void (isSilent = true) };
}

test.each(['/overview', '/alerts tide premium below -10 backtest', '/supply tide events'])(
  'a stop gives up %s, which waits for the service, after five seconds and says so',
  async (question) => {
    const service = silentService();
    const bot = await openBot({ overrides: { connect: service.connect } });
    await bot.app().idle();
    service.hang();
    const answer = bot.say(question);
    await service.asked;
    const stopped = bot.app().stop();
    await bot.clock.advance(5 * SECOND);
    expect(await answer).toContain('The bot was stopped before it could answer. Ask again in a minute.');
    await stopped;
  },
);
