import { describe, expect, test } from 'vitest';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import type { Chart, Pictures } from '../../../src/chat/chart.js';
import { CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { checked, pass, type Check, type LiveHarness } from './live-topics.js';

/** Its bytes are the title, so that a test sees which chart a picture shows. */
const bytesOf = ({ title }: Chart): Uint8Array => new TextEncoder().encode(title);
const titleOf = (picture: { readonly bytes: Uint8Array } | undefined): string | undefined =>
  picture && new TextDecoder().decode(picture.bytes);

const artist = (png: Pictures['png'] = async (chart) => bytesOf(chart)): Pictures => ({ svg: async () => '<svg/>', png });

async function watching(pictures: Pictures, { draws = false }: { readonly draws?: boolean } = {}): Promise<LiveHarness> {
  const harness = await openAlertsHarness({ to: platform({ edits: true, ...(draws ? {} : { pictureTheme: 'dark' }) }), pictures });
  await harness.watch(TIDE);
  return harness;
}

/** A check that knows two margins from before. */
const check = ({ clock }: LiveHarness, edge: string, more: Partial<Check> = {}): Check => {
  const margins = [-3, -1].map((hours) => [later(clock.now(), hours * HOUR), '0.1']);
  return { after: 0, stage: 'live', edge, facts: { margins }, ...more };
};

describe('the live message of a market', () => {
  test('has the course of its margin as a picture, and each edit replaces it', async () => {
    const harness = await watching(artist());
    await checked(harness, check(harness, '2.1', { isNew: true }));
    await pass(harness, MINUTE);
    await checked(harness, check(harness, '0.5'));
    await pass(harness, 6 * MINUTE);
    expect(harness.to.tried.map(({ picture }) => titleOf(picture))).toEqual(['Passing by 0.6 pts · last 3 h']);
    expect(harness.to.editsTried.map(({ picture }) => titleOf(picture))).toEqual(['Failing by 1.0 pts · last 3 h']);
    expect(harness.to.editsTried[0]?.reply.chart).toMatchObject({ kind: 'xy', isLow: true });
    expect(JSON.stringify(harness.queues.read(CHAT))).not.toContain('Passing by 0.6 pts · last');
  });

  test('has none while too few margins are known; an edit adds it', async () => {
    const harness = await watching(artist());
    await checked(harness, { after: 0, stage: 'created', isNew: true });
    await pass(harness, MINUTE);
    await checked(harness, check(harness, '2.1'));
    await pass(harness, MINUTE);
    expect(harness.to.tried.map(({ picture }) => picture)).toEqual([undefined]);
    expect(harness.to.editsTried.map(({ picture }) => titleOf(picture))).toEqual(['Passing by 0.6 pts · last 3 h']);
  });

  test('that is sent again after a failure has its picture again, unless the market moved meanwhile', async () => {
    for (const moves of [false, true]) {
      const harness = await watching(artist());
      harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 10 * MINUTE });
      await checked(harness, check(harness, '2.1', { isNew: true }));
      await pass(harness, MINUTE);
      if (moves) await checked(harness, check(harness, '0.5'));
      await pass(harness, 20 * MINUTE);
      const passing = 'Passing by 0.6 pts · last 3 h';
      expect(harness.to.tried.map(({ picture }) => titleOf(picture))).toEqual([passing, moves ? undefined : passing]);
      expect(harness.to.editsTried.map(({ picture }) => titleOf(picture))).toEqual(moves ? ['Failing by 1.0 pts · last 3 h'] : []);
    }
  });

  test('is edited without a picture where it cannot be drawn, in time or at all', async () => {
    for (const png of [async () => Promise.reject(new Error('no thread')), async () => new Promise<Uint8Array>(() => undefined)]) {
      const harness = await watching(artist(png));
      await checked(harness, { after: 0, stage: 'created', isNew: true });
      await pass(harness, MINUTE);
      await checked(harness, check(harness, '2.1'));
      const editing = pass(harness, MINUTE);
      while (harness.to.editsTried.length === 0) {
        await harness.clock.advance(MINUTE);
        await new Promise(setImmediate);
      }
      await editing;
      expect(harness.to.editsTried.map(({ picture }) => picture)).toEqual([undefined]);
      expect(harness.to.edited.at(-1)?.text).toContain('Passing by 0.6 pts');
    }
  });

  test('gets the chart as data where the platform draws it itself', async () => {
    const drawn: Chart[] = [];
    const pictures = artist(async (chart) => {
      drawn.push(chart);
      return bytesOf(chart);
    });
    const harness = await watching(pictures, { draws: true });
    await checked(harness, check(harness, '2.1', { isNew: true }));
    await pass(harness, MINUTE);
    await checked(harness, check(harness, '0.5'));
    await pass(harness, 6 * MINUTE);
    expect([harness.to.tried[0]?.reply.chart?.title, harness.to.editsTried[0]?.reply.chart?.title]).toEqual([
      'Passing by 0.6 pts · last 3 h',
      'Failing by 1.0 pts · last 3 h',
    ]);
    expect(drawn).toEqual([]);
  });
});
