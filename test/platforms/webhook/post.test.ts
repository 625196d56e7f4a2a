import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { post, type Resolve } from '../../../src/platforms/webhook/post.js';
import { startReceiver, type ReceiverOptions } from '../../stand-ins/webhook/receiver.js';
import { handClock } from '../../support/clock.js';

/** A name server that answers with these addresses. */
const names =
  (addresses: readonly string[]): Resolve =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

async function open(options: ReceiverOptions = {}) {
  const receiver = await startReceiver(options);
  onTestFinished(async () => receiver.close());
  const clock = handClock();
  const stop = new AbortController();
  const to = async (url: string, how: Partial<Parameters<typeof post>[1]> = {}) =>
    post({ url, headers: {}, body: '{}' }, { clock, isPrivateAllowed: false, signal: stop.signal, ...how });
  return { receiver, clock, stop, to };
}

describe('a name', () => {
  test.each([
    ['a private address', ['10.0.0.1']],
    ['the metadata address', ['169.254.169.254']],
    ['this machine', ['127.0.0.1']],
    ['a public address and a private one', ['93.184.215.14', '192.168.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
  ])('that leads to %s is refused before anything is sent', async (_what, addresses) => {
    const { receiver, to } = await open();
    const result = await to(`https://hooks.example:${receiver.port}/`, { resolve: names(addresses) });
    expect(result).toMatchObject({ kind: 'private-address' });
    expect(receiver.requests()).toBe(0);
  });

  test('is resolved once for a request, and again for the next: what was checked is what is connected to', async () => {
    const { receiver, to } = await open();
    let times = 0;
    // A name server that answers with an allowed address first and another one afterwards.
    const rebinding: Resolve = (_host, _options, done) => {
      times += 1;
      done(null, [{ address: times === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
    };
    const url = `http://localhost:${receiver.port}/`;
    expect(await to(url, { resolve: rebinding })).toMatchObject({ kind: 'answered' });
    expect(times).toBe(1);
    expect(await to(url, { resolve: rebinding })).toEqual({ kind: 'private-address', detail: '169.254.169.254' });
    expect(receiver.requests()).toBe(1);
  });

  test('that has no address, and one that is not found, cannot be reached', async () => {
    const { to } = await open();
    expect(await to('https://hooks.example/', { resolve: names([]) })).toMatchObject({ kind: 'unreachable' });
    const lost: Resolve = (_host, _options, done) => done(Object.assign(new Error('lost'), { code: 'ENOTFOUND' }), []);
    expect(await to('https://hooks.example/', { resolve: lost })).toEqual({ kind: 'unreachable', detail: 'ENOTFOUND' });
  });

  test('that is never resolved is given up after 15 seconds, and nothing was sent', async () => {
    const { clock, to } = await open();
    const sending = to('https://hooks.example/', { resolve: () => {} });
    await clock.advance(15 * SECOND);
    expect(await sending).toMatchObject({ kind: 'unreachable' });
  });

  test('may lead into a private network where the operator allows it', async () => {
    const { receiver, to } = await open();
    const how = { resolve: names(['127.0.0.1']), isPrivateAllowed: true };
    expect(await to(`http://receiver.internal:${receiver.port}/`, how)).toMatchObject({ kind: 'answered' });
  });
});

test('an address in the URL is checked too, though Node resolves nothing then', async () => {
  const { to } = await open();
  for (const url of ['https://169.254.169.254/', 'https://[fd00:ec2::254]/', 'https://10.0.0.1/'])
    expect(await to(url)).toMatchObject({ kind: 'private-address' });
});

test('a process that is not active any more sends nothing, also after a name server that took its time', async () => {
  const { receiver, to } = await open();
  expect(await to(receiver.url, { isActive: () => false })).toEqual({ kind: 'superseded' });
  let asked = 0;
  const isActive = (): boolean => (asked += 1) === 1;
  expect(await to(`http://localhost:${receiver.port}/`, { isActive, resolve: names(['127.0.0.1']) })).toEqual({ kind: 'superseded' });
  expect(receiver.requests()).toBe(0);
});

test('a redirect is an answer: nobody follows it', async () => {
  const { receiver, to } = await open();
  const other = await open();
  receiver.next({ status: 307, headers: { location: other.receiver.url } });
  expect(await to(receiver.url)).toMatchObject({ kind: 'answered', status: 307 });
  expect(other.receiver.requests()).toBe(0);
});

test('a closed port cannot be reached', async () => {
  const { to } = await open();
  const closed = await startReceiver();
  await closed.close();
  expect(await to(closed.url)).toEqual({ kind: 'unreachable', detail: 'ECONNREFUSED' });
});

test('a certificate that nobody vouches for is refused before anything is sent; a trusted one is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...key, '-keyout', keyFile, '-out', certFile, ...subject], { stdio: 'ignore' });
  const tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  const { receiver, to } = await open({ tls });
  expect(await to(receiver.url)).toMatchObject({ kind: 'certificate' });
  expect(receiver.requests()).toBe(0);
  expect(await to(receiver.url, { ca: tls.cert })).toMatchObject({ kind: 'answered' });
  receiver.next('cut');
  expect(await to(receiver.url, { ca: tls.cert })).toEqual({ kind: 'line-cut' });
});
