/** The rules of a kind in one form of Discord: what it shows is what holds, and one submission is one change. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { labels, openConnectedBot, read, type ConnectedBot } from './connected-bot.js';

const formSchema = z.looseObject({
  components: z.array(
    z.looseObject({
      label: z.string(),
      component: z.looseObject({
        custom_id: z.string(),
        options: z.array(z.looseObject({ label: z.string(), default: z.boolean().default(false) })).default([]),
      }),
    }),
  ),
});

/** Opens the form of a kind; its fields are named by their labels. */
async function openForm(bot: ConnectedBot, kind: string) {
  const page = await bot.slash('alerts', { target: 'tide', kind });
  const opened = bot.discord.controls.press({ message: page.id, user: bot.anna, button: 'Edit…' });
  const parts = formSchema.parse((await opened.form()).raw).components;
  const idOf = (label: string): string => parts.find((part) => part.label === label)?.component.custom_id ?? label;
  return {
    shown: Object.fromEntries(
      parts.map(({ label, component: { options } }) => [label, options.filter((one) => one.default).map((one) => one.label)]),
    ),
    submit: async (values: Readonly<Record<string, string | readonly string[]>>): Promise<string> => {
      const named = Object.fromEntries(Object.entries(values).map(([label, value]) => [idOf(label), value]));
      return read(await bot.discord.controls.submit({ opened, values: named }).reply());
    },
  };
}

const watching = async (): Promise<ConnectedBot> => {
  const bot = await openConnectedBot();
  await bot.slash('watch', { target: 'tide' });
  return bot;
};

test('size, stages and mode are changed by one submission, and one Undo takes it back', async () => {
  const bot = await watching();
  await bot.slash('alerts', { target: 'tide', action: 'important' });
  const { shown, submit } = await openForm(bot, 'supply');
  expect(shown).toMatchObject({ Alerts: ['On'], 'Minimum size': ['$10K or 0.5% and up'] });
  const said = await submit({ Alerts: 'Silent: no sound and no mentions', 'Minimum size': '$100K and up', Stages: ['mint'] });
  expect(said).toContain('$100K and up');
  expect((await openForm(bot, 'supply')).shown).toEqual({
    Alerts: ['Silent: no sound and no mentions'],
    'Minimum size': ['$100K and up'],
    Stages: ['mint'],
  });
  const page = await bot.slash('alerts', { target: 'tide', kind: 'supply' });
  await bot.discord.controls
    .press({ message: page.id, user: bot.anna, button: labels(page).find((one) => one.startsWith('Undo')) ?? '' })
    .reply();
  expect((await openForm(bot, 'supply')).shown).toMatchObject({ Alerts: ['On'], 'Minimum size': ['$10K or 0.5% and up'] });
});

test.each(['supply', 'proposals', 'launches', 'growth', 'premium', 'treasury', 'movements', 'vesting'])(
  'a form of %s that is sent as it was opened changes nothing',
  async (kind) => {
    const bot = await watching();
    const before = read(await bot.slash('alerts', { target: 'tide', kind }));
    const { shown, submit } = await openForm(bot, kind);
    expect(await submit({})).toContain('Already set');
    expect((await openForm(bot, kind)).shown).toEqual(shown);
    expect(read(await bot.slash('alerts', { target: 'tide', kind }))).toBe(before);
  },
);

test('a threshold is added, and those that are there stay', async () => {
  const bot = await watching();
  await bot.slash('alerts', { target: 'tide', action: 'important' });
  const before = await openForm(bot, 'premium');
  const said = await before.submit({ 'Add a threshold': 'below -10' });
  expect(said).toContain('−10%');
  expect(said).toContain('below 0%');
});

test('what is typed in a form and cannot be read is refused in a sentence, and changes nothing', async () => {
  const bot = await watching();
  const before = read(await bot.slash('alerts', { target: 'tide', kind: 'premium' }));
  const { submit } = await openForm(bot, 'premium');
  expect(await submit({ Alerts: 'Off', 'Add a threshold': 'when the moon is full' })).toContain('⚠');
  expect(read(await bot.slash('alerts', { target: 'tide', kind: 'premium' }))).toBe(before);
});

test('switching off needs no other choice', async () => {
  const bot = await watching();
  await (await openForm(bot, 'growth')).submit({ Alerts: 'Off' });
  expect((await openForm(bot, 'growth')).shown).toMatchObject({ Alerts: ['Off'] });
});
