import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format } from './text/format.js';
import { parseHtml } from './text/html.js';
import { detect } from './text/detect.js';

const html = (text: string) => format({ text, parseMode: 'HTML', entities: undefined, person: () => undefined });

/** What the platform made of a text, as `type:shown`. */
const marks = ({ text, entities }: ReturnType<typeof format>) =>
  entities.map(({ type, offset, length }) => `${type}:${text.slice(offset, offset + length)}`);

const complaintOf = (text: string): string => {
  try {
    parseHtml(text);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
  return 'accepted';
};

describe('markup', () => {
  test('every tag of the platform marks its stretch, in UTF-16 units', () => {
    const read = html(
      '😀<b>b</b><strong>B</strong><i>i</i><em>e</em><u>u</u><ins>n</ins><s>s</s><strike>t</strike><del>d</del><tg-spoiler>p</tg-spoiler><span class="tg-spoiler">q</span>' +
        '<code>c</code><pre><code class="language-ts">x</code></pre><blockquote expandable>z</blockquote><a href="https://acme.io/a?b=1&amp;c=2">link</a>',
    );
    expect(read.text).toBe('😀bBieunstdpqcxzlink');
    expect(read.entities.map(({ type }) => type)).toEqual(
      'bold bold italic italic underline underline strikethrough strikethrough strikethrough spoiler spoiler code pre expandable_blockquote text_link'.split(
        ' ',
      ),
    );
    expect(read.entities[0]).toEqual({ type: 'bold', offset: 2, length: 1 });
    expect(read.entities.find(({ type }) => type === 'pre')).toMatchObject({ language: 'ts' });
    expect(read.entities.at(-1)).toMatchObject({ url: 'https://acme.io/a?b=1&c=2' });
  });

  test('four named entities and numeric ones are decoded, others stay as they stand', () => {
    expect(html('&lt;b&gt; &amp;amp; &quot;x&quot; &#8226; &#x2022; &nbsp; &copy; a & b &lt').text).toBe(
      '<b> &amp; "x" • • &nbsp; &copy; a & b <',
    );
  });

  test.each([
    ['<h1>x</h1>', 'Unsupported start tag "h1" at byte offset 0'],
    ['é<br>', 'Unsupported start tag "br" at byte offset 2'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<b><i>x</b></i>', 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
    ['x</b>', 'Unexpected end tag at byte offset 1'],
    ['<b', 'Unclosed start tag at byte offset 0'],
    ['<b>x</b', 'Unclosed end tag at byte offset 4'],
    ['<a href="x', 'Unclosed start tag at byte offset 0'],
    ['<a href=https://x.io>y</a>', 'Unexpected end of name token at byte offset 8'],
    ['<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
    ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['&#xd800;', 'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units'],
  ])('%j is refused in the words of the platform', (text, words) => {
    expect(complaintOf(text)).toBe(`Bad Request: can't parse entities: ${words}`);
  });

  test('escaped text arrives as it was written, whatever it is', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (inner, outer) => {
        expect(parseHtml(`<b>${escaped(inner)}</b>${escaped(outer)}`).text).toBe(inner + outer);
      }),
    );
  });

  test('whatever comes is read or complained about, and no stretch leaves the text', () => {
    const pieces = fc.constantFrom(
      '<b>',
      '</b>',
      '<a href="',
      '">',
      '</a>',
      '&lt;',
      '&#',
      '<',
      '>',
      'x',
      ' ',
      '😀',
      '\u202e',
      '<pre>',
      '</pre>',
      '@someone',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const source = parts.join('');
        if (complaintOf(source) !== 'accepted') return;
        const { text, entities } = html(source);
        // Blanks at the beginning stay where they are marked, as the platform has it.
        const isMarked = entities.some(({ offset }) => offset === 0);
        expect(text).toBe(isMarked ? text.trimEnd() : text.trim());
        for (const { offset, length } of entities) {
          expect(length).toBeGreaterThan(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

describe('what a reader sees', () => {
  test('direction marks, line separators and carriage returns vanish, other control characters are blanks', () => {
    expect(html('a\u202eb\u2028c\r\nd\te\u0007f').text).toBe('abc\nd e f');
  });

  test('blanks at the ends are cut and the marks move along', () => {
    expect(marks(html('  a <b>bold </b>\n '))).toEqual(['bold:bold']);
    expect(html('  a <b>bold </b>\n ').text).toBe('a bold');
  });

  test('names, commands, tags and addresses are clickable without markup', () => {
    expect(marks(html('@durov /watch@x_bot #nav $TIDE acme.io, https://a.b/c(d). me@acme.io 1.5 e.g. x@y'))).toEqual([
      'mention:@durov',
      'bot_command:/watch@x_bot',
      'hashtag:#nav',
      'cashtag:$TIDE',
      'url:acme.io',
      'url:https://a.b/c(d)',
      'email:me@acme.io',
    ]);
  });

  test('in code and in a link nothing else is clickable', () => {
    expect(marks(html('<code>@durov acme.io</code> <a href="https://x.io">@durov</a>'))).toEqual([
      'code:@durov acme.io',
      'text_link:@durov',
    ]);
  });

  test('a link to a person needs a person, a link to nowhere is dropped', () => {
    const anna = { id: 5, is_bot: false, first_name: 'Anna' };
    const read = (text: string) => format({ text, parseMode: 'html', entities: undefined, person: (id) => (id === 5 ? anna : undefined) });
    expect(read('<a href="tg://user?id=5">x</a>').entities).toEqual([{ type: 'text_mention', offset: 0, length: 1, user: anna }]);
    expect(read('<a href="tg://user?id=6">x</a><a href="javascript:alert(1)">y</a><a href="nowhere">z</a>').entities).toEqual([]);
  });

  test('amounts and times are not taken for links', () => {
    expect(detect('486,210.5 at 14:05, 17.2 % below. Next')).toEqual([]);
  });
});
