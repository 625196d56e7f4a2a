import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import { reply } from '../../src/chat/reply.js';
import { shownElsewhere, splitAsk, typedThere } from '../../src/dispatch/other-channel.js';
import { loadCommands } from '../../src/dispatch/registry.js';

const COMMANDS = new Map((await loadCommands()).map(({ name, command }) => [name, { command }]));
const CHANNEL = { channel: '123', name: '#treasury', askedIn: address('discord', '1') };

test.each([
  ['/watch tide <#123>', '/watch tide'],
  ['/watch <#123> tide', '/watch tide'],
  ['/watch channel:<#123> tide', '/watch tide'],
  ['/mute tide 2h channel: <#123>', '/mute tide 2h'],
  ['watch tide <#123>', 'watch tide'],
])('the channel is parted from %s', (typed, line) => {
  const { ask, channel } = splitAsk({ line: typed }, COMMANDS);
  expect(channel).toBe('123');
  expect('line' in ask && ask.line.replaceAll(/\s+/gu, ' ')).toBe(line);
});

test.each(['/premium tide <#123>', '/watch tide', '/watch tide<#123>', '/watchlist import\ntide <#123>', '/nothing <#123>'])(
  '%j concerns the chat in which it is typed',
  (line) => {
    expect(splitAsk({ line }, COMMANDS)).toEqual({ ask: { line } });
  },
);

test('a line for another channel reads back as it was written', () => {
  const line = typedThere('/alerts tide premium below -10', { elsewhere: CHANNEL });
  expect(splitAsk({ line }, COMMANDS)).toMatchObject({ channel: '123' });
  expect(typedThere('/alerts', { elsewhere: undefined })).toBe('/alerts');
});

test('a filled-in channel is parted from the other options, and other text in it is left to the command', () => {
  expect(splitAsk({ command: 'watch', options: { target: 'tide', channel: '<#123>' } }, COMMANDS)).toEqual({
    ask: { command: 'watch', options: { target: 'tide' } },
    channel: '123',
  });
  const odd = { command: 'watch', options: { channel: 'treasury' } };
  expect(splitAsk(odd, COMMANDS)).toEqual({ ask: odd });
});

test('what would change the chat of the question instead of the channel is not offered', () => {
  const shown = shownElsewhere(
    reply({
      finding: ['Watching'],
      actions: [
        { label: 'Undo', line: '/unwatch tide' },
        { label: 'Premium', line: '/premium tide' },
        { label: 'Manage', line: '/manage' },
      ],
      fields: [{ kind: 'text', label: 'Mention', line: '/alerts tide mention {}' }],
    }),
    { channel: CHANNEL, commands: COMMANDS, word: 'channel' },
  );
  expect(shown.actions.map(({ line }) => line)).toEqual(['/unwatch <#123> tide', '/premium tide']);
  expect(shown.fields).toMatchObject([{ line: '/alerts <#123> tide mention {}' }]);
  expect(shown.audience).toBe('asker');
});
