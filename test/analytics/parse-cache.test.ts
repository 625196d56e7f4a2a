import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { navAsChart } from '../../src/analytics/endpoints/treasury.js';
import { ParsedAnswers, type Parsed, type ParsedReading } from '../../src/analytics/parse-cache.js';
import { metaSchema } from '../../src/analytics/endpoint-row.js';
import { DAY, HOUR } from '../../src/base/clock.js';
import { answerWith, connect, OVERVIEW, reply, serve, tide } from '../support/service.js';

const AGAIN = { maxAge: 0 } as const;

describe('an answer asked for again', () => {
  test('is the same value while its body is kept, and while the same body arrives', async () => {
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const { analytics, clock } = await connect(service.url);
    const first = await analytics.call(supplyOverview, tide);
    await clock.advance(1_000);
    const kept = await analytics.call(supplyOverview, tide);
    const asked = await analytics.call(supplyOverview, tide, AGAIN);
    expect(service.asked).toHaveLength(2);
    expect([kept.data === first.data, asked.data === first.data]).toEqual([true, true]);
    expect([kept.at - first.at, asked.at - first.at]).toEqual([0, 1_000]);
  });

  test('is another value once another body arrives, and is that one from then on', async () => {
    const service = await serve((asked) => answerWith(asked, { ...OVERVIEW, totalBurn: String(asked.number) }));
    const { analytics } = await connect(service.url);
    const burnt = async (how = {}) => (await analytics.call(supplyOverview, tide, how)).data.burned;
    expect([await burnt(), await burnt(), await burnt(AGAIN), await burnt()]).toEqual(['1', '1', '2', '2']);
  });

  test('is one value for all who wait for the same request', async () => {
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const { analytics } = await connect(service.url);
    const [one, other] = await Promise.all([analytics.call(supplyOverview, tide), analytics.call(supplyOverview, tide)]);
    expect(service.asked).toHaveLength(1);
    expect(one.data).toBe(other.data);
  });

  test('cannot be changed by one who got it', async () => {
    const service = await serve((asked) => answerWith(asked, [{ timestamp: 1_790_000_000, spotPrice: '1' }]));
    const { analytics } = await connect(service.url);
    const { data } = await analytics.call(navAsChart, tide);
    expect(() => Object.assign(data.rows[0] ?? {}, { price: '2' })).toThrow(TypeError);
    expect(() => Reflect.apply(Array.prototype.push, data.rows, [1])).toThrow(TypeError);
  });

  test('is dated again each time, though its body is the same', async () => {
    const service = await serve(({ response }) => reply({ response }, body));
    const { analytics, clock } = await connect(service.url);
    const last = Math.floor(clock.now() / HOUR) * HOUR;
    const body = JSON.stringify({ data: [2, 1, 0].map((back) => ({ timestamp: (last - back * HOUR) / 1_000, spotPrice: '1' })) });
    const dated = async () => (await analytics.call(navAsChart, tide, AGAIN)).dataAt;
    expect(await dated()).toBeUndefined();
    await clock.advance(DAY);
    expect(await dated()).toBe(last);
  });

  test('is read by each schema for itself', async () => {
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const { analytics } = await connect(service.url);
    const { data } = await analytics.call(supplyOverview, tide);
    const raw = await analytics.call({ ...supplyOverview, data: z.unknown() }, tide);
    const again = await analytics.call(supplyOverview, tide);
    expect([raw.data, again.data]).toEqual([OVERVIEW, data]);
  });

  test('that could not be read is read again when it comes again', async () => {
    const { parsed, count } = counted({ ok: false, tooLarge: false, because: 'it is none' });
    await parsed('key', 'body');
    await parsed('key', 'body');
    expect(count()).toBe(2);
  });
});

const schema = z.unknown();

/** A memory of parsed answers that counts what it parses. */
function counted(reading?: ParsedReading<Parsed<unknown>>) {
  const answers = new ParsedAnswers();
  let parses = 0;
  const good = (data: unknown) =>
    ({ ok: true, value: { data, meta: metaSchema.parse({}), dates: { dated: 'record', stated: [], listed: [] } } }) as const;
  return {
    count: () => parses,
    parsed: async (key: string, body: string, data: unknown = null) =>
      answers.of({ key, schema, body }, async () => {
        parses += 1;
        return reading ?? good(data);
      }),
  };
}

describe('the memory of parsed answers', () => {
  /** How many of so many bodies are parsed again when they are asked for from the last one back. */
  async function forgotten(bodies: number, body: string, data?: () => unknown): Promise<number> {
    const { parsed, count } = counted();
    const numbers = Array.from({ length: bodies }, (_, number) => number);
    for (const number of numbers) await parsed(`key-${number}`, body, data?.());
    for (const number of numbers.toReversed()) await parsed(`key-${number}`, body, data?.());
    return count() - bodies;
  }

  test('has a bound in characters, in values and in answers', async () => {
    expect(await forgotten(15, 'x'.repeat(1_000_000))).toBe(0);
    expect(await forgotten(40, 'x'.repeat(1_000_000))).toBeGreaterThan(20);
    expect(await forgotten(15, 'x', () => Array.from({ length: 50_000 }, () => 1))).toBe(0);
    expect(await forgotten(40, 'x', () => Array.from({ length: 50_000 }, () => 1))).toBeGreaterThan(15);
    expect(await forgotten(1_000, 'x')).toBe(0);
    expect(await forgotten(1_200, 'x')).toBeGreaterThan(150);
  });
});
