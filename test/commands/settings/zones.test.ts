import { DateTime } from 'luxon';
import { expect, onTestFinished, test, vi } from 'vitest';
import { zoneName } from '../../../src/reply/index.js';
import { CITY_ZONES, countryNames, countryZones } from '../../../commands/settings/places.js';
import { readZone } from '../../../commands/settings/zones.js';

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['New York', 'America/New_York'],
  ['america/new york', 'America/New_York'],
  ['Buenos Aires', 'America/Buenos_Aires'],
  ['San Francisco', 'America/Los_Angeles'],
  ['Kyiv', 'Europe/Kyiv'],
  ['Kathmandu', 'Asia/Kathmandu'],
  ['nuuk', 'America/Nuuk'],
  ['yangon', 'Asia/Yangon'],
  ['UTC', 'UTC'],
  ['gmt', 'UTC'],
  ['UTC+0', 'UTC'],
  ['CET', 'Europe/Berlin'],
  ['pst', 'America/Los_Angeles'],
  ['eastern', 'America/New_York'],
  ['US Pacific time', 'America/Los_Angeles'],
  ['central european summer time', 'Europe/Berlin'],
  ['UTC+2', 'Etc/GMT-2'],
  ['+02:00', 'Etc/GMT-2'],
  ['GMT-5', 'Etc/GMT+5'],
  ['utc −5', 'Etc/GMT+5'],
])('"%s" is the timezone %s', (text, zone) => {
  const read = readZone(text);
  expect(read).toMatchObject({ zone });
  expect(DateTime.fromMillis(0, { zone }).isValid).toBe(true);
});

test.each([
  ['Mumbai', 'Asia/Kolkata'],
  ['calcutta', 'Asia/Kolkata'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['Zürich', 'Europe/Zurich'],
  ['münchen', 'Europe/Berlin'],
  ['Washington, D.C.', 'America/New_York'],
  ['St. Louis', 'America/Chicago'],
  ['Saigon', 'Asia/Ho_Chi_Minh'],
  ['Tel Aviv', 'Asia/Jerusalem'],
  ['Bali', 'Asia/Makassar'],
  ['Texas', 'America/Chicago'],
  ['Germany', 'Europe/Berlin'],
  ['Spain', 'Europe/Madrid'],
  ['portugal', 'Europe/Lisbon'],
  ['UK', 'Europe/London'],
  ['Switzerland', 'Europe/Zurich'],
  ['Türkiye', 'Europe/Istanbul'],
  ['UAE', 'Asia/Dubai'],
  ['South Korea', 'Asia/Seoul'],
  ['Nigeria', 'Africa/Lagos'],
  ['New Zealand', 'Pacific/Auckland'],
])('a person who types "%s" gets %s', (text, zone) => {
  expect(readZone(text)).toMatchObject({ zone });
});

test.each([
  ['USA', ['America/New_York', 'America/Chicago', 'America/Los_Angeles']],
  ['canada', ['America/Toronto', 'America/Vancouver']],
  ['Brazil', ['America/Sao_Paulo', 'America/Manaus']],
])('%s has several timezones, which are offered', (text, zones) => {
  expect(readZone(text)).toMatchObject({ near: expect.arrayContaining(zones) });
  expect(offered(text).length).toBeLessThanOrEqual(7);
});

test('every city and every country leads to timezones that exist', () => {
  const zones = [...CITY_ZONES.values(), ...countryNames().flatMap(countryZones)];
  expect(countryNames().length).toBeGreaterThan(200);
  expect([...new Set(zones)].filter((zone) => !DateTime.fromMillis(0, { zone }).isValid)).toEqual([]);
  for (const name of [...CITY_ZONES.keys(), ...countryNames()]) {
    const read = readZone(name);
    expect('zone' in read || read.near.length > 1, name).toBe(true);
  }
});

test('a fixed distance is shown as people write it, and is as far ahead as it says', () => {
  expect(['Etc/GMT-2', 'Etc/GMT+5', 'Etc/GMT+0', 'America/New_York'].map(zoneName)).toEqual(['UTC+2', 'UTC−5', 'UTC', 'America/New York']);
  expect(DateTime.fromMillis(0, { zone: 'Etc/GMT-2' }).offset).toBe(120);
});

test.each([
  ['berln', 'No timezone called "berln".', 'Europe/Berlin'],
  ['Europe/Berlni', 'No timezone called "Europe/Berlni".', 'Europe/Berlin'],
  ['IST', 'Several places call their time IST.', 'Asia/Kolkata'],
  ['CST', 'Several places call their time CST.', 'Asia/Shanghai'],
  ['UTC+5:45', 'For UTC+5:45 name a city in it.', 'Asia/Katmandu'],
  ['Portugla', 'No timezone called "Portugla".', 'Europe/Lisbon'],
  ['barcelone', 'No timezone called "barcelone".', 'Europe/Madrid'],
])('"%s" is answered with names to choose from', (text, says, near) => {
  const read = readZone(text);
  expect(read).toMatchObject({ near: expect.arrayContaining([near]) });
  expect('says' in read && read.says).toContain(says);
});

test.each([
  ['UTC+15', 'A timezone is between UTC−12 and UTC+14.'],
  ['xqzzw', 'Name a large city in it'],
  ['foo', 'Name a large city in it'],
  ['12:00', 'Name a large city in it'],
])('"%s" is answered with a sentence', (text, says) => {
  const read = readZone(text);
  expect('says' in read && read.says).toContain(says);
});

test('whatever is offered can be chosen', () => {
  for (const text of ['berln', 'IST', 'UTC+5:45', 'UTC-3:30', 'sidney', 'los angles'])
    for (const near of offered(text)) expect(readZone(near), near).toEqual({ zone: near });
});

function offered(text: string): readonly string[] {
  const read = readZone(text);
  return 'near' in read ? read.near : [];
}

test('the timezones of the countries are asked for when one is named, because those of all take half a second', async () => {
  vi.resetModules();
  const { readZone: read } = await import('../../../commands/settings/zones.js');
  const locale = vi.spyOn(Intl, 'Locale');
  onTestFinished(() => locale.mockRestore());
  read('tidewtaer');
  const few = 20;
  expect(locale.mock.calls.length).toBeLessThan(few);
  read('austria');
  expect(locale.mock.calls.flat()).toContain('und-AT');
});

test('a city with two letters swapped is offered first', () => {
  const read = readZone('brelin');
  expect('near' in read ? read.near[0] : undefined).toBe('Europe/Berlin');
});
