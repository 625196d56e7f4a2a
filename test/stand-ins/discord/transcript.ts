/** Everything that went over the line, parsed, in order. */
import type { Bus } from './bus.js';
import type { GatewayEntry, RestEntry, Transcript } from './types.js';

export interface Recorder extends Transcript {
  record(entry: RestEntry | GatewayEntry): void;
}

export function openTranscript(bus: Bus): Recorder {
  const entries: (RestEntry | GatewayEntry)[] = [];
  const calls = (method?: string, path?: string | RegExp): readonly RestEntry[] =>
    entries
      .filter((entry) => entry.kind === 'rest')
      .filter((entry) => (method === undefined || entry.method === method) && fits(entry.path, path));
  return {
    entries,
    calls,
    events: (name) =>
      entries
        .filter((entry) => entry.kind === 'gateway')
        .filter(({ from, op, event }) => from === 'server' && op === 0 && (name === undefined || event === name)),
    waitForCall: async (predicate) => bus.waitFor(() => calls().find(predicate)),
    clear: () => void entries.splice(0),
    record(entry) {
      entries.push(entry);
      bus.happened();
    },
  };
}

/** Whether a path has a piece, or a pattern. Everything fits what is not said. */
export function fits(path: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? path.includes(wanted) : wanted.test(path);
}
