/** Settings of the local page, the HTTP interface, and the processes that answer over it. */
import { z } from 'zod';
import { serverAddress, setting, wholeNumber, withoutSlash } from '../base/settings.js';

const yesOr = (usual: 'true' | 'false') =>
  z
    .enum(['true', 'false'], 'say true or false')
    .default(usual)
    .transform((text) => text === 'true');
const yesOrNo = yesOr('false');

export const HTTP = {
  HTTP_HOST: setting(z.string().min(1).default('127.0.0.1'), {
    says: 'The address to listen on. One that other machines can reach needs CONSOLE_TOKEN.',
    example: '127.0.0.1',
  }),
  HTTP_PORT: setting(wholeNumber(0, 65_535, 'give a port between 0 and 65535; 0 takes any free one').default(8787), {
    says: '0 takes any free port.',
    example: '8787',
  }),
  HTTP_LOOPBACK_ONLY: setting(yesOrNo, {
    says: 'true: only this machine reaches the port, whatever HTTP_HOST says, as with a container whose port is published on 127.0.0.1.',
    example: 'false',
  }),
  CONSOLE_TOKEN: setting(
    z.string().min(12, 'choose a token of at least 12 characters, for instance with: openssl rand -hex 16').optional(),
    {
      says: 'Required when HTTP_HOST can be reached from other machines. At least 12 characters. With it the whole page needs a login.\nLeft out: the first start makes one for the operator (npm run --silent login), and this machine may ask without it.',
    },
  ),
  METRICS_OPEN: setting(yesOrNo, {
    says: 'true: /metrics needs no token, for a scraper that cannot send one. Then whoever reaches the port can read it.',
    example: 'false',
  }),
  PUBLIC_URL: setting(serverAddress('give the address alone, such as https://navwatch.example.com').transform(withoutSlash).optional(), {
    says: 'Where people reach this bot from outside, for the addresses that /feeds gives.\nLeft out: no calendar and no feed can be subscribed to.',
    example: 'https://navwatch.example.com',
  }),
  API: setting(yesOr('true'), {
    says: 'true: /api/v1 and /mcp answer as soon as the operator has created a key, and calendars and feeds to their addresses. false: nobody can use them.',
    example: 'true',
  }),
};

export const PROCESSES = {
  ROLE: setting(z.enum(['all', 'answer'], 'choose all, or answer for a process that only answers questions').default('all'), {
    says: 'all, or answer: only answers questions that come over HTTP, beside other processes on the same PostgreSQL or Redis.',
    example: 'all',
  }),
};
