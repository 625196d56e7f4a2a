/** The doctor as a person runs it: against the embedded service, and with one thing broken at a time. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../../src/app.js';
import { systemClock, type Clock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { doctor } from '../../src/cli/doctor.js';
import { readConfig } from '../../src/config.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator, type Simulator } from '../../src/simulator/server.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../simulator/box.js';
import { startDiscord } from '../stand-ins/discord/start.js';
import { startTelegram } from '../stand-ins/telegram/server.js';
import { connect, reply, serve } from '../support/service.js';

const KEY = 'the-right-key-of-the-service';
const TELEGRAM = '7100000001:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ';
const DISCORD = 'a-token-of-the-stand-in-for-discord';

/** Real time, without the short waits between two attempts. */
const brisk: Clock = {
  now: () => systemClock.now(),
  sleep: async (milliseconds, signal) => (milliseconds < 3_000 ? undefined : systemClock.sleep(milliseconds, signal)),
};

let box: Simulator;
beforeAll(async () => {
  box = await startSimulator({ seed: 'harbor', pace: 1, clock: handClock(), journal: memoryJournal(), apiKey: KEY });
  return async () => box.close();
});

/** Runs it as if from a shell, and gives back what it printed. */
async function run(argv: readonly string[], env: Record<string, string> = {}) {
  let out = '';
  let err = '';
  const code = await doctor(argv, {
    config: () => readConfig({ STORE_URL: 'memory://', ...env }),
    out: (text) => (out += `${text}\n`),
    err: (text) => (err += `${text}\n`),
    overrides: { clock: brisk, random: () => 0 },
  });
  return { code, out, err, line: (word: string) => out.split('\n').find((one) => one.includes(` ${word} `)) ?? '' };
}
const walks = (url: string, key = KEY) => ({ ANALYTICS_BASE_URL: url, ANALYTICS_API_KEY: key, ANALYTICS_REQUESTS_PER_SECOND: '1000' });

/** A file of its own, gone when the test ends. */
function storeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite://${join(folder, 'navwatch.sqlite')}`;
}

/** Puts a fault into the service until the test ends. */
async function spoil(fault: Record<string, unknown>): Promise<void> {
  const injectFault = async (body: unknown) =>
    fetch(`${box.url}/__sim`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  expect((await injectFault(fault)).status).toBe(200);
  onTestFinished(async () => void (await injectFault({ clear: true })));
}

test('unconfigured, everything is well and every operation that can be asked is answered', async () => {
  const { code, out, line } = await run([]);
  expect(line('service')).toContain('embedded');
  expect(line('cost')).toMatch(/· cost +98 calls to the embedded service.*no monthly limit is set/u);
  expect(out).toContain('98 of 99 operations answered for tide with 98 calls');
  expect(out).toMatch(/stated names: \d{3} found, 0 missing; guessed names: \d+; unexpected fields: \d+/u);
  expect(line('not asked')).toMatch(/^ {2}· not asked +wallets\.refresh-status: it needs a refresh that was started/u);
  expect(line('supply.events')).toMatch(/^ {2}✓ supply\.events +§4\.2 +answered +\d+ ms +10 rows +\d+ stated/u);
  expect(out.trimEnd().split('\n').at(-1)).toBe('No problems found. Start the bot with: npm start');
  expect(out).not.toMatch(/⚠|✗/u);
  expect(code).toBe(0);
});

test('a wrong key ends the walk after one call, and is not printed', async () => {
  const wrong = 'quite-the-wrong-key';
  const { code, out, line } = await run(['--only', 'service'], walks(box.url, wrong));
  expect(out).toContain('the service refused the key (401); check ANALYTICS_API_KEY');
  expect(out.match(/key-refused/gu)).toHaveLength(1);
  expect(out).toMatch(/· not asked +97 operations: the service refuses the key/u);
  expect(line('supply.overview')).toBe('');
  expect(out).toContain('first, as its line says');
  expect(out).not.toContain(wrong);
  expect(code).toBe(2);
});

test('a service that is down is given up after two operations', async () => {
  const gone = await serve(() => {});
  await gone.close();
  const { code, out } = await run(['--only', 'service'], walks(gone.url));
  expect(out.match(/ unreachable /gu)).toHaveLength(2);
  expect(out).toMatch(/· not asked +96 operations: the service does not answer/u);
  expect(out).toMatch(
    /✗ service +127\.0\.0\.1:\d+: no answer from the service \(ECONNREFUSED\); check ANALYTICS_BASE_URL and the network/u,
  );
  expect(code).toBe(2);
});

test('a wrong shape is a failure, and a stated name that is missing and a row that cannot be read need attention', async () => {
  await spoil({ kind: 'shape', path: '/v1/dao/treasury', shape: 'object' });
  await spoil({ kind: 'shape', path: '/v1/dao/token-supply/chart', shape: 'html' });
  await spoil({ kind: 'broken-row', path: '/v1/dao/token-supply', how: 'null' });
  const censor = await serve((asked) => {
    const path = `${asked.path}?${asked.query.toString()}`;
    void fetch(`${box.url}${path}`, { headers: { 'x-api-key': KEY } }).then(async (answer) => {
      const text = await answer.text();
      const alerted = asked.path.includes('premium-discount') ? text.replaceAll('navPerAdjustedShare', 'navShare') : text;
      reply(asked, alerted.replaceAll('"holdersCount"', '"holders_count"'), { status: answer.status });
    });
  });
  const { code, out, line } = await run(['--only', 'service', '--project', 'tide', '--names'], walks(censor.url));
  expect(line('treasury.holdings')).toMatch(/✗ .*unreadable.*does not fit the interface at "data"/u);
  expect(line('supply.chart')).toMatch(/✗ .*malformed.*not JSON/u);
  expect(line('treasury.overview')).toContain('✓');
  expect(out).toContain('96 of 99 operations answered');
  expect(line('treasury.premium-breakdown')).toMatch(/⚠ .*missing navPerAdjustedShare/u);
  expect(line('launches.completed')).toMatch(/⚠ .*missing holdersCount; .*1 unexpected/u);
  expect(out).toContain('      unexpected: holders_count\n');
  expect(line('supply.events')).toMatch(/⚠ .* 9 rows +1 unreadable/u);
  expect(out).toContain('2 missing; guessed names');
  expect(out).toContain('Errors: 2, warnings: 3');
  expect(code).toBe(2);
});

test('a service whose keys no template of links fits is a warning that names the setting', async () => {
  const hex = `0x${'ab'.repeat(32)}`;
  const other = await serve((asked) => {
    void fetch(`${box.url}${asked.path}?${asked.query.toString()}`, { headers: { 'x-api-key': KEY } }).then(async (answer) => {
      const text = await answer.text();
      reply(asked, asked.path.startsWith('/v1/proposal') ? text.replaceAll(/"publicKey":"[^"]+"/gu, `"publicKey":"${hex}"`) : text, {
        status: answer.status,
      });
    });
  });
  const { out } = await run(['--only', 'service', '--project', 'tide'], walks(other.url));
  expect(out.split('\n').filter((row) => row.includes('LINK_'))).toEqual([expect.stringMatching(/⚠ links .*LINK_PROPOSAL/u)]);
});

test('with a service, an empty link of proposals and one to a raw account are warnings, and the default is none', async () => {
  const links = async (env: Record<string, string>) => (await run(['--only', 'config'], { ...walks(box.url), ...env })).line('links');
  expect(await links({})).toMatch(/✓ links +proposals lead to www\.metadao\.fi/u);
  expect(await links({ LINK_PROPOSAL: '' })).toMatch(/⚠ links +LINK_PROPOSAL is empty/u);
  expect(await links({ LINK_PROPOSAL: 'https://solscan.io/account/{publicKey}' })).toMatch(/⚠ links +.*raw account on solscan\.io/u);
  expect((await run(['--only', 'config'])).line('links')).toBe('');
});

test('a project that nobody knows is a failure', async () => {
  const { code, out, line } = await run(['--only', 'service', '--project', 'atlantis'], walks(box.url));
  expect(out).toContain('the service knows no project called atlantis; give another --project');
  expect(line('project.overview')).toContain('unknown');
  expect(code).toBe(2);
});

test('a store that another program holds is said, with the remedy', async () => {
  const url = storeFile();
  const held = await openStore(url);
  onTestFinished(async () => held.close());
  const other = await serve((asked) => reply(asked, '<html>hello</html>'));
  // Each waits a second for the lock.
  const [alone, wrong] = await Promise.all([
    run(['--only', 'store'], { STORE_URL: url, HTTP_PORT: '0' }),
    run(['--only', 'store', '--url', other.url], { STORE_URL: url }),
  ]);
  expect(alone.out).toMatch(/✗ store +another Navwatch \(or another program\) has .* open; stop it first; .* --url/u);
  expect(wrong.out).toContain(`no Navwatch answers at ${other.url}`);
  expect([alone.code, wrong.code]).toEqual([2, 2]);
});

test('a running bot is asked how it stands, and with a monthly limit no call is made that its ledger would miss', async () => {
  const url = storeFile();
  const env = { STORE_URL: url, HTTP_PORT: '0', LOG_LEVEL: 'silent', ...walks(box.url), ANALYTICS_REQUESTS_PER_MONTH: '500' };
  const bot = await startApp(readConfig(env), { log: silentLog, ticker: { every: async () => async () => {} } });
  onTestFinished(async () => bot.stop());
  const { code, out } = await run(['--only', 'store,service', '--yes', '--url', bot.url], env);
  expect(out).toMatch(/✓ store +the bot at http:\/\/127\.0\.0\.1:\d+ has it open and can write to it/u);
  expect(out).toMatch(/✓ running bot +.*0 alerts wait to be delivered/u);
  expect(out).toMatch(/⚠ service +not walked, because the calls could not be booked/u);
  expect(out.trimEnd()).toMatch(/Errors: 0, warnings: 1\. The bot can run; check "service" \(⚠\) next\.$/u);
  expect(code).toBe(1);
});

test('of a bot whose database was moved away it says so before anything else, and neither makes a file nor moves one', async () => {
  const url = storeFile();
  const path = url.replace('sqlite://', '');
  const env = { STORE_URL: url, HTTP_PORT: '0', LOG_LEVEL: 'silent' };
  const bot = await startApp(readConfig(env), { log: silentLog, ticker: { every: async () => async () => {} } });
  onTestFinished(async () => bot.stop());
  renameSync(path, `${path}.away`);
  const { code, out } = await run(['--only', 'store', '--url', bot.url], env);
  expect(out).toMatch(
    /✗ store +the bot at \S+ runs, but its database \S+ is missing or empty.*leave the bot running and the -wal file in its place/u,
  );
  expect([code, existsSync(path), existsSync(`${path}-wal`)]).toEqual([2, false, true]);
  renameSync(`${path}.away`, path);
  const back = await run(['--only', 'store', '--url', bot.url], env);
  expect(back.out).toContain('has it open and can write to it');
  expect(back.out.trimEnd()).toMatch(/No problems found\. The bot is running\.$/u);
});

test('a bad token is said for each platform and never printed', async () => {
  const telegram = await startTelegram({ token: TELEGRAM });
  const discord = await startDiscord({ token: DISCORD });
  onTestFinished(async () => void (await Promise.all([telegram.close(), discord.close()])));
  const at = { TELEGRAM_API_ROOT: telegram.url, DISCORD_API_URL: discord.url };
  const bad = { ...at, TELEGRAM_TOKEN: '7100000001:quite-another-token-of-some-length', DISCORD_TOKEN: 'quite-another-token-of-discord' };
  const wrong = await run(['--only', 'config,platforms'], bad);
  expect(wrong.out).toMatch(/✗ telegram +Telegram refuses TELEGRAM_TOKEN; get a new one from @BotFather/u);
  expect(wrong.out).toMatch(/✗ discord +Discord refuses the token; copy it again/u);
  expect(wrong.out).not.toContain('quite-another');
  expect(wrong.code).toBe(2);

  const right = { ...at, TELEGRAM_TOKEN: TELEGRAM, DISCORD_TOKEN: DISCORD };
  const lonely = await run(['--only', 'platforms'], right);
  expect(lonely.out).toMatch(/⚠ discord servers +it is in no server; open the invite link above/u);
  discord.controls.addGuild();
  const good = await run(['--only', 'platforms'], right);
  expect(good.out).toMatch(/✓ telegram +the token is that of @navwatch_bot/u);
  expect(good.out).toMatch(/✓ telegram updates +no webhook is set/u);
  expect(good.out).toMatch(/✓ discord servers +it is in one server/u);
  expect([lonely.code, good.code]).toEqual([1, 0]);
  const away = await run(['--only', 'platforms'], { ...right, DISCORD_GUILD_ID: '123456789012345678' });
  expect(away.out).toContain('it is not in the server of DISCORD_GUILD_ID');
});

test('every complaint about the configuration is alerted with its remedy, and nothing is examined with it', async () => {
  const { code, out } = await run([], { HTTP_PORT: 'many', ANALYTICS_BASE_URL: 'ftp://x', POLL_MIN_SECONDS: '0' });
  expect(out).toMatch(/✗ HTTP_PORT +give a port between 0 and 65535/u);
  expect(out).toMatch(/✗ ANALYTICS_BASE_URL +give the address/u);
  expect(out).toMatch(/✗ POLL_MIN_SECONDS +give the seconds/u);
  expect(out).not.toContain('Service');
  expect(out).toContain('Errors: 3, warnings: 0');
  expect(code).toBe(2);
});

test('with a monthly limit nothing is spent before it is agreed to, and what is spent is booked', async () => {
  let asked = 0;
  const counter = await serve((one) => {
    asked += 1;
    void fetch(`${box.url}${one.path}?${one.query.toString()}`, { headers: { 'x-api-key': KEY } }).then(async (answer) =>
      reply(one, await answer.text(), { status: answer.status }),
    );
  });
  const env = { STORE_URL: storeFile(), ...walks(counter.url), ANALYTICS_REQUESTS_PER_MONTH: '30' };
  const first = await run(['--only', 'service'], env);
  expect(first.line('cost')).toContain('30 of the 30 calls of this month are left');
  expect(first.out).toContain('add --yes to spend these calls, or --budget 20');
  expect([first.code, asked]).toEqual([1, 0]);

  const some = await run(['--only', 'service', '--budget', '7'], env);
  expect(asked).toBe(7);
  expect(some.out).toContain('7 of 99 operations answered for tide with 7 calls');
  expect(some.out).toContain('the calls given with --budget are used');

  const next = await run(['--only', 'service'], env);
  expect(next.line('cost')).toContain('23 of the 30 calls');

  const last = await run(['--only', 'service', '--yes'], env);
  expect(asked).toBe(30);
  expect(last.out).toContain('all 30 calls of this month are used');
  const store = await openStore(env.STORE_URL);
  const { analytics } = await connect(counter.url, { store, requestsPerMonth: 30 });
  await analytics.ready();
  expect(analytics.state().budget).toMatchObject({ used: 30, questions: 30 });
  await analytics.close();
  await store.close();
});

test('--json says the same to a program, and a plan without exports is no fault', async () => {
  await spoil({ kind: 'plan', exports: false });
  const { code, out } = await run(['--json'], walks(box.url));
  const said = JSON.parse(out) as {
    exit: number;
    findings: unknown[];
    service: { project: string; calls: number; rows: { id: string }[] };
  };
  expect(said).toMatchObject({ exit: 0, summary: expect.stringContaining('No problems found'), service: { project: 'tide', calls: 98 } });
  expect(said.findings).toContainEqual(expect.objectContaining({ part: 'store', mark: 'ok', about: 'store' }));
  expect(said.service.rows.find(({ id }) => id === 'treasury.nav-breakdown')).toMatchObject({
    operation: 'GET /v1/dao/treasury/nav-as-breakdown',
    spec: '§4.9',
    status: 'answered',
    mark: 'ok',
    fields: { missing: [], found: expect.arrayContaining(['excludedFromNav', 'nonNativeTreasuryValueUsd']) as unknown },
  });
  expect(said.service.rows.find(({ id }) => id === 'movements.csv')).toMatchObject({
    status: 'forbidden',
    mark: 'none',
    says: expect.stringContaining('the plan behind the key does not include this (403)') as string,
  });
  expect(out).not.toContain(KEY);
  expect(code).toBe(0);
});

test.each([
  [['--only', 'teeth'], '--only knows config, platforms, store, service, not "teeth"'],
  [['--budget', '0'], '--budget takes a number of calls'],
  [['--url', 'here'], '--url takes an address'],
  [['--cure'], 'Usage:'],
])('%j is answered with what to do', async (argv, says) => {
  expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(says) });
});

test('a chat for notices on a platform without a token is a failure, and the address of the heartbeat stays secret', async () => {
  const env = { OPERATOR_CHAT: 'telegram/chat/5', HEARTBEAT_URL: 'https://hc.example/ping/secret-id' };
  const { code, out, line } = await run(['--only', 'config'], env);
  expect([code, line('notices'), line('heartbeat')]).toEqual([
    2,
    expect.stringContaining('telegram'),
    expect.stringContaining('hc.example'),
  ]);
  expect(out).not.toContain('secret-id');
  const connected = await run(['--only', 'config'], { ...env, TELEGRAM_TOKEN: '123456:AbCdEfGhIjKlMnOpQrStUvWx' });
  expect(connected.code).toBe(0);
});

test('a monthly limit is said as it is: of the embedded service, of another one, and where its ledger cannot be read', async () => {
  const limit = { ANALYTICS_REQUESTS_PER_MONTH: '500' };
  const embedded = await run(['--only', 'config,service'], limit);
  expect(embedded.line('service')).toContain('embedded, with invented projects, 500 calls a month');
  expect(embedded.line('cost')).toMatch(
    /98 calls to the embedded service.*they are not counted; the bot's own calls are, up to 500 a month/u,
  );
  expect(embedded.out).not.toContain('no monthly limit');
  expect((await run(['--only', 'config'])).line('service')).toContain('embedded, with invented projects, no monthly limit');
  expect((await run(['--only', 'config'], { ...walks(box.url), ...limit })).line('service')).toMatch(
    /127\.0\.0\.1:\d+, 500 calls a month/u,
  );

  const url = storeFile();
  const held = await openStore(url);
  onTestFinished(async () => held.close());
  const locked = await run(['--only', 'service', '--yes'], { STORE_URL: url, HTTP_PORT: '0', ...walks(box.url), ...limit });
  expect(locked.line('cost')).toContain('how many of the 500 calls of this month are left is not known');
});

test('names in PROJECTS that the service does not list are one line with the nearest ones, and another of them is walked', async () => {
  const { code, out, line } = await run(['--only', 'service'], { ...walks(box.url), PROJECTS: 'tidee,heron' });
  expect(line('PROJECTS')).toMatch(/⚠ PROJECTS +the service does not list tidee \(did you mean tide.*\?\); correct PROJECTS$/u);
  expect(out).toContain('operations answered for heron');
  expect(out).not.toMatch(/ unknown /u);
  expect(code).toBe(1);
});

test('names in PROJECTS may be written in another case: the project is walked by the slug that the service has', async () => {
  const { out } = await run(['--only', 'service'], { ...walks(box.url), PROJECTS: 'HERON' });
  expect(out).toContain('operations answered for heron');
  expect(out).not.toContain('correct PROJECTS');
});

test('a misspelt setting is a warning', async () => {
  const { code, out } = await run(['--only', 'config'], { DISCORD_TOKE: 'a-secret' });
  expect(out).toMatch(/⚠ setting +DISCORD_TOKE is not a setting\. Did you mean DISCORD_TOKEN\?/u);
  expect(out).not.toContain('a-secret');
  expect(code).toBe(1);
});

test('with a monthly limit it says what larger plans detect how soon, for the projects that are known, without a request', async () => {
  const storeUrl = storeFile();
  const store = await openStore(storeUrl);
  const known = store.collection({ prefix: 'directory', version: 1, schema: z.unknown() });
  const projects = Array.from({ length: 31 }, (_, index) => ({ slug: `p-${index}`, launches: [] }));
  await known.set('projects', { source: box.url, projects });
  await store.close();
  const plansOf = async (env: Record<string, string>) => {
    const { out } = await run(['--only', 'service', '--json'], { ...walks(box.url), STORE_URL: storeUrl, ...env });
    const { findings, service } = reportSchema.parse(JSON.parse(out));
    return { calls: service?.calls ?? 0, plans: findings.flatMap(({ about, says }) => (about === 'plan' ? [says] : [])) };
  };
  const { plans, calls } = await plansOf({ ANALYTICS_REQUESTS_PER_MONTH: '500' });
  const shape = /^([\d,]+) requests a month detect changes of (\d+) projects within about .*premium.*growth/u;
  expect(plans.map((says) => shape.exec(says)?.slice(1))).toEqual([
    ['500', '31'],
    ['5,000', '31'],
    ['100,000', '31'],
  ]);
  expect(calls).toBe(0);
  expect((await plansOf({})).plans).toEqual([]);
});
const reportSchema = z.looseObject({
  findings: z.array(z.looseObject({ about: z.string(), says: z.string() })),
  service: z.looseObject({ calls: z.number() }).optional(),
});
