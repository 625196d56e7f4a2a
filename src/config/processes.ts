/** How processes share the work. */
import { z } from 'zod';
import { setting } from '../base/settings.js';

export const PROCESSES = {
  ROLE: setting(z.enum(['all', 'answer'], 'choose all, or answer for a process that only answers questions').default('all'), {
    says: 'all, or answer: only answers questions that come over HTTP, beside other processes on the same PostgreSQL or Redis.',
    example: 'all',
  }),
};
