import { expect, test } from 'vitest';
import { bareText } from '../../src/chat/plain-text.js';
import { openAppHarness } from '../support/app-harness.js';

/** What is said in turn; the words of the answers stand in a transcript each. */
const CONVERSATIONS: Readonly<Record<string, readonly string[]>> = {
  'a trader': [
    'is tide cheap?',
    'and alder?',
    '1 month',
    'top discounts',
    'compare tide and alder',
    'heron disc since october',
    'who is buying pass on spindrift',
    'when does the spindrift vote end',
    'will tide pump',
    'thx',
  ],
  'a newcomer': [
    'hello',
    'what is an ownership coin',
    'how much money does alder have?',
    'how long does it last',
    'what is nav',
    'who owns it',
    'more',
    'is it a scam',
    'any new coins coming out',
    'thank you so much',
  ],
  'a moderator': [
    'tell us when tide drops more than 10% below nav',
    '/alerts tide watch premium<-10',
    'tell us when tide drops more than 10% below nav',
    'mute tide until tomorrow 9am',
    'no pings between 11pm and 7am',
    'digest every morning at 9',
    'what are we watching',
    'why was there no alert about tide',
    'which alerts went out today',
    'stop watching tide',
  ],
  'a follower of lists': [
    'top discounts',
    'the second one',
    'runway of #3',
    'compare tide and alder',
    'and heron',
    'watch tide and alder',
    '/watch tide',
    'tell me when tide drops 10% below nav',
    'no, -15',
    'for alder instead',
    'yes',
    'never mind',
    'mute tide until friday',
    'mute heron for 2 days',
    'is foobar cheap?',
    'premium of tide in september',
    '/alerts tide premium<-12',
    'any news',
    'glossary',
  ],
  'a phone typist': [
    'premum tide',
    '/price alder',
    'hrn runway',
    'tide mints',
    '/premium last month tide',
    'wat is twap',
    '/odds spin',
    'unusually cheap alert for tide',
    'asdf',
    'gm',
  ],
};

test.each(Object.entries(CONVERSATIONS))('%s talks with the bot', async (name, lines) => {
  const app = await openAppHarness();
  const turns: string[] = [];
  for (const line of lines) {
    const { reply } = await app.say(line);
    expect(await app.deadButtons(reply)).toEqual([]);
    const buttons = reply.actions.map(({ label }) => `[${label}]`).join(' ');
    turns.push(`> ${line}\n\n${bareText(reply, app.clock.now())}\n${buttons}`);
  }
  await expect(`${turns.join('\n\n')}\n`).toMatchFileSnapshot(`../transcripts/conversations/${name.replaceAll(' ', '-')}.md`);
});
