/** /start [link]: the greeting, or the command of a deep link. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import { commandLine, optional, textOption } from '../src/reply/index.js';
import { welcome } from '../src/dispatch/welcome.js';
import { keyFault } from '../src/domain/wallet.js';

const WATCH = /^watch_(.+)$/iu;

/** Writes a slug for a deep link, which allows few characters: https://core.telegram.org/bots/features#deep-linking */
const asInLink = (slug: string): string => slug.toLowerCase().replace(/[^a-z0-9]/gu, '-');

export default defineCommand({
  name: 'start',
  summary: 'What this bot does and how to start',
  group: 'bot',
  personal: true,
  args: z.object({
    link: textOption('set by links to the bot, such as watch_tide or watch_all'),
  }),
  examples: ['/start', '/start watch_tide'],
  phrases: {
    '/start': `start | how do I get started | I just added you how do I begin | set up the bot | getting started | what is this bot | what does
      this bot do | introduce yourself`,
  },

  async instead({ link = '' }, { directory }) {
    const [, linked] = WATCH.exec(link) ?? [];
    if (linked === undefined) return undefined;
    // A public key has no underscore, so the text after one is a label.
    const [key = '', ...label] = linked.split('_');
    if (keyFault(key) === undefined) return commandLine('watch', key, label.length === 0 ? undefined : label.join(' '));
    const projects = (await optional(directory.all())).answer ?? [];
    const exact = projects.find(({ slug }) => slug.toLowerCase() === linked.toLowerCase());
    const [meant, ...others] = projects.filter(({ slug }) => asInLink(slug) === asInLink(linked));
    return commandLine('watch', exact?.slug ?? (others.length === 0 ? meant?.slug : undefined) ?? linked);
  },

  run: async (_, { chat, platformHints, inviteLinks }) => welcome(platformHints(chat), inviteLinks(chat)),
});
