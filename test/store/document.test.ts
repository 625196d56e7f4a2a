import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decode, encode, MIN_COMPRESSED } from '../../src/store/document.js';
import type { CollectionSpec } from '../../src/store/store.js';

/** A schema that counts how often it parses. */
function counting() {
  const seen = { parsed: 0 };
  const schema = z.object({ text: z.string().min(3), tags: z.array(z.string()) }).refine(() => {
    seen.parsed += 1;
    return true;
  });
  const spec: CollectionSpec<z.infer<typeof schema>> = { prefix: 'box', schema, version: 2 };
  return { spec, seen };
}

const document = { text: 'tide é 🌊 "', tags: ['a', '\\'] };

describe('a document as this version wrote it', () => {
  test('is read without its schema', () => {
    const { spec, seen } = counting();
    const text = encode(spec, { key: 'k', document });
    seen.parsed = 0;
    expect(decode(spec, text)).toEqual({ kind: 'document', document });
    expect(seen.parsed).toBe(0);
  });

  test('is plain JSON with its version', () => {
    const { spec } = counting();
    expect(JSON.parse(encode(spec, { key: 'k', document }))).toMatchObject({ v: 2, d: document });
  });
});

describe('any other document is read by its schema', () => {
  test('one without a checksum, as versions before wrote it', () => {
    const { spec, seen } = counting();
    expect(decode(spec, JSON.stringify({ v: 2, d: document }))).toEqual({ kind: 'document', document });
    expect(seen.parsed).toBe(1);
  });

  test('one that was edited by hand, if it still fits', () => {
    const { spec, seen } = counting();
    const text = encode(spec, { key: 'k', document }).replace('tide', 'reef');
    seen.parsed = 0;
    expect(decode(spec, text)).toMatchObject({ kind: 'document', document: { text: 'reef é 🌊 "' } });
    expect(seen.parsed).toBe(1);
  });

  test('no change of one character is taken for what was written', () => {
    const { spec, seen } = counting();
    const text = encode(spec, { key: 'k', document });
    for (let at = 0; at < text.length; at += 1) {
      for (const put of ['', '0', 'x', ' ']) {
        const changed = text.slice(0, at) + put + text.slice(at + 1);
        if (changed === text) continue;
        seen.parsed = 0;
        const decoded = decode(spec, changed);
        // Either the schema has seen it, or it is no document of this version at all.
        expect(decoded.kind === 'trouble' || seen.parsed === 1, changed).toBe(true);
      }
    }
  });

  test('one that no longer fits is unreadable, whatever its checksum says of another schema', () => {
    const { spec } = counting();
    const text = encode(
      { ...spec, schema: z.object({ text: z.string(), tags: z.array(z.string()) }) },
      { key: 'k', document: { ...document, text: '' } },
    );
    expect(decode(spec, text)).toMatchObject({ kind: 'trouble', trouble: 'unreadable' });
  });

  test('one of before a field had its default', () => {
    const before = z.object({ text: z.string() });
    const after = z.object({ text: z.string(), tags: z.array(z.string()).default([]) });
    const text = encode({ prefix: 'box', version: 1, schema: before }, { key: 'k', document: { text: 'tide' } });
    expect(decode({ prefix: 'box', version: 1, schema: after }, text)).toEqual({ kind: 'document', document: { text: 'tide', tags: [] } });
  });

  test('one of a newer version is not read', () => {
    const { spec } = counting();
    expect(decode({ ...spec, version: 1 }, encode(spec, { key: 'k', document }))).toMatchObject({ kind: 'trouble', trouble: 'newer' });
  });
});

describe('a large document', () => {
  const large = { text: 'tide é 🌊 "\ud800', tags: Array.from({ length: MIN_COMPRESSED / 8 }, (_, index) => `tag ${index}`) };

  test('keeps the length of its stored text while it changes a little', () => {
    const { spec } = counting();
    const lengths = Array.from({ length: 20 }, (_, count) => {
      const changed = { ...large, tags: [...large.tags, ...Array.from({ length: count }, (__, index) => `new ${index}`)] };
      const text = encode(spec, { key: 'k', document: changed });
      expect(decode(spec, text)).toEqual({ kind: 'document', document: changed });
      return text.length;
    });
    expect(new Set(lengths).size).toBeLessThan(5);
  });

  test('is stored compressed, and read without its schema', () => {
    const { spec, seen } = counting();
    const text = encode(spec, { key: 'k', document: large });
    expect(text.length).toBeLessThan(JSON.stringify(large).length / 2);
    expect(JSON.parse(text)).toMatchObject({ v: 2, s: expect.any(Number), z: expect.any(String) });
    seen.parsed = 0;
    expect(decode(spec, text)).toEqual({ kind: 'document', document: large });
    expect(seen.parsed).toBe(0);
  });

  test('of an earlier version is brought up to date', () => {
    const { spec } = counting();
    const text = encode({ ...spec, version: 1 }, { key: 'k', document: large });
    const upgrade = (document: unknown) =>
      z
        .looseObject({})
        .transform((known) => ({ ...known, tags: ['b'] }))
        .parse(document);
    expect(decode({ ...spec, upgrade }, text)).toEqual({ kind: 'document', document: { ...large, tags: ['b'] } });
  });

  test('that is damaged is unreadable or read by its schema, never taken for what was written', () => {
    const { spec, seen } = counting();
    const text = encode(spec, { key: 'k', document: large });
    for (let at = 0; at < text.length; at += 7) {
      const changed = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
      seen.parsed = 0;
      const decoded = decode(spec, changed);
      const isSame = decoded.kind === 'document' && JSON.stringify(decoded.document) === JSON.stringify(large);
      expect(decoded.kind === 'trouble' || seen.parsed === 1 || isSame, changed.slice(0, 40)).toBe(true);
    }
  });

  test('without its content is unreadable, whatever the schema accepts', () => {
    const spec = { prefix: 'box', version: 2, schema: z.unknown() };
    for (const text of ['{"v":2,"s":1,"z":"AAAA"}', '{"v":2,"s":1,"z":""}', '{"v":2,"s":1}'])
      expect(decode(spec, text), text).toMatchObject({ kind: 'trouble', trouble: 'unreadable' });
  });
});
