/** Lines that members type, and the suggestions while they type, on a service that knows names and nothing else. */
import type { Target } from '../fuzz.js';
import { openFuzzedBot, unbroken } from '../bot.js';
import { harmless } from '../harmless.js';
import { CHAT } from '../../support/app-harness.js';
import { fuzzedLine, seeded } from '../../support/lines.js';

const LIFETIME = 400;
const LINES = 300;
const SEED = 20_261_123;
const SUGGESTIONS = 25;
const MAX_LABEL = 2_000;

async function behind(): Promise<Omit<Target, 'name' | 'run'> & { readonly bot: Awaited<ReturnType<typeof openFuzzedBot>> }> {
  const bot = await openFuzzedBot({ answers: {} }, LIFETIME);
  const { commands } = bot.current().registry.catalogue;
  const random = seeded(SEED);
  const examples = commands.flatMap((command) => command.examples);
  const lines = Array.from({ length: LINES }, () => fuzzedLine(random, commands)).filter(({ length }) => length < 2_000);
  const options = commands.flatMap((command) => command.options.flatMap(({ name, choices = [] }) => [`${name}:`, ...choices]));
  const words = [...options, ...examples.flatMap((line) => line.split(' '))];
  return {
    bot,
    json: false,
    inputs: [...examples, ...lines],
    words,
    mayKeepMb: 120,
    idle: async () => bot.current().clock.next(),
    close: bot.close,
  };
}

export async function lines(): Promise<Target> {
  const { bot, ...target } = await behind();
  return {
    ...target,
    name: 'lines',
    async run(input) {
      const harness = await bot.next();
      const { reply } = await harness.say(input);
      unbroken(harness);
      await harmless(reply);
      return reply.tone === 'warning' ? 'warning' : 'reply';
    },
  };
}

export async function completion(): Promise<Target> {
  const { bot, ...target } = await behind();
  return {
    ...target,
    name: 'completion',
    async run(input) {
      const { registry } = bot.current();
      const found = await registry.catalogue.complete(input, CHAT, SUGGESTIONS);
      const [command = '', option = '', ...rest] = input.replace(/^\//u, '').split(/[\s:]+/u);
      const values = await registry.catalogue.completeOption({ command, option, partial: rest.join(' '), chat: CHAT }, SUGGESTIONS);
      if (found.length > SUGGESTIONS || values.length > SUGGESTIONS) throw new Error('too many suggestions');
      const long = [...found, ...values].find(({ label }) => label.length > MAX_LABEL);
      if (long !== undefined) throw new Error(`a suggestion of ${long.label.length} characters`);
      return found.length + values.length > 0 ? 'suggestions' : 'none';
    },
  };
}
