/** /ask <question>: a question in plain words, for chats in which the bot sees only commands. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import { UserError } from '../src/reply/index.js';

export default defineCommand({
  name: 'ask',
  summary: 'Ask in plain words',
  args: z.object({
    question: z.string().trim().min(1).describe('such as: is tide cheap? or: top discounts').meta({ rest: true, verbatim: true }),
  }),
  examples: ['/ask is tide cheap?', '/ask top discounts', '/ask tell me when tide drops below nav'],
  reads: 'question',

  // The dispatcher answers the question and does not call this.
  run: async () => {
    throw new UserError('Ask a question in plain words, such as: is tide cheap?');
  },
});
