/** A start with many chats: until the first question is answered, until alerts go out, memory, and what it costs while nothing happens. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from '../../../src/alerts/watchlist/entry.js';
import { table, type Figure } from '../harness/figure.js';
import { cpuSeconds } from '../harness/proc.js';
import { OPERATOR, project, withScene } from '../harness/scene.js';
import type { Scale } from './row.js';

const GOALS = {
  100: { memory: 150, cpu: 1 },
  1_000: { memory: 150, cpu: 1 },
  10_000: { memory: 200, cpu: 2 },
  100_000: { memory: 500, cpu: 5 },
} as const;
const ANSWERED = 2;
const ALERTED = 10;
const PATIENCE = 180_000;
/** The first checks of every entry come before it is idle: 3 ms of CPU for each chat, with room for a busy machine. */
const firstChecks = (chats: number): number => Math.max(180_000, chats * 9);
const DEFERRED = 65_000;

/** Everything that the world has for an entry, without its wallets: each of those is checked and refreshed by itself. */
const entries = (projects: readonly string[]): readonly Target[] => [...projects.map(project), { kind: 'all' }, { kind: 'launches' }];

const SIZES = [100, 1_000, 10_000, 100_000] as const;

export async function starts({ quick, chats: only, say }: Scale): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const sizes = SIZES.filter((size) => (only === undefined ? !quick || size === 1_000 : size === only));
  if (sizes.length === 0) throw new Error(`bench: --chats is one of ${SIZES.join(', ')}`);
  for (const chats of sizes) {
    const run = await measured(chats, quick ? 15 : 60);
    const what = `${chats.toLocaleString('en')} chats of ${run.entries} entries`;
    const figure = (of: string, unit: string): Pick<Figure, 'figure' | 'unit' | 'curve'> => ({
      ...{ figure: `${what}: ${of}`, unit, curve: { of, at: chats } },
    });
    const own: readonly Figure[] = [
      { ...figure('start until an answer', 's'), values: run.answered, goal: ANSWERED },
      { figure: `${what}: start until an answer, CPU`, unit: 's', values: run.answeredCpu },
      { ...figure('start until an alert', 's'), values: run.alerted, goal: ALERTED },
      { figure: `${what}: start until an alert, CPU`, unit: 's', values: run.alertedCpu },
      { ...figure('memory', 'MB'), values: [run.memory], goal: GOALS[chats].memory },
      { ...figure('idle, of a core', '%'), values: run.cpu, goal: GOALS[chats].cpu, ...run.note },
    ];
    say(table(own));
    figures.push(...own);
  }
  return figures;
}

const measured = async (chats: number, seconds: number) =>
  withScene({ chats, targets: entries, env: { POLL_MIN_SECONDS: '60' } }, async ({ telegram, projects, start, mint }) => {
    const first = await start();
    await telegram.polled();
    // What first checks deferred is written within a minute; until then the bot may rest.
    const isCalm = (await first.calm(firstChecks(chats))) && (await wait(DEFERRED, true)) && (await first.calm());
    const before = await first.usage();
    await wait(seconds * 1_000);
    const idle = (((await first.usage()).cpu - before.cpu) / seconds) * 100;
    const memory = (await first.memory()).now;
    await first.stop();

    await mint();
    await telegram.reset();
    const answering = telegram.ask({ chat: OPERATOR, text: '/help' });
    // Checks are due at once, so that the time is that of the start and not of the plan.
    const { begun, pid } = await start({ ready: false, env: { POLL_MIN_SECONDS: '1' } });
    const answered = await answering;
    // On a machine that does other work, too, only this can be compared.
    const answeredCpu = await cpuSeconds(pid);
    // The answer is the message of one chat, the first alert that of another.
    const isAlerted = await telegram.reached(2, PATIENCE);
    const alerted = (performance.now() - begun) / 1_000;
    const alertedCpu = await cpuSeconds(pid);
    return {
      ...{ entries: entries(projects).length, memory, cpu: isCalm ? [idle] : [] },
      note: isCalm ? {} : { note: `the first checks were not done after ${firstChecks(chats) / 1_000} s` },
      answered: answered === undefined ? [] : [answered.text / 1_000],
      answeredCpu: answered === undefined ? [] : [answeredCpu],
      alerted: isAlerted ? [alerted] : [],
      alertedCpu: isAlerted ? [alertedCpu] : [],
    };
  });
