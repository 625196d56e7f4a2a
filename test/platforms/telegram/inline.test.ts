import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reply } from '../../../src/chat/reply.js';
import { httpsUrl } from '../../../src/domain/links.js';
import type { InlineAnswer } from '../../stand-ins/telegram/control.js';
import { chartOf, painter, type Painter } from '../pictures.js';
import { openHarness, stopped, warning, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
let pictures: Painter;
const open = async (...needs: Parameters<typeof openHarness>) => {
  harness = await openHarness({ pictures, ...needs[0] }, { inlineMode: true });
  ({ telegram } = harness);
  await harness.listen();
};
beforeEach(async () => {
  pictures = painter();
  await open();
});
afterEach(async () => harness.close());

const site = { label: 'Site', url: httpsUrl('https://acme.example/')! };
const premium = () =>
  reply({
    finding: [{ strong: 'TIDE trades 17.2% below NAV' }],
    blocks: [{ kind: 'line', line: ['Price $0.8280 & more <now>'] }],
    links: [site],
    actions: [{ label: '1W', line: '/premium tide 1W' }],
    fields: [{ kind: 'text', label: 'Other', line: '/premium {}' }],
    chart: chartOf('Premium'),
  });

/** What somebody sees who types this and waits. */
async function typed(query: string, from = telegram.person()): Promise<InlineAnswer> {
  const found: InlineAnswer[] = [];
  void telegram.inline({ from, query }).then((answer) => found.push(answer));
  await harness.turnUntil(() => found.length > 0);
  return found[0]!;
}

describe('an inline query', () => {
  test('is answered with the text of the reply, for this person, with links and without command buttons', async () => {
    harness.answers(premium);
    const { results, personal, cacheSeconds, button } = await typed('premium tide');
    expect(results).toMatchObject([
      { kind: 'article', title: 'TIDE trades 17.2% below NAV', text: 'TIDE trades 17.2% below NAV\nPrice $0.8280 & more <now>' },
    ]);
    expect(results[0]?.buttons).toEqual([[{ text: 'Site', url: 'https://acme.example/' }]]);
    expect({ personal, button, isShort: cacheSeconds <= 60 }).toEqual({ personal: true, button: undefined, isShort: true });
    expect(harness.lines()).toEqual(['/premium tide']);
  });

  test('asks as the person, in their private chat, who may change nothing', async () => {
    const anna = telegram.person({ first_name: 'Anna' });
    await typed('premium tide', anna);
    const [inbound] = harness.inbounds;
    expect(inbound).toMatchObject({ chat: `telegram/${anna.id}`, from: { id: `telegram/${anna.id}`, name: 'Anna' } });
    expect(inbound?.circles).toContain(`telegram/user/${anna.id}`);
    expect(await inbound?.from.manages()).toBe(false);
  });

  test('that is typed on is asked once, as it was left', async () => {
    const anna = telegram.person();
    for (const query of ['prem', 'premium t', 'premium ti', 'premium tid']) void telegram.inline({ from: anna, query });
    await typed('premium tide', anna);
    expect(harness.lines()).toEqual(['/premium tide']);
    expect(telegram.calls('answerInlineQuery')).toHaveLength(1);
  });

  test('that is refused has no result, and a button that says why and opens the private chat', async () => {
    harness.answers(() => warning('You are not on the list of this bot.'));
    const { results, button } = await typed('premium tide');
    expect(results).toEqual([]);
    expect(button).toEqual({ text: 'You are not on the list of this bot.', start_parameter: 'inline' });
  });

  test('of a command that changes something runs nothing', async () => {
    const { results, button } = await typed('watch tide');
    expect(results).toEqual([]);
    expect(button?.text).not.toBe('');
    expect(harness.lines()).toEqual([]);
  });

  test('of any length and any letters is answered or refused', async () => {
    for (const query of ['premium '.padEnd(256, 'ü'), 'premium <b>&"', '   ', '/', 'premium\n\ntide']) {
      const { results, button } = await typed(query);
      expect(results.length + (button === undefined ? 0 : 1)).toBeGreaterThan(0);
    }
  });

  test('is not answered late: whoever waits at a stop types on', async () => {
    void telegram.inline({ from: telegram.person(), query: 'premium tide' });
    await telegram.waitFor(() => telegram.pending.length === 0);
    await stopped(harness.platform, harness.clock);
    const next = await harness.again();
    await next.listen();
    expect([...harness.lines(), ...next.lines()]).toEqual([]);
    expect(harness.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});

test('a message that was posted with the bot is no question to it', async () => {
  const { anna, chat } = harness.privately();
  telegram.push({
    message: {
      message_id: 900,
      date: 1,
      chat: { id: chat, type: 'private', first_name: 'Anna' },
      from: anna,
      via_bot: telegram.me,
      text: '/watch all',
    },
  });
  telegram.say({ chat, from: anna, text: '/help' });
  await harness.posts(chat);
  expect(harness.lines()).toEqual(['/help']);
});

describe('with TELEGRAM_CACHE_CHAT', () => {
  let cacheChat: number;
  beforeEach(async () => {
    await harness.close();
    harness = await openHarness({ pictures }, { inlineMode: true });
    ({ telegram } = harness);
    cacheChat = telegram.channel({ title: 'Charts' });
    harness = await harness.again({ cacheChat: String(cacheChat) });
    await harness.listen();
    harness.answers(premium);
  });

  test('the chart is a photo by its file id, uploaded once, beside the text', async () => {
    const first = await typed('premium tide');
    const again = await typed('premium tide');
    for (const { results } of [first, again]) expect(results.map(({ kind }) => kind)).toEqual(['photo', 'article']);
    expect(first.results[0]).toMatchObject({
      text: 'TIDE trades 17.2% below NAV\nPrice $0.8280 & more <now>',
      buttons: [[{ text: 'Site' }]],
    });
    expect(again.results[0]?.file?.fileId).toBe(first.results[0]?.file?.fileId);
    expect(telegram.posted(cacheChat)).toMatchObject([{ silent: true, file: { kind: 'photo' } }]);
  });

  test('a chart that cannot be kept there leaves its text', async () => {
    telegram.kickBot(cacheChat);
    expect((await typed('premium tide')).results.map(({ kind }) => kind)).toEqual(['article']);
  });

  test('a chart that is drawn too slowly leaves its text', async () => {
    const held = pictures.hold('Premium');
    expect((await typed('premium tide')).results.map(({ kind }) => kind)).toEqual(['article']);
    held.finish();
  });
});
