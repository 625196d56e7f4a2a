/** Which blocks of the product's code have run, by V8's own counters. https://chromedevtools.github.io/devtools-protocol/tot/Profiler */
import { Session } from 'node:inspector';
import { z } from 'zod';

export interface Coverage {
  /** Whether code has run since the last call that had not run before. Takes about 10 ms. */
  grew(): Promise<boolean>;
  /** Functions and blocks that have run. */
  count(): number;
  /** While it is paused, code runs at its usual speed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** For runs without guidance. */
export const noCoverage: Coverage = {
  grew: async () => false,
  count: () => 0,
  pause: async () => {},
  resume: async () => {},
  close: async () => {},
};

const OURS = /\/(?:src|commands)\//u;
const takenSchema = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ ranges: z.array(z.object({ startOffset: z.int(), endOffset: z.int(), count: z.int() })) })),
    }),
  ),
});

export async function openCoverage(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  const post = async (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      session.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  const start = async () => post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  await post('Profiler.enable');
  await start();
  const seen = new Set<string>();
  return {
    async grew() {
      const before = seen.size;
      const { result } = takenSchema.parse(await post('Profiler.takePreciseCoverage'));
      for (const { url, functions } of result.filter((script) => OURS.test(script.url)))
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges) if (count > 0) seen.add(`${url}:${startOffset}-${endOffset}`);
      return seen.size > before;
    },
    count: () => seen.size,
    pause: async () => void (await post('Profiler.stopPreciseCoverage')),
    resume: async () => void (await start()),
    async close() {
      await post('Profiler.disable');
      session.disconnect();
    },
  };
}
