/** `/premium` through Telegram with everything known already: without a picture, and with one that was drawn before; beside a bare bot. */
import { startChild } from '../harness/child.js';
import { quantile, type Figure } from '../harness/figure.js';
import { NO_LIMIT, TELEGRAM_TOKEN, startTelegram, withScene, type Telegram } from '../harness/scene.js';
import type { Scale } from './row.js';

const ASKS = 200;
const WARM_UP = 30;
/** Each question comes from a chat of its own, because a chat takes a message a second. */
const FIRST_CHAT = 500_001;
/** Milliseconds that the goals allow beyond the bare bot, and a picture beyond the text. */
const ALLOWED = { p50: 5, p99: 10, picture: 20 } as const;

interface Asked {
  /** Milliseconds of CPU time for a question. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

export async function premium({ quick, repetitions }: Scale): Promise<readonly Figure[]> {
  const runs: { readonly text: Asked; readonly picture: Asked; readonly bare: Asked }[] = [];
  for (let round = 0; round < repetitions; round += 1)
    runs.push({ ...(await ofBot(quick ? 100 : ASKS)), bare: await ofBare(quick ? 100 : ASKS) });
  const values = (kind: 'text' | 'picture' | 'bare', of: keyof Asked): readonly number[] => runs.map((run) => run[kind][of]);
  const middle = (of: readonly number[]): number => quantile(of, 0.5) ?? 0;
  const figure = (kind: 'text' | 'picture', of: keyof Asked, goal: number): Figure => ({
    figure: `/premium ${kind === 'text' ? 'without a picture' : 'with a picture drawn before'}: ${of === 'cpu' ? 'CPU' : of}`,
    ...{ unit: 'ms', values: values(kind, of), goal, peers: { 'bare grammY bot': values('bare', of) } },
  });
  return [
    figure('text', 'cpu', 5),
    figure('text', 'p50', middle(values('bare', 'p50')) + ALLOWED.p50),
    figure('text', 'p99', middle(values('bare', 'p99')) + ALLOWED.p99),
    figure('picture', 'p50', middle(values('text', 'p50')) + ALLOWED.picture),
  ];
}

const ofBot = async (asks: number): Promise<{ readonly text: Asked; readonly picture: Asked }> =>
  // Nothing is checked in between.
  withScene({ env: { ...NO_LIMIT, POLL_MIN_SECONDS: '3600' } }, async ({ telegram, start }) => {
    const bot = await start();
    await telegram.polled();
    await bot.calm();
    const cpu = async (): Promise<number> => (await bot.usage()).cpu;
    // Past figures come without a picture.
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const text = await asked(telegram, { text: `/premium tide at:${day}`, cpu, asks, from: FIRST_CHAT });
    const picture = await asked(telegram, { text: '/premium tide', picture: true, cpu, asks, from: FIRST_CHAT + 1_000 });
    return { text, picture };
  });

async function ofBare(asks: number): Promise<Asked> {
  const telegram = await startTelegram();
  const bare = await startChild('bare', [telegram.url, TELEGRAM_TOKEN]);
  try {
    return await asked(telegram, { text: '/premium tide', cpu: async () => bare.call<number>('cpu'), asks, from: FIRST_CHAT });
  } finally {
    await bare.stop();
    await telegram.stop();
  }
}

async function asked(
  telegram: Telegram,
  how: {
    readonly text: string;
    readonly picture?: boolean;
    readonly cpu: () => Promise<number>;
    readonly asks: number;
    readonly from: number;
  },
): Promise<Asked> {
  const { text, picture = false, cpu, asks, from } = how;
  const ask = async (chat: number): Promise<number> => {
    const answered = await telegram.ask({ chat, text, picture });
    const time = picture ? answered?.picture : answered?.text;
    if (time === undefined) throw new Error(`bench: ${text} was not answered${picture ? ' with a picture' : ''}`);
    return time;
  };
  for (let warm = 0; warm < WARM_UP; warm += 1) await ask(from + warm);
  const before = await cpu();
  const times: number[] = [];
  for (let index = 0; index < asks; index += 1) times.push(await ask(from + WARM_UP + index));
  return { cpu: (((await cpu()) - before) * 1_000) / asks, p50: quantile(times, 0.5)!, p99: quantile(times, 0.99)! };
}
