/** Settings of what is watched. */
import { z } from 'zod';
import { positive, setting, words } from '../base/settings.js';
import { slugSchema } from '../domain/scalars.js';

export const WATCHING = {
  PROJECTS: setting(
    z
      .string()
      .transform((text) => words(text).map((part) => slugSchema.parse(part)))
      .refine((slugs) => slugs.length > 0, 'give slugs with commas between, such as tide,heron, or leave it out to watch every project')
      .optional(),
    { says: 'Only these projects, by slug, with commas between. Left out: every project the service shows.', example: 'tide,heron' },
  ),
  POLL_MIN_SECONDS: setting(
    positive(86_400, 'give the seconds between two checks of one thing, more than 0 and at most 86400').optional(),
    {
      says: 'The least time between two checks of the same thing, in seconds. Left out: 60, and 15 with the embedded service.',
      example: '60',
    },
  ),
  WALLET_MAX_AGE_MINUTES: setting(
    positive(100_000, "give how old a watched wallet's snapshot may become, in minutes, such as 60").default(60),
    {
      says: 'How old the snapshot of a watched wallet may become before the service is asked to refresh it, in minutes.',
      example: '60',
    },
  ),
};
