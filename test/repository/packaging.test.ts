import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { withSecretFiles } from '../../src/config/environment.js';
import { DEFAULT_STORE_URL, isStoreUrl } from '../../src/store/open.js';
import { faultsOf, sectionsOf, wishOf } from '../../.ci/tag.mjs';
import { files, read } from './repository.js';

const dockerfile = read('Dockerfile');
const manifest = z
  .looseObject({
    scripts: z.record(z.string(), z.string()),
    engines: z.object({ node: z.string() }),
    bin: z.object({ navwatch: z.string() }),
    files: z.array(z.string()),
  })
  .parse(JSON.parse(read('package.json')));

/** What is at the top level: sources, and what Git, npm, Docker, readers and the tools expect to find there. */
const TOP = [
  ['.ci', 'commands', 'docs', 'src', 'test'],
  ['.dockerignore', '.editorconfig', '.env.example', '.gitignore', 'Dockerfile', 'compose.yaml'],
  // A forge finds its templates, workflows and the way to report a vulnerability there, and an editor its container.
  ['.devcontainer', '.github'],
  ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md'],
  ['build.mjs', 'package-lock.json', 'package.json', 'tsconfig.build.json', 'tsconfig.json'],
  ['.dependency-cruiser.cjs', '.oxlintrc.json', '.prettierignore', '.prettierrc.json', 'knip.json', 'vitest.config.ts'],
].flat();

test('nothing new is at the top level of the repository', () => {
  expect([...new Set(files.map((file) => file.split('/')[0] ?? ''))].filter((name) => !TOP.includes(name))).toEqual([]);
});

test('the image is built from files that exist and that Docker is let to see', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
  const seen = read('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(copied).toContain('src');
  expect(copied.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
  expect(seen.toSorted()).toEqual([...new Set(copied)].toSorted());
});

test('the image starts what npm start starts, without npm between it and the signals, and not as root', () => {
  const command = z.array(z.string()).parse(JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]'));
  expect(`exec ${command.join(' ')}`).toBe(manifest.scripts['start']);
  expect(dockerfile.lastIndexOf('\nUSER node')).toBeGreaterThan(dockerfile.lastIndexOf('\nFROM '));
  expect(dockerfile).toMatch(/^VOLUME \/app\/data$/m);
});

test('the health check of the image is a program that runs', () => {
  const [, check = ''] = /HEALTHCHECK[^\n]*\\\n {2}CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  const [runner, flag, program = ''] = z.array(z.string()).parse(JSON.parse(check));
  expect([runner, flag]).toEqual(['node', '-e']);
  expect(() => new Script(program)).not.toThrow();
  expect(program).toContain('/healthz');
});

const service = z.looseObject({
  profiles: z.array(z.string()).optional(),
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  user: z.string().optional(),
  tmpfs: z.array(z.string()).optional(),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  restart: z.string(),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(read('compose.yaml'), { merge: true }));

test('the package of npm has a program that starts the bot, and everything that it runs with', () => {
  expect(manifest.bin.navwatch).toBe('dist/src/main.js');
  // Without this line a shell would run the program itself.
  expect(read('src/main.ts').split('\n')[0]).toBe('#!/usr/bin/env node');
  expect(manifest.files).toContain('dist');
  // "npm start" in the package calls it first, and it leaves a build without sources as it is.
  expect(manifest.files).toContain('build.mjs');
  expect(manifest.scripts['prepack']).toContain('build.mjs');
  expect(manifest).not.toHaveProperty('private');
  // npx ends without a word where a required package cannot be compiled; the bot says what is missing, and an image is not made.
  expect(manifest).toMatchObject({ optionalDependencies: { '@keyv/sqlite': expect.any(String) } });
  expect(dockerfile).toContain(`RUN npm ci --no-audit --no-fund && node -e "require('sqlite3')"`);
});

const STATE = {
  version: '0.2.0',
  locked: ['0.2.0', '0.2.0'],
  sections: sectionsOf('# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-26\n\n### Added\n\n- It.\n\n## [0.1.0] - 2026-11-20\n'),
  today: '2026-11-26',
  status: '',
  tags: ['v0.1.0'],
};

test('a version is tagged where the tag is what people install, and refused with the reason elsewhere', () => {
  expect(faultsOf(STATE)).toEqual([]);
  expect(STATE.sections[1]).toEqual({ version: '0.2.0', date: '2026-11-26', notes: '### Added\n\n- It.' });
  const faults = (changed: Partial<typeof STATE>) => faultsOf({ ...STATE, ...changed }).join(' ');
  expect(faults({ status: ' M src/app.ts' })).toContain('not committed');
  expect(faults({ tags: ['v0.2.0'] })).toContain('exists already');
  expect(faults({ today: '2026-11-27' })).toContain('today is 2026-11-27');
  expect(faults({ locked: ['0.1.0', '0.2.0'] })).toContain('package-lock.json');
  expect(faults({ sections: sectionsOf('## [Unreleased]\n\n- It.\n\n## [0.2.0] - 2026-11-26\n') })).toContain('under [Unreleased]');
  expect(faults({ version: '0.3.0' })).toContain('no [0.3.0]');
});

test('a tag that was only tried is not made, with a flag that npm kept for itself, a misspelt one or an unknown one', () => {
  expect(wishOf([], {})).toEqual({ wish: 'tag' });
  expect(wishOf(['--dry-run'], {})).toEqual({ wish: 'dry-run' });
  expect(wishOf(['--notes'], {})).toEqual({ wish: 'notes' });
  for (const name of ['npm_config_dry_run', 'npm_config_dryrun']) expect(wishOf([], { [name]: 'true' })).toEqual({ wish: 'dry-run' });
  for (const args of [['--dryrun'], ['-n'], ['0.3.0'], ['--dry-run=yes']]) {
    expect(wishOf(args, {})).not.toHaveProperty('wish');
    expect(wishOf(args, {}).fault).toContain(args.join(' '));
  }
});

test('a tag outside a checkout is refused with a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-tag-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md']) await writeFile(join(folder, name), read(name));
  const tag = fileURLToPath(new URL('../../.ci/tag.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [tag], { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^tag: this folder is no git checkout/u)]);
});

test('the version is the same in package.json, the lock file, the changelog and compose.yaml', () => {
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(read('package.json')));
  const lock = z.looseObject({ version: z.string() }).parse(JSON.parse(read('package-lock.json')));
  const [, latest] = sectionsOf(read('CHANGELOG.md'));
  expect([lock.version, latest?.version, /navwatch:([\d.]+)\}/u.exec(read('compose.yaml'))?.[1]]).toEqual([version, version, version]);
});

test('compose starts one bot, and with a profile a server of an exact version and a second process of the same kind', () => {
  const { services, volumes } = compose;
  const inProfile = (profile: string | undefined) =>
    Object.keys(services).filter(
      (name) => services[name]?.profiles === undefined || services[name].profiles.some((one) => one === profile),
    );
  expect(inProfile(undefined)).toEqual(['navwatch']);
  expect(inProfile('postgres')).toEqual(['navwatch', 'standby', 'postgres']);
  expect(inProfile('redis')).toEqual(['navwatch', 'standby', 'redis']);
  for (const { image } of [services['postgres'], services['redis']].filter((one) => one !== undefined)) expect(image).toMatch(/:\d+\.\d+/u);
  const without = (name: string, left: string) => Object.entries(services[name] ?? {}).filter(([setting]) => setting !== left);
  expect(without('standby', 'profiles')).toEqual(without('navwatch', 'ports'));
  expect(services['standby']).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
  const used = Object.values(services).flatMap((one) => one.volumes.map((volume) => volume.split(':')[0]));
  const folders = used.filter((source) => source?.startsWith('./') === true);
  expect([...new Set(used)].filter((source) => !folders.includes(source))).toEqual(Object.keys(volumes));
  expect(new Set(folders)).toEqual(new Set(['./watchlists']));
});

test('with compose, STORE_URL_FILE alone chooses the store, and WATCHLISTS of .env is a folder that the container can read', () => {
  const { environment = {}, volumes } = compose.services['navwatch'] ?? { volumes: [] };
  expect(environment['STORE_URL']).toBe('${STORE_URL:-}');
  const secret = () => ({ text: 'memory://' });
  const settings = { STORE_URL: '', STORE_URL_FILE: '/run/secrets/store' };
  expect(withSecretFiles(settings, secret)).toMatchObject({ wrong: [], env: { STORE_URL: 'memory://' } });
  // Without either it is the database in the volume.
  expect(DEFAULT_STORE_URL).toBe('sqlite://./data/navwatch.sqlite');
  expect(volumes).toEqual(expect.arrayContaining(['data:/app/data', './watchlists:/app/watchlists:ro']));
});

test('every container that compose starts is confined: no capability, no root, a root that is read only, and logs of a bounded size', () => {
  for (const [name, one] of Object.entries(compose.services)) {
    expect([name, one]).toEqual([
      name,
      expect.objectContaining({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], restart: 'unless-stopped' }),
    ]);
    expect([name, one.cap_add, one.tmpfs?.includes('/tmp')]).toEqual([name, undefined, true]);
    // The image of the bot names its user.
    const server = one.image?.startsWith('${NAVWATCH_IMAGE') === true ? undefined : one.image;
    expect([name, one.user]).toEqual([name, server?.slice(0, server.indexOf(':'))]);
    const { driver, options } = one.logging ?? {};
    expect([name, driver, options?.['max-size'], options?.['max-file']]).toEqual([
      name,
      'json-file',
      expect.stringMatching(/^\d+m$/u),
      expect.stringMatching(/^\d$/u),
    ]);
  }
  // Where its socket is.
  expect(compose.services['postgres']?.tmpfs).toContain('/var/run/postgresql');
});

test('what compose runs Redis and the bot with is what the bot accepts', () => {
  const command = compose.services['redis']?.command?.join(' ') ?? '';
  for (const setting of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction']) expect(command).toContain(setting);
  const documented = [...`${read('compose.yaml')}\n${read('docs/operations.md')}`.matchAll(/\b(?:postgres|redis):\/\/[^\s`]+/gu)].map(
    ([url]) => url,
  );
  expect(documented.length).toBeGreaterThan(2);
  // A form with placeholders is no address.
  expect(documented.filter((url) => !url.includes('<') && !isStoreUrl(url))).toEqual([]);
});

test('the systemd unit starts what npm start starts, and a process again that lost its lease', () => {
  const unit = read('docs/navwatch.service');
  const [, flags = ''] = /^exec node (.*)dist\/src\/main\.js$/u.exec(manifest.scripts['start'] ?? '') ?? [];
  expect(unit).toContain(`ExecStart=/usr/bin/node ${flags}/opt/navwatch/dist/src/main.js`);
  expect(unit).toMatch(/^Restart=always$/mu);
});

test('npm run check runs every kind of check', () => {
  expect(Object.keys(manifest.scripts).filter((name) => name.startsWith('check:'))).toEqual([
    'check:format',
    'check:types',
    'check:page',
    'check:lint',
    'check:unused',
    'check:imports',
  ]);
});
