/** Runs a target on changed inputs, keeps those that reach new code, and reports each kind of failure once. */
import { seeded } from '../support/lines.js';
import { noCoverage, type Coverage } from './coverage.js';
import { liveMb, longestStretch, rssMb } from './measure.js';
import { mutated, pick, type Mutation } from './mutate.js';
import { joined, split } from './samples.js';

export interface Target {
  readonly name: string;
  readonly json: boolean;
  readonly inputs: readonly string[];
  /** The first line says what the rest is for, and is not changed. */
  readonly headed?: true;
  readonly words?: readonly string[];
  /** Resolves with the kind of result; rejects when a promise was broken. */
  run(input: string): Promise<string>;
  /** Lets what waits for the test's clock go on. */
  idle?(): Promise<unknown>;
  /** Of state that the input is not to blame for, in megabytes. Default: 32. */
  readonly mayKeepMb?: number;
  close?(): Promise<void>;
}

export interface Failure {
  readonly says: string;
  readonly input: string;
  readonly run: number;
}

export interface Outcome {
  readonly target: string;
  readonly runs: number;
  readonly seconds: number;
  /** Blocks of the product's code that ran; 0 without guidance. */
  readonly blocks: number;
  /** Inputs in the corpus. */
  readonly kept: number;
  readonly results: ReadonlyMap<string, number>;
  /** Milliseconds without a turn of the event loop, and of which input. */
  readonly slowest: { readonly ms: number; readonly input: string };
  /** Megabytes above what the process had before. */
  readonly peakMb: number;
  readonly keptMb: number;
  readonly failures: readonly Failure[];
}

export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  /** Ends it early, in milliseconds. */
  readonly budget?: number;
  readonly coverage?: Coverage;
  /** Milliseconds without a turn of the event loop. Default: the limit of everything in the bot. */
  readonly maxBlock?: number;
  /** Whether what is kept is measured, which collects all garbage. Default: yes. */
  readonly measuresMemory?: boolean;
}

const MAX_BLOCK = 50;
const MEASURED_AGAIN = 4;
/** Coverage is asked after so many runs: it takes longer than most of them. */
const BATCH = 8;
const MAX_CORPUS = 600;
const MAX_FAILURES = 25;
const MAX_PEAK_MB = 700;

/** The same failure of another input, whatever numbers and text it names. */
function kindOf(says: string): string {
  const [message = ''] = says.split('\n');
  const [place = ''] = /\/(?:src|commands)\/[^\s)]+/u.exec(says) ?? [];
  return `${message
    .replaceAll(/\d+/gu, 'N')
    .replaceAll(/["'].*$/gu, '')
    .slice(0, 80)} ${place}`;
}
const saysOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);

/** What escapes from a promise that nobody awaits belongs to the input of the moment. */
function escapes() {
  const caught: unknown[] = [];
  const note = (error: unknown): void => void caught.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  return {
    take: (): readonly unknown[] => caught.splice(0),
    end: () => {
      process.off('unhandledRejection', note);
      process.off('uncaughtException', note);
    },
  };
}

export async function fuzz(
  target: Target,
  { runs, seed, budget = Infinity, coverage = noCoverage, maxBlock = MAX_BLOCK, measuresMemory = true }: FuzzOptions,
): Promise<Outcome> {
  const random = seeded(seed);
  const corpus = [...target.inputs];
  const results = new Map<string, number>();
  const failures = new Map<string, Failure>();
  const escaped = escapes();
  const begun = performance.now();
  const liveNow = (): number => (measuresMemory ? liveMb() : 0);
  const before = { rss: rssMb(), live: liveNow() };
  let slowest = { ms: 0, input: '' };
  let peak = before.rss;
  let batch: string[] = [];
  let run = 0;

  const measured = async (input: string): Promise<number> =>
    longestStretch(
      async () => {
        const result = await target.run(input);
        results.set(result, (results.get(result) ?? 0) + 1);
      },
      target.idle ?? (async () => {}),
    );
  const fail = (says: string, input: string): void => {
    if (!failures.has(kindOf(says)) && failures.size < MAX_FAILURES) failures.set(kindOf(says), { says, input, run });
  };
  const again = async (input: string, first: number): Promise<number> => {
    await coverage.pause();
    let least = first;
    for (let times = 0; times < MEASURED_AGAIN && least > maxBlock / 2; times += 1) least = Math.min(least, await measured(input));
    await coverage.resume();
    return least;
  };
  const attempt = async (input: string): Promise<void> => {
    try {
      let ms = await measured(input);
      if (ms > maxBlock) ms = await again(input, ms);
      if (ms > slowest.ms) slowest = { ms, input };
      if (ms > maxBlock) fail(`it blocks the event loop for ${ms.toFixed(0)} ms`, input);
    } catch (error) {
      fail(saysOf(error), input);
    }
    for (const error of escaped.take()) fail(`escaped: ${saysOf(error)}`, input);
    for (const name of Object.keys(Object.prototype)) {
      fail(`the prototype of all objects has ${name}`, input);
      Reflect.deleteProperty(Object.prototype, name);
    }
    peak = Math.max(peak, rssMb());
  };

  const changed = (base: string, mutation: Mutation): string => {
    if (target.headed !== true) return mutated(base, mutation);
    const { head, body } = split(base);
    return joined(head, mutated(body, mutation));
  };

  try {
    for (; run < runs && performance.now() - begun < budget; run += 1) {
      // The inputs themselves come first, so that what they reach is known.
      const base = run < target.inputs.length ? undefined : (pick(random, corpus) ?? '');
      const input =
        base === undefined ? (target.inputs[run] ?? '') : changed(base, { random, json: target.json, corpus, words: target.words ?? [] });
      await attempt(input);
      if (base !== undefined) batch.push(input);
      if ((run + 1) % BATCH !== 0) continue;
      // Which of the batch it was is not known; all of them are good beginnings.
      if (await coverage.grew()) corpus.push(...batch.filter(({ length }) => length < 100_000));
      batch = [];
      while (corpus.length > MAX_CORPUS)
        corpus.splice(target.inputs.length + Math.floor(random() * (corpus.length - target.inputs.length)), 1);
    }
    const keptMb = liveNow() - before.live;
    if (keptMb > (target.mayKeepMb ?? 32)) fail(`${keptMb.toFixed(0)} MB are kept after ${run} inputs`, '');
    if (peak - before.rss > MAX_PEAK_MB) fail(`the process grew by ${(peak - before.rss).toFixed(0)} MB`, '');
    const seconds = (performance.now() - begun) / 1_000;
    const memory = { peakMb: peak - before.rss, keptMb };
    return {
      target: target.name,
      runs: run,
      seconds,
      blocks: coverage.count(),
      kept: corpus.length,
      results,
      slowest,
      ...memory,
      failures: [...failures.values()],
    };
  } finally {
    escaped.end();
  }
}
