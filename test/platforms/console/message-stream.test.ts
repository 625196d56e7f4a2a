import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { openHarness } from './harness.js';
import { listen } from './listen.js';

const events = '/api/chats/main/events';

test('a newcomer hears what was said last and then what is said', async () => {
  await using harness = await openHarness();
  await harness.say('one');
  const ear = await listen(harness.url + events);
  expect(ear.response.headers.get('content-type')).toBe('text/event-stream');
  expect(await ear.next()).toMatchObject({ event: 'hello', data: { now: '2026-11-20T12:00:00.000Z', last: 2 } });
  expect(await ear.next()).toMatchObject({ event: 'message', id: '1', data: { id: 1, kind: 'question', text: 'one' } });
  expect(await ear.next()).toMatchObject({ id: '2', data: { kind: 'reply', text: 'you said one', answers: 1 } });
  await harness.alert('d-1', 'a mint');
  expect(await ear.next()).toMatchObject({ id: '3', data: { kind: 'alert', text: 'a mint', deliveryId: 'd-1' } });
  ear.close();
});

test('a newcomer to a long conversation gets the last hundred', async () => {
  await using harness = await openHarness();
  for (let index = 1; index <= 130; index += 1) await harness.alert(`d-${index}`, `${index}`);
  const ear = await listen(harness.url + events);
  await ear.next();
  expect(await ear.next()).toMatchObject({ id: '31' });
  ear.close();
});

test('a reader who returns with the last id misses nothing and hears nothing twice', async () => {
  await using harness = await openHarness();
  for (const id of ['1', '2', '3', '4', '5']) await harness.alert(id, `event ${id}`);
  const ear = await listen(harness.url + events, { 'last-event-id': '3' });
  const streamed = [await ear.next(), await ear.next(), await ear.next()];
  await harness.alert('6', 'event 6');
  streamed.push(await ear.next());
  expect(streamed.map((event) => event?.id)).toEqual([undefined, '4', '5', '6']);
  ear.close();
});

test('the page may name its place in the address, because a new line has no last id', async () => {
  await using harness = await openHarness();
  for (const id of ['1', '2', '3']) await harness.alert(id, `event ${id}`);
  const ear = await listen(`${harness.url}${events}?after=2`);
  await ear.next();
  expect(await ear.next()).toMatchObject({ id: '3' });
  ear.close();
});

test('many messages at once arrive whole and in order', async () => {
  await using harness = await openHarness();
  const ear = await listen(harness.url + events);
  await ear.next();
  await Promise.all(Array.from({ length: 180 }, async (_, index) => harness.alert(`d-${index}`, `event ${index}`)));
  const ids: (string | undefined)[] = [];
  for (let index = 0; index < 180; index += 1) ids.push((await ear.next())?.id);
  expect(ids).toEqual(Array.from({ length: 180 }, (_, index) => String(index + 1)));
  ear.close();
});

test('a silent stream beats every 15 seconds with the server’s time', async () => {
  const clock = handClock();
  await using harness = await openHarness({ clock });
  const ear = await listen(harness.url + events);
  await ear.next();
  for (const time of ['12:00:15', '12:00:30']) {
    await clock.asleep();
    await clock.advance(15_000);
    expect(await ear.next()).toEqual({ event: 'beat', data: `2026-11-20T${time}.000Z` });
  }
  ear.close();
});

test('each chat has its own stream', async () => {
  await using harness = await openHarness();
  const ear = await listen(`${harness.url}/api/chats/harness/events`);
  await ear.next();
  await harness.alert('1', 'for main');
  await harness.alert('2', 'for the harness', 'harness');
  expect(await ear.next()).toMatchObject({ id: '1', data: { text: 'for the harness' } });
  ear.close();
});

test('a place beyond the end is of another life of the chat; hello says where it ends now', async () => {
  await using harness = await openHarness();
  await harness.alert('1', 'first');
  const ear = await listen(harness.url + events, { 'last-event-id': '400' });
  expect(await ear.next()).toMatchObject({ event: 'hello', data: { last: 1 } });
  await harness.alert('2', 'second');
  expect(await ear.next()).toMatchObject({ id: '2' });
  ear.close();
});

test('closing ends the streams, and a reader goes on after the restart where it stood', async () => {
  const store = await openStore('memory://');
  const before = await openHarness({ store });
  await before.alert('1', 'before');
  const ear = await listen(before.url + events);
  await ear.next();
  const last = await ear.next();
  await before.console.close();
  expect(await ear.next()).toBeUndefined();
  await before[Symbol.asyncDispose]();

  await using after = await openHarness({ store });
  await after.alert('1', 'before');
  await after.alert('2', 'while away');
  const again = await listen(after.url + events, { 'last-event-id': last?.id ?? '' });
  await again.next();
  expect(await again.next()).toMatchObject({ id: '2', data: { text: 'while away' } });
  again.close();
});

test('a reader who leaves is forgotten', async () => {
  const clock = handClock();
  await using harness = await openHarness({ clock });
  const ear = await listen(harness.url + events);
  await ear.next();
  await clock.asleep();
  ear.close();
  await expect.poll(() => clock.sleepers()).toBe(0);
});

test('a strange last id is refused', async () => {
  await using harness = await openHarness();
  expect(await harness.get(`${events}?after=soon`)).toMatchObject({ status: 400, body: { error: expect.stringContaining('message ids') } });
});

test('fifty pages follow at once; one more is refused with a sentence, until one of them leaves', async () => {
  await using harness = await openHarness();
  const ears = [];
  for (let index = 0; index < 50; index += 1) {
    const ear = await listen(harness.url + events);
    await ear.next();
    ears.push(ear);
  }
  const refused = await fetch(harness.url + events);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('Close some of them')]);
  ears[0]?.close();
  const isTaken = async (): Promise<boolean> => {
    const again = await fetch(harness.url + events);
    await again.body?.cancel();
    return again.status === 200;
  };
  await expect.poll(isTaken).toBe(true);
  for (const ear of ears) ear.close();
});
