/** Starts `main.ts` in a real process and reads what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundled } from '../../support/child/bundle.js';

const main = await bundled(new URL('./main.ts', import.meta.url));

export interface StoreProcess {
  /** Lines of its standard output, as they come; ends with the process. */
  readonly lines: AsyncIterableIterator<string>;
  kill(): void;
  signal(name: NodeJS.Signals): void;
  readonly pid: number | undefined;
  /** Lets a holder close its store. */
  release(): void;
  /** Resolves when the process is gone. */
  readonly gone: Promise<unknown>;
}

/** Milliseconds: a refusal is soon known. */
const LOCK_WAIT = 100;

/** `uid` runs it as another user, which only root may ask for. */
export function startStore(mode: 'try' | 'hold' | 'write' | 'flood', { url, uid }: { url: string; uid?: number }): StoreProcess {
  const child = spawn(process.execPath, [main, mode, url, String(LOCK_WAIT)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return {
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    kill: () => child.kill('SIGKILL'),
    signal: (name) => child.kill(name),
    pid: child.pid,
    release: () => child.stdin.end(),
    gone: once(child, 'close'),
  };
}

/** Its first line, once it is gone. */
export async function tryStore(at: { url: string; uid?: number }): Promise<string> {
  const child = startStore('try', at);
  const first = await child.lines.next();
  await child.gone;
  return String(first.value);
}
