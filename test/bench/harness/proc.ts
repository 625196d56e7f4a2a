/** What Linux says of a process. */
import { readFile } from 'node:fs/promises';

/** `getconf CLK_TCK`, which is 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of CPU time since its start, user and system, all threads. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Seconds in which its main thread could have run, but other programs had the cores. */
export async function secondsWithoutCore(pid: number): Promise<number> {
  const [, waited] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(waited) / 1e9;
}

/** Megabytes of memory: now, and at most since the start. */
export async function memory(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(text)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Bytes that went towards the disk, in whole pages. 0 where the folder is in memory. */
export async function bytesToDisk(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)/mu.exec(text)?.[1]);
}
