import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, secretsOf, withToken } from '../../src/config.js';
import { makeToken, readToken } from '../../src/config/console-token.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'navwatch-token-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
const rights = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('the first start makes a token that only its owner can read, in a folder that only its owner can open, and later ones keep it', () => {
  const within = join(folder(), 'new', 'data');
  const path = join(within, 'console-token');
  expect(readToken(path)).toEqual({});
  const { token } = makeToken(path);
  expect(token).toMatch(/^[\w-]{43}$/u);
  expect([rights(path), rights(within)]).toEqual(['600', '700']);
  expect([makeToken(path), readToken(path)]).toEqual([{ token }, { token }]);
  expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
  expect(readdirSync(within)).toEqual(['console-token']);
});

test('processes that start at once get one token', () => {
  const path = join(folder(), 'console-token');
  const program = `import { makeToken } from ${JSON.stringify(join(import.meta.dirname, '../../src/config/console-token.ts'))};
    process.stdout.write(makeToken(process.argv[1]).token + '\\n')`;
  const register = join(import.meta.dirname, '../support/child/register.mjs');
  const one = `node --import ${register} --input-type=module -e '${program.replaceAll("'", `'\\''`)}' ${path}`;
  const { stdout } = spawnSync('sh', ['-c', `${one} & ${one} & ${one} & wait`], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '../..'),
  });
  const tokens = stdout.trim().split('\n');
  expect(tokens).toHaveLength(3);
  expect([...new Set(tokens)]).toEqual([readFileSync(path, 'utf8').trim()]);
});

test('a file that others could read is closed to them', () => {
  const path = join(folder(), 'console-token');
  const { token } = makeToken(path);
  chmodSync(path, 0o644);
  expect(makeToken(path)).toEqual({ token });
  expect(rights(path)).toBe('600');
});

test.each(['', '\n', 'short', 'two words of some more length than thirty-two', `${'x'.repeat(40)}\n${'y'.repeat(40)}`])(
  'a file with %j is no token, is not replaced, and is named with the remedy',
  (text) => {
    const path = join(folder(), 'console-token');
    writeFileSync(path, text);
    const { token, because } = makeToken(path);
    expect([token, because]).toEqual([undefined, expect.stringMatching(/console-token holds no token; remove it/u)]);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('a link, or something that is no file, is not read', () => {
  const within = folder();
  writeFileSync(join(within, 'planted'), 'x'.repeat(43));
  symlinkSync(join(within, 'planted'), join(within, 'console-token'));
  expect(makeToken(join(within, 'console-token')).token).toBeUndefined();
  spawnSync('mkfifo', [join(within, 'pipe')]);
  expect(makeToken(join(within, 'pipe')).token).toBeUndefined();
  expect(makeToken(within).token).toBeUndefined();
});

test.skipIf(process.getuid?.() !== 0)(
  'a token that another user put there is not taken, and one that this user may not read is said',
  () => {
    const within = folder();
    const path = join(within, 'console-token');
    writeFileSync(path, 'x'.repeat(43));
    chmodSync(within, 0o777);
    const asNobody = (): string => {
      const source = readFileSync(join(import.meta.dirname, '../../src/config/console-token.ts'), 'utf8');
      expect(source).toContain('uid !== me');
      const program = `process.setgid(65534); process.setuid(65534);
      const { makeToken } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/config/console-token.ts'))});
      process.stdout.write(JSON.stringify(makeToken(${JSON.stringify(path)})))`;
      const register = join(import.meta.dirname, '../support/child/register.mjs');
      const args = ['--import', register, '--input-type=module', '-e', program];
      return spawnSync('node', args, { encoding: 'utf8', cwd: join(import.meta.dirname, '../..') }).stdout;
    };
    chmodSync(path, 0o644);
    expect(asNobody()).toContain('belongs to another user');
    chmodSync(path, 0o600);
    expect(asNobody()).toContain('cannot be read (EACCES)');
    chownSync(path, 65_534, 65_534);
    expect(JSON.parse(asNobody())).toEqual({ token: 'x'.repeat(43) });
  },
);

test('the token stands beside the database, with a server in ./data, and nowhere for a store in memory', () => {
  const asked: string[] = [];
  const stored = (path: string) => {
    asked.push(path);
    return { token: 'of-the-data-folder' };
  };
  const configured = (env: Record<string, string>) => withToken(readConfig(env), stored);
  const file = configured({ STORE_URL: 'sqlite:///var/lib/navwatch/x.sqlite' });
  expect([file.http.consoleToken, file.http.isOpenHere, secretsOf(file).includes('of-the-data-folder')]).toEqual([
    'of-the-data-folder',
    true,
    true,
  ]);
  configured({});
  configured({ STORE_URL: 'postgres://navwatch@localhost/navwatch' });
  expect(asked).toEqual(['/var/lib/navwatch/console-token', 'data/console-token', 'data/console-token']);
  const own = configured({ CONSOLE_TOKEN: 'twelve-or-more' }).http;
  expect([own.consoleToken, own.isOpenHere, own.hosts]).toEqual(['twelve-or-more', false, 'any']);
  expect(configured({ STORE_URL: 'memory://' })).toMatchObject({
    http: { consoleToken: undefined },
    noToken: expect.stringContaining('CONSOLE_TOKEN'),
  });
  expect(asked).toHaveLength(3);
});
