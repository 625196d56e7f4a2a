/** The OpenAPI document, used as a stranger would: a client is made from it alone, and every answer is held against it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROBLEMS } from '../../../src/platforms/api/problems.js';
import { JSON_TYPE, openApiBot } from './bot-with-keys.js';

const mediaSchema = z.record(z.string(), z.object({ schema: z.looseObject({}) }));
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.literal('query'), required: z.boolean() })).default([]),
  requestBody: z.object({ content: mediaSchema }).optional(),
  responses: z.record(z.string(), z.object({ content: mediaSchema })),
});
const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post']), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});

test('a client made from the document alone gets answers that fit it, errors included', async () => {
  const bot = await openApiBot();
  for (const line of ['/watch tide', '/watch all', '/unwatch heron', '/alerts tide premium above 25', '/mute all supply 2h'])
    await bot.say(line);
  const { headers } = await bot.key();
  const document = documentSchema.parse(await (await fetch(bot.url('/api/openapi.json'))).json());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  const fits = (pointer: readonly string[], value: unknown): unknown => {
    const path = pointer
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/');
    const check = ajv.compile({ $ref: `openapi.json#/${path}` });
    return check(value) ? 'fits' : check.errors;
  };
  /** One good and one bad request of each operation; whoever reads the document knows these parameters. */
  const requests: Readonly<Record<string, { good: Record<string, string>; bad: Record<string, string> }>> = {
    ask: { good: { line: '/premium tide' }, bad: { line: '' } },
    watchlists: { good: { limit: '1' }, bad: { limit: '0' } },
    alerts: { good: { chat: 'console/main', limit: '10' }, bad: { chat: '?' } },
    status: { good: {}, bad: {} },
    commands: { good: {}, bad: {} },
  };
  const called: string[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId, requestBody, parameters, responses }] of Object.entries(methods)) {
      const own = requests[operationId] ?? { good: {}, bad: {} };
      for (const given of [own.good, own.bad]) {
        const init =
          requestBody === undefined
            ? { headers }
            : { method: method.toUpperCase(), headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(given) };
        const query = requestBody === undefined ? `?${new URLSearchParams(given).toString()}` : '';
        const undescribed = Object.keys(given).filter((name) => !parameters.some((one) => one.name === name));
        expect(requestBody === undefined ? undescribed : []).toEqual([]);
        const response = await fetch(bot.url(`${path}${query}`), init);
        const status = String(response.status);
        const type = response.headers.get('content-type')?.split(';')[0] ?? '';
        expect(Object.keys(responses)).toContain(status);
        const body: unknown = await response.json();
        expect([operationId, status, fits(['paths', path, method, 'responses', status, 'content', type, 'schema'], body)]).toEqual([
          operationId,
          status,
          'fits',
        ]);
        called.push(`${operationId} ${status}`);
      }
    }
  expect(called).toEqual(
    expect.arrayContaining([
      'ask 200',
      'ask 400',
      'watchlists 200',
      'watchlists 400',
      'alerts 200',
      'alerts 400',
      'status 200',
      'commands 200',
    ]),
  );
});

test('the page for people names every operation and explains every problem', async () => {
  const bot = await openApiBot();
  await bot.key();
  const page = await (await fetch(bot.url('/api/docs'))).text();
  for (const path of ['/ask', '/watchlists', '/alerts', '/status', '/commands']) expect(page).toContain(`/api/v1${path}`);
  for (const name of Object.keys(PROBLEMS)) expect(page).toContain(`id="problem-${name}"`);
  expect(page).not.toContain('<script');
});

test('the commands of docs/api.md work as they stand there', async () => {
  const bot = await openApiBot();
  await bot.say('/watch tide');
  const key = await bot.key();
  const lines = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8').match(/^curl .+$/gmu) ?? [];
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    const own = line.replace('http://127.0.0.1:8787/', bot.url('/'));
    const { stdout } = await promisify(execFile)('sh', ['-c', `${own} -w '\\n%{http_code}'`], {
      env: { PATH: process.env['PATH'], KEY: key.token },
    });
    expect([line, stdout.split('\n').at(-1)]).toEqual([line, '200']);
  }
});
