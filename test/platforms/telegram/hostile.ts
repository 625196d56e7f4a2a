/** Names that somebody gives a token or a project in order to ring, to link, to break the markup or to turn the text around. */
import { reply, type Reply } from '../../../src/chat/reply.js';

export const HOSTILE = [
  '@everyone',
  '<@&1>',
  '</b><a href="https://evil.example">x</a>',
  '<a href="tg://user?id=50000001">hi</a>',
  'a\u202eb\u2066c\u200f',
  '&lt;b&gt;',
  '😀'.repeat(5_000),
  'x'.repeat(10_000),
  `e${'\u0301'.repeat(500)}`,
  'https://evil.example/?a=1&b=2 evil.example t.me/x @durov',
  '\u0000\u0007\ud800\n\r\u2028',
  '[x](tg://user?id=1) **b** `c`',
];

/** The name in every place a name can stand in. */
export const everywhere = (name: string): Reply =>
  reply({
    finding: [{ strong: name }, ' was minted by ', name, { code: name }],
    blocks: [
      { kind: 'line', line: [name] },
      { kind: 'figures', items: [{ label: name, value: name }] },
      { kind: 'list', items: [{ line: [name], detail: [{ strong: name }] }] },
      {
        kind: 'table',
        columns: [{ title: name }, { title: 'value' }],
        rows: [
          [name, name],
          ['', name],
        ],
      },
    ],
    actions: [{ label: name, line: '/help' }],
    stale: name,
  });
