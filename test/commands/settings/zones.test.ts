import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { zoneName } from '../../../src/replies/local-time.js';
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
  ['UTC+2', 'Etc/GMT-2'],
  ['+02:00', 'Etc/GMT-2'],
  ['GMT-5', 'Etc/GMT+5'],
  ['utc −5', 'Etc/GMT+5'],
])('“%s” is the timezone %s', (text, zone) => {
  const read = readZone(text);
  expect(read).toMatchObject({ zone });
  expect(DateTime.fromMillis(0, { zone }).isValid).toBe(true);
});

test('a fixed distance is shown as people write it, and is as far ahead as it says', () => {
  expect(['Etc/GMT-2', 'Etc/GMT+5', 'Etc/GMT+0', 'America/New_York'].map(zoneName)).toEqual(['UTC+2', 'UTC−5', 'UTC', 'America/New York']);
  expect(DateTime.fromMillis(0, { zone: 'Etc/GMT-2' }).offset).toBe(120);
});

test.each([
  ['berln', 'I know no timezone called “berln”.', 'Europe/Berlin'],
  ['Europe/Berlni', 'I know no timezone called “Europe/Berlni”.', 'Europe/Berlin'],
  ['IST', 'Several places call their time IST.', 'Asia/Kolkata'],
  ['CST', 'Several places call their time CST.', 'Asia/Shanghai'],
  ['UTC+5:45', 'For UTC+5:45 name a city in it.', 'Asia/Katmandu'],
])('“%s” is answered with names to choose from', (text, says, near) => {
  const read = readZone(text);
  expect(read).toMatchObject({ near: expect.arrayContaining([near]) });
  expect('says' in read && read.says).toContain(says);
});

test.each([
  ['UTC+15', 'A timezone is between UTC−12 and UTC+14.'],
  ['xqzzw', 'Name a large city in it'],
  ['foo', 'Name a large city in it'],
  ['12:00', 'Name a large city in it'],
])('“%s” is answered with a sentence', (text, says) => {
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
