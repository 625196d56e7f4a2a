/** Writes lines to a file descriptor and never throws. Lines that cannot be written are dropped and counted. */
import { writeSync } from 'node:fs';

export interface DroppedLines {
  readonly count: number;
  /** The code of the last failure, such as ENOSPC. */
  readonly because: string | undefined;
  readonly failing: boolean;
}

export interface Lines {
  write(line: string): void;
  dropped(): DroppedLines;
}

/** Returns the bytes written; throws errors with a code. */
type Write = (bytes: Uint8Array) => number;

/** How long a write waits for a full pipe. While lines are being dropped it does not wait. */
const FULL_PIPE_MS = 50;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

const block = (milliseconds: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

export function lines(
  fd: number,
  { write = (bytes) => writeSync(fd, bytes), wait = block }: { write?: Write; wait?: typeof block } = {},
): Lines {
  let count = 0;
  let because: string | undefined;
  let failing = false;
  let isTorn = false;

  const put = (bytes: Uint8Array): void => {
    let rest = bytes;
    let isPatient = !failing;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(write(rest));
      } catch (error) {
        if (!isPatient || codeOf(error) !== 'EAGAIN') {
          isTorn ||= rest.length < bytes.length;
          throw error;
        }
        isPatient = false;
        wait(FULL_PIPE_MS);
      }
    }
  };

  return {
    write(line) {
      try {
        put(Buffer.from(isTorn ? `\n${line}` : line));
        isTorn = false;
        failing = false;
      } catch (error) {
        count += 1;
        because = codeOf(error);
        failing = true;
      }
    },
    dropped: () => ({ count, because, failing }),
  };
}
