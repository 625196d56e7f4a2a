/** Everything that went over the line, parsed, in order. */
import type { Bus } from './bus.js';

export interface RestEntry {
  readonly kind: 'rest';
  /** Unix milliseconds of the clock. */
  readonly at: number;
  readonly method: string;
  /** Below the version: `/channels/1/messages`. Interaction tokens stand in it as they came. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body, `payload_json` of a multipart one; undefined without a body. */
  readonly body: unknown;
  readonly files: readonly { readonly field: string; readonly name: string; readonly size: number }[];
  /** What was answered; 0 when the line was cut or left hanging. */
  readonly status: number;
  readonly answer: unknown;
  /** Discord's code of a refusal. */
  readonly code: number | undefined;
  /** Where the stand-in's own answer breaks the published contract: a bug in the stand-in. */
  readonly breaches: readonly string[];
}

export interface GatewayEntry {
  readonly kind: 'gateway';
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly op: number;
  /** The name of the event, for opcode 0. */
  readonly event: string | undefined;
  readonly data: unknown;
}

export interface Transcript {
  readonly entries: readonly (RestEntry | GatewayEntry)[];
  /** The calls that match, in order: by method and by a piece of the path or a pattern. */
  calls(method?: string, path?: string | RegExp): readonly RestEntry[];
  /** Frames from the server, by the name of the event. */
  events(name?: string): readonly GatewayEntry[];
  /** Resolves with the first call, done or to come, that satisfies the predicate. */
  waitForCall(predicate: (entry: RestEntry) => boolean): Promise<RestEntry>;
  clear(): void;
}

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
