import { expect, test } from 'vitest';
import { hear } from '../../src/reading/heard.js';
import { helpAsked } from '../../src/reading/help-asked.js';
import { PHRASE_WORLD } from './phrase-score.js';

const asked = (text: string) => helpAsked(hear(text, PHRASE_WORLD, undefined));

test.each([
  ['who can change the watchlist', '/help permissions'],
  ['who may change settings?', '/help permissions'],
  ['can moderators change settings', '/help permissions'],
  ['can anyone mute the alerts', '/help permissions'],
  ['do I need to be an admin', '/help permissions'],
  ['move alerts to another topic', '/help topics'],
  ['send the tide alerts to a different topic', '/help topics'],
  ['how do topics work', '/help topics'],
  ['forget user 12345', '/help forgetting'],
  ['delete the data of @bob', '/help forgetting'],
  ["delete bob's data", '/help forgetting'],
  ['which alerts failed', '/why'],
  ['what didnt arrive', '/why'],
  ["what didn't arrive?", '/why'],
  ['which alerts were not sent', '/why'],
  ['any failed alerts?', '/why'],
])('"%s" is answered by %s', (text, line) => {
  expect(asked(text)).toBe(line);
});

test.each([
  'delete my data',
  'forget me',
  'delete everything about me',
  'forget tide',
  'who can mint tide',
  'change the timezone',
  'mute this topic',
  'no more launches in this topic',
  'who owns it',
  'which proposals failed',
  'what did you send',
  'failed launches',
  'any alerts',
  'change the alert to 5% above',
  'move the tide threshold to -15',
])('"%s" asks for no page of help', (text) => {
  expect(asked(text)).toBeUndefined();
});
