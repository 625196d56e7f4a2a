/** Settings of the analytics service, and of what is watched there. */
import { z } from 'zod';
import { positive, serverAddress, setting, wholeNumber, words } from '../base/settings.js';
import { slugSchema } from '../domain/scalars.js';

export const ANALYTICS = {
  ANALYTICS_BASE_URL: setting(
    serverAddress(
      'give the address of the analytics service, such as https://analytics.example, or leave it out to use the embedded one',
      'give the address alone, without a user, a query or a fragment; the key belongs in ANALYTICS_API_KEY',
    ).optional(),
    { says: 'Its address. Left out: the embedded service.', example: 'https://analytics.example' },
  ),
  ANALYTICS_API_KEY: setting(z.string().min(6, 'a key has at least 6 characters; copy it from your analytics account').optional(), {
    says: 'Your key. Required with ANALYTICS_BASE_URL.',
  }),
  ANALYTICS_REQUESTS_PER_SECOND: setting(positive(1_000, 'give a number of requests a second between 0 and 1000, such as 5').optional(), {
    says: 'The highest request rate, in requests a second. Left out: 5, and 50 for the embedded service.',
    example: '5',
  }),
  ANALYTICS_REQUESTS_PER_MONTH: setting(
    wholeNumber(1, 1e9, 'give the number of requests your plan allows a month, such as 500, or leave it out for no limit').optional(),
    { says: 'Requests that your plan allows a month. A hard stop, counted over restarts. Left out: no limit.', example: '500' },
  ),
  ANALYTICS_BUDGET_RESET_DAY: setting(
    wholeNumber(1, 28, 'give the day of the month on which your plan starts counting again, between 1 and 28').default(1),
    { says: 'The day of the month on which the count of your plan begins again, 1 to 28 (UTC).', example: '1' },
  ),
  ANALYTICS_MAX_ROWS: setting(
    wholeNumber(1, 1_000, 'give the most rows your plan gives a request, such as 10, or leave it out to find that out').optional(),
    { says: 'The most rows that your plan gives a request. Left out: found out, at the cost of a few calls.', example: '10' },
  ),
  ANALYTICS_MAX_PAGES: setting(
    wholeNumber(1, 200, 'give the most pages your plan shows of a list, such as 3, or leave it out to find that out').optional(),
    { says: 'The most pages that your plan shows of a list. Left out: found out, at the cost of a few calls.', example: '3' },
  ),
};

export const WATCHING = {
  PROJECTS: setting(
    z
      .string()
      .transform((text) => words(text).map((part) => slugSchema.parse(part)))
      .refine((slugs) => slugs.length > 0, 'give slugs with commas between, such as tide,heron, or leave it out to watch every project')
      .optional(),
    { says: 'Only these projects, by slug, with commas between. Left out: every project the service shows.', example: 'tide,heron' },
  ),
  WATCHLISTS: setting(z.string().trim().min(1).optional(), {
    says: 'A folder of watchlist files, each with its chat (docs/watchlist-file.md). They are applied at the start and when one changes.\nLeft out: people choose in their chats.',
    example: '/etc/navwatch/watchlists',
  }),
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
