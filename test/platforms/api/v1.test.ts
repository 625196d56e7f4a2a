import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { address } from '../../../src/chat/address.js';
import { JSON_TYPE, openApiBot } from './bot-with-keys.js';

const problemSchema = z.object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() });
const problemOf = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = problemSchema.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
};

test('nothing of the API answers before the first key, and after the last one is revoked', async () => {
  const bot = await openApiBot();
  const paths = ['/api/v1/status', '/api/openapi.json', '/api/docs', '/mcp'];
  const statuses = async () => Promise.all(paths.map(async (path) => (await fetch(bot.url(path))).status));
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  const key = await bot.key();
  expect(await statuses()).toEqual([401, 200, 200, 401]);
  expect((await key.get('/api/v1/status')).status).toBe(200);
  expect((await bot.operated(`keys/${key.id}/revoke`, {})).status).toBe(200);
  expect((await problemOf(await key.get('/api/v1/status'))).detail).toContain('creates a key');
});

test('API=false switches it off whatever keys there are', async () => {
  const bot = await openApiBot({ env: { API: 'false' } });
  const key = await bot.key();
  expect((await key.get('/api/v1/status')).status).toBe(404);
  expect(await bot.say('/feeds new calendar')).toContain('no public address');
});

test('a question gets the reply of the chat as data and text, with its age and its sources', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  const { status, body } = await key.ask('/premium tide');
  expect(status).toBe(200);
  const shown = (await bot.say('/premium tide')).split('\n');
  expect(body).toMatchObject({
    reply: {
      tone: expect.any(String),
      asOf: expect.stringMatching(/Z$/u),
      ageSeconds: expect.any(Number),
      sources: expect.stringMatching(/^\/sources /u),
    },
  });
  const { finding, sources } = z.object({ reply: z.object({ finding: z.string(), sources: z.string() }) }).parse(body).reply;
  expect(shown[0]).toContain(finding);
  expect((await key.ask(sources)).text).toContain('Sources of');
  // A plain sentence is read as in a chat.
  expect((await key.ask('is tide cheap')).text).toContain(finding);
});

test('a key that reads changes nothing, whichever way it asks', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  for (const line of [
    '/watch tide',
    '/alerts tide premium below -5%',
    '/mute 1h',
    '/settings timezone Berlin',
    '/feeds new calendar',
    '/refresh tide',
    '/privacy delete me yes',
  ]) {
    const { status } = await key.ask(line, 'console/main');
    expect([line, status]).toEqual([line, 403]);
  }
  expect((await key.ask('watch tide', 'console/main')).status).toBeOneOf([200, 403]);
  expect(await bot.say('/watchlist')).not.toContain('tide');
});

test('a key that reads cannot end a mute, and the list of commands says that this is a change', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  await bot.say('/watch tide');
  await bot.say('/mute 1h');
  for (const line of ['/unmute', '/unmute tide']) expect([line, (await key.ask(line, 'console/main')).status]).toEqual([line, 403]);
  expect(await bot.say('/watchlist')).toContain('Muted, alerts resume');
  const { commands } = z
    .object({ commands: z.array(z.object({ name: z.string(), reads: z.boolean() })) })
    .parse(await (await key.get('/api/v1/commands')).json());
  const readsOf = (name: string) => commands.find((command) => command.name === name)?.reads;
  expect({ unmute: readsOf('unmute'), mute: readsOf('mute'), wallet: readsOf('wallet'), premium: readsOf('premium') }).toEqual({
    unmute: false,
    mute: false,
    wallet: true,
    premium: true,
  });
});

test('a key that manages changes its chat and no other', async () => {
  const bot = await openApiBot();
  const key = await bot.key({ scope: 'manage', chat: 'console/main', name: 'desk' });
  expect((await key.ask('/watch tide')).text).toContain('Watching Tidewater');
  expect(await bot.say('/watchlist')).toContain('Tidewater');
  expect((await problemOf(await key.post('/api/v1/ask', { line: '/watchlist', chat: 'console/other' }))).detail).toContain('console/main');
  const lists = await (await key.get('/api/v1/watchlists')).json();
  expect(lists).toMatchObject({ watchlists: [{ chat: 'console/main', entries: [{ target: 'tide', kind: 'project' }] }] });
  expect((await bot.operated('keys', { scope: 'manage' })).status).toBe(400);
  expect((await bot.operated('keys', { scope: 'manage', chat: 'discord/404' })).status).toBe(400);
});

test('a wrong method is answered with the methods that there are, as a problem', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  const refused = async (method: string, path: string) => {
    const { status, headers } = await fetch(bot.url(path), { method, headers: key.headers });
    return [method, path, status, headers.get('allow'), headers.get('content-type')];
  };
  const GET = 'GET, HEAD';
  for (const [method, path, allow] of [
    ['POST', '/api/v1/alerts', GET],
    ['PUT', '/api/v1/ask', 'POST'],
    ['GET', '/api/v1/ask', 'POST'],
    ['DELETE', '/api/v1/status', GET],
    ['POST', '/api/openapi.json', GET],
    ['OPTIONS', '/api/docs', GET],
    ['GET', '/mcp', 'POST'],
  ] as const)
    expect(await refused(method, path)).toEqual([method, path, 405, allow, 'application/problem+json']);
  expect((await fetch(bot.url('/api/v1/status'), { method: 'HEAD', headers: key.headers })).status).toBe(200);
  expect((await fetch(bot.url('/api/openapi.json'), { method: 'HEAD', headers: key.headers })).status).toBe(200);
  expect((await fetch(bot.url('/api/v1/stati'), { method: 'POST', headers: key.headers })).status).toBe(404);
});

test('watchlists are paged by a cursor that outlives new chats', async () => {
  const bot = await openApiBot();
  for (const name of ['a', 'c', 'd']) await bot.inChat(name).say('/watch tide');
  const key = await bot.key();
  const pageSchema = z.object({ watchlists: z.array(z.object({ chat: z.string() })), next: z.string().optional() });
  const page = async (query: string) => pageSchema.parse(await (await key.get(`/api/v1/watchlists?${query}`)).json());
  const first = await page('limit=2');
  await bot.inChat('b').say('/watch tide');
  const second = await page(`limit=2&cursor=${first.next}`);
  expect([...first.watchlists, ...second.watchlists].map(({ chat }) => chat)).toEqual(['console/a', 'console/c', 'console/d']);
  expect(second.next).toBeUndefined();
});

test('a watchlist shows its rules, exclusions, exceptions and mutes in the form of its file', async () => {
  const bot = await openApiBot();
  const lines = ['/watch all', '/unwatch heron', '/alerts all supply usd>5000', '/alerts all growth off', '/mute all supply 2h'];
  for (const line of [...lines, '/alerts tide premium only above 25 band 5']) await bot.say(line);
  await bot.say('/settings quiet 22:00-07:00');
  const key = await bot.key({ chat: 'console/main' });
  const body = await (await key.get('/api/v1/watchlists')).json();
  const { watchlists } = z.object({ watchlists: z.array(z.looseObject({ entries: z.array(z.looseObject({})) })) }).parse(body);
  expect(watchlists[0]).toMatchObject({ quiet: { from: '22:00', to: '07:00' } });
  expect(watchlists[0]?.entries[0]).toMatchObject({
    target: 'all',
    rules: ['supply: at least $5K'],
    off: ['growth'],
    mutedKinds: { supply: expect.stringMatching(/^2026-.*Z$/u) },
    exceptions: [
      { project: 'heron', excluded: true },
      { project: 'tide', rules: [expect.stringMatching(/^premium: premium above 25%/u)] },
    ],
  });
});

test('alerts are listed newest first, filtered, and paged without a gap when newer ones arrive', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  const key = await bot.key({ chat: 'console/main' });
  const schema = z.object({
    alerts: z.array(z.object({ id: z.string(), kind: z.string(), sentAt: z.string(), text: z.string(), project: z.string() })),
    next: z.string().optional(),
  });
  const list = async (query = '') => schema.parse(await (await key.get(`/api/v1/alerts?${query}`)).json());
  await bot.say('/alerts test supply');
  await bot.pass(120);
  expect(await list(), 'a sample is not an alert').toEqual({ alerts: [] });
  for (const amount of ['250', '350', '450']) {
    await bot.sim({ kind: 'mint', project: 'tide', amount });
    await bot.pass(120);
  }
  const all = await list('kind=supply');
  expect(all.alerts).toHaveLength(3);
  expect(all.alerts[0]).toMatchObject({ kind: 'supply', project: 'tide', text: expect.stringContaining('450') });
  const first = await list('kind=supply&limit=2');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '550' });
  await bot.pass(120);
  const second = await list(`kind=supply&limit=2&cursor=${first.next}`);
  expect([...first.alerts, ...second.alerts].map(({ id }) => id)).toEqual(all.alerts.map(({ id }) => id));
  expect((await list(`kind=supply&since=${all.alerts[0]?.sentAt}`)).alerts).toHaveLength(1);
  expect((await list('project=alder')).alerts).toEqual([]);
});

test('a threshold alert has its crossing: the measure, the threshold, the values before and now, and those of joined conditions', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  await bot.say('/alerts tide premium<-30 and runway>12');
  await bot.pass(120);
  await bot.sim({ kind: 'price', project: 'tide', price: '0.3' });
  await bot.pass(600, 20);
  const key = await bot.key({ chat: 'console/main' });
  const decimals = z.record(z.string(), z.string());
  const crossing = z.object({ rule: z.string(), measure: z.string(), now: decimals, was: decimals, others: decimals.optional() });
  const schema = z.object({ alerts: z.array(z.object({ stage: z.string(), crossings: z.array(crossing).optional() })) });
  const { alerts } = schema.parse(await (await key.get('/api/v1/alerts?kind=premium')).json());
  const crossings = alerts.flatMap((alert) => alert.crossings ?? []);
  expect(crossings.filter(({ others }) => others !== undefined)).toMatchObject([
    {
      measure: 'premium',
      rule: expect.stringMatching(/^premium below -30 .* and runway above 12 /u),
      others: { runway: expect.any(String) },
    },
  ]);
});

test.each([
  ['no key', {}, '/api/v1/status', 401],
  ['an invented key', { authorization: `Bearer nwk_aaaaaaaaaa_${'x'.repeat(43)}` }, '/api/v1/status', 401],
  ['a page of another site', { origin: 'https://evil.example' }, '/api/v1/status', 403],
])('%s is refused with a problem', async (_, headers, path, status) => {
  const bot = await openApiBot();
  const key = await bot.key();
  const own = 'origin' in headers ? key.headers : {};
  const response = await fetch(bot.url(path), { headers: { ...own, ...headers } });
  expect((await problemOf(response)).status).toBe(status);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test('requests that do not fit are refused with a sentence that repeats nothing of them', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  const bad = [
    await key.get('/api/v1/alerts'),
    await key.get('/api/v1/alerts?chat=planted'),
    await key.get('/api/v1/alerts?chat=console/main&limit=1000'),
    await key.get('/api/v1/alerts?chat=console/main&since=planted'),
    await key.get('/api/v1/alerts?chat=console/main&cursor=planted'),
    await key.get('/api/v1/alerts?chat=console/main&planted=1'),
    await key.get(`/api/v1/alerts?chat=console/main&project=${'planted'.repeat(300)}`),
    await key.get('/api/v1/alerts?chat=discord/1'),
    await key.get('/api/v1/planted'),
    await key.post('/api/v1/ask', { planted: 1 }),
    await key.post('/api/v1/ask', { line: 'x'.repeat(40_000) }),
    await fetch(bot.url('/api/v1/ask'), { method: 'POST', headers: key.headers, body: 'planted' }),
    await fetch(bot.url('/api/v1/ask'), { method: 'POST', headers: { ...key.headers, ...JSON_TYPE }, body: '{"planted' }),
    await fetch(bot.url('/api/v1/status'), { method: 'DELETE', headers: key.headers }),
  ];
  const problems = [];
  for (const response of bad) problems.push(await problemOf(response));
  expect(problems.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 404, 404, 400, 413, 415, 400, 405]);
  expect(JSON.stringify(problems)).not.toContain('planted');
});

test('an alert that is listed again is the same one, beside newer ones and after a change of the settings', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '250' });
  await bot.pass(120);
  const key = await bot.key({ chat: 'console/main' });
  const schema = z.object({ alerts: z.array(z.looseObject({})) });
  const list = async () => schema.parse(await (await key.get('/api/v1/alerts?kind=supply')).json()).alerts;
  const first = await list();
  expect(first).toHaveLength(1);
  expect(await list()).toEqual(first);
  await bot.say('/settings timezone Berlin');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '350' });
  await bot.pass(120);
  const both = await list();
  expect([both.length, both.slice(1)]).toEqual([2, first]);
});

test('a filter with a typing error is refused with what was probably meant, instead of an empty list', async () => {
  const bot = await openApiBot({ everythingIn: [address('console', 'main')] });
  await bot.say('/watch tide');
  await bot.sim({ kind: 'mint', project: 'tide', amount: '250' });
  await bot.pass(120);
  const key = await bot.key({ chat: 'console/main' });
  const listed = async (query: string): Promise<number> => {
    const read = z.object({ alerts: z.array(z.unknown()) }).parse(await (await key.get(`/api/v1/alerts?kind=supply&${query}`)).json());
    return read.alerts.length;
  };
  expect([await listed('project=tide'), await listed('project=TIDE'), await listed('project=Tidewater')]).toEqual([1, 1, 1]);
  const details = async (query: string) => (await problemOf(await key.get(`/api/v1/alerts?${query}`))).detail;
  expect(await details('kind=suply')).toBe('There is no such alert kind. Did you mean supply?');
  expect(await details('kind=zzzzzzzz')).toContain('Kinds: supply, proposals');
  expect(await details('project=tidewatr')).toBe('There is no such project. Did you mean tide?');
  expect(await details('project=zzzzzzzz')).toBe('There is no such project. Give its slug, symbol or name.');
  expect(await details('kind=supply&kind=premium')).toBe('Give each parameter once.');
});

test('a value that does not fit is refused in words of this API', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  const details = [
    await key.get('/api/v1/alerts?chat=nowhere'),
    await key.get('/api/v1/alerts?limit=0'),
    await key.get('/api/v1/alerts?limit=many'),
    await key.get('/api/v1/alerts?since=yesterday'),
    await key.get(`/api/v1/alerts?project=${'x'.repeat(201)}`),
    await key.get('/api/v1/watchlists?chats=console/main'),
    await key.post('/api/v1/ask', {}),
    await key.post('/api/v1/ask', { line: 7 }),
    await key.post('/api/v1/ask', { line: '/help', chta: 'console/main' }),
    await key.post('/api/v1/ask', null),
    await key.post('/api/v1/ask', []),
    await key.post('/api/v1/ask', { line: '/premium tide\n/premium heron' }),
    await key.post('/api/v1/ask', { line: 'is tide cheap\nis heron cheap' }),
  ].map(async (response) => (await problemOf(response)).detail);
  const line = '"line" must be a text of 1 to 4,096 characters, such as "/premium tide".';
  expect(await Promise.all(details)).toEqual([
    '"chat" must be the address of a chat, such as console/main or discord/1234567890.',
    '"limit" must be a whole number from 1 to 100.',
    '"limit" must be a whole number from 1 to 100.',
    '"since" must be a time such as 2026-01-31T00:00:00Z.',
    '"project" must be a slug, symbol or name of at most 200 characters.',
    'There is no such parameter here. Did you mean chat? It takes chat, cursor and limit.',
    line,
    line,
    'There is no such parameter here. Did you mean chat? It takes line and chat.',
    'Send a JSON object, such as {"line": "/premium tide"}.',
    'Send a JSON object, such as {"line": "/premium tide"}.',
    'One question at a time: send each line in a request of its own.',
    'One question at a time: send each line in a request of its own.',
  ]);
});

test('a chat of the page that nobody opened does not exist, and an endpoint that watches nothing yet does', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  for (const path of ['alerts', 'watchlists']) expect((await key.get(`/api/v1/${path}?chat=console/nowhere`)).status).toBe(404);
  expect((await key.ask('/watchlist', 'console/nowhere')).status).toBe(404);
  expect((await bot.operated('keys', { scope: 'manage', chat: 'console/nowhere' })).status).toBe(400);
  await bot.inChat('desk').say('/help');
  expect((await key.get('/api/v1/watchlists?chat=console/desk')).status).toBe(200);
  expect((await key.get('/api/v1/watchlists?chat=console/main')).status).toBe(200);
  const made = await fetch(bot.url('/api/operator/webhook/endpoints'), {
    method: 'POST',
    headers: { ...bot.operator, ...JSON_TYPE },
    body: JSON.stringify({ name: 'desk', url: 'https://hooks.example/desk' }),
  });
  const { id } = z.object({ endpoint: z.object({ id: z.string() }) }).parse(await made.json()).endpoint;
  const hook = await bot.key({ scope: 'manage', chat: `webhook/${id}` });
  expect((await hook.ask('/watch tide')).text).toContain('Watching Tidewater');
  const all = await bot.key();
  const listed = async (query: string) =>
    z
      .object({ watchlists: z.array(z.object({ chat: z.string(), away: z.object({ because: z.string() }).optional() })) })
      .parse(await (await all.get(`/api/v1/watchlists${query}`)).json()).watchlists;
  expect(await listed('')).toEqual([{ chat: `webhook/${id}` }]);
  await fetch(bot.url(`/api/operator/webhook/endpoints/${id}/disable`), { method: 'POST', headers: { ...bot.operator, ...JSON_TYPE } });
  // A chat to which nothing can be sent is not in the list of all, and marked where it is asked for.
  expect(await listed('')).toEqual([]);
  expect(await listed(`?chat=webhook/${id}`)).toEqual([{ chat: `webhook/${id}`, away: { because: 'it was disabled on the page' } }]);
});

test('a key that asks too fast is told when to go on, and others are not slowed down', async () => {
  const bot = await openApiBot();
  const [fast, slow] = [await bot.key(), await bot.key()];
  const answers = await Promise.all(Array.from({ length: 130 }, async () => fast.get('/api/v1/commands')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(30);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect((await slow.get('/api/v1/status')).status).toBe(200);
  await bot.clock.advance(1_000);
  expect((await fast.get('/api/v1/status')).status).toBe(200);
});

test('a key survives a restart, and its text is stored nowhere', async () => {
  const written: string[] = [];
  const log = (line: string) => (event: string, fields?: object) => void written.push(JSON.stringify([line, event, fields]));
  const bot = await openApiBot({ log: () => ({ error: log('e'), warn: log('w'), info: log('i'), debug: log('d') }) });
  const key = await bot.key();
  await key.ask('/premium tide');
  await bot.restart();
  expect((await key.get('/api/v1/status')).status).toBe(200);
  const { readdir, readFile } = await import('node:fs/promises');
  for (const file of await readdir(bot.folder)) expect((await readFile(`${bot.folder}/${file}`)).includes(key.token)).toBe(false);
  expect(written.join('\n')).not.toContain(key.token);
});

/** A request whose body never ends. It resolves with the status of the answer. */
function endless(url: string, headers: Readonly<Record<string, string>>) {
  const sent = request(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers } });
  onTestFinished(() => void sent.destroy());
  const status = new Promise<number | undefined>((resolve) => {
    sent.on('response', (response) => resolve(response.statusCode));
    sent.on('error', () => resolve(undefined));
  });
  sent.write('{');
  return { status, end: () => void sent.destroy() };
}

test('a body that never ends holds no place without a key, and with one only places of that key', async () => {
  const bot = await openApiBot();
  const [key, other] = [await bot.key(), await bot.key()];
  const strangers = Array.from({ length: 20 }, () => endless(bot.url('/api/v1/ask'), {}));
  expect(await Promise.all(strangers.map(async ({ status }) => status))).toEqual(strangers.map(() => 401));
  const held = Array.from({ length: 120 }, () => endless(bot.url('/api/v1/ask'), key.headers));
  const refused = await Promise.race(held.map(async ({ status }) => status));
  expect([429, 503]).toContain(refused);
  expect((await other.get('/api/v1/status')).status).toBe(200);
  for (const { end } of held) end();
});
