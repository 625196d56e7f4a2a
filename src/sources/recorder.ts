/** Records what a question asks and computes. */
import type { Analytics, Answer } from '../analytics/analytics.js';
import { addressOf, type Row } from '../analytics/endpoint-row.js';
import { newCalculationLog, recordingQuestion, type CalculationLog } from '../domain/calculations.js';
import { cutPath, type SourceRecord } from './snapshot.js';

export interface RecordedData {
  readonly record: SourceRecord;
  /** The data are those that were parsed. */
  readonly data: unknown;
}

/** A command makes far fewer. */
const MAX_RECORDS = 40;

export interface Recorder {
  readonly log: CalculationLog;
  /** What was recorded, in the order in which it was begun. */
  records(): readonly RecordedData[];
  /** The latest with the same `what` counts. */
  add(recorded: RecordedData): void;
  /** The service, with its calls recorded. */
  analytics(of: Analytics): Analytics;
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function openRecorder(): Recorder {
  const log = newCalculationLog();
  const records = new Map<string, { readonly place: number; readonly recorded: RecordedData }>();
  let places = 0;
  const next = (): number => (places += 1);
  const put = (recorded: RecordedData, place: number): void => {
    const { what } = recorded.record;
    if (records.has(what) || records.size < MAX_RECORDS) records.set(what, { place, recorded });
  };

  return {
    log,
    records: () => [...records.values()].toSorted((a, b) => a.place - b.place).map(({ recorded }) => recorded),
    add: (recorded) => put(recorded, next()),
    analytics: (of) => ({
      ...of,
      async call(row, input, options) {
        const place = next();
        const answer = await of.call(row, input, options);
        put(recordedOf(row, input, answer), place);
        return answer;
      },
      // An answer that was read before is the source of the figures that are shown of it.
      async kept(row, input) {
        const place = next();
        const answer = await of.kept(row, input);
        if (answer === undefined) return undefined;
        const recorded = recordedOf(row, input, answer);
        if (!records.has(recorded.record.what)) put(recorded, place);
        return answer;
      },
      async walk(row, input, identify, options) {
        const place = next();
        const walk = await of.walk(row, input, identify, options);
        const { at, dataAt, stale, rows } = walk;
        const record = { ...operation(row, input), at, dataAt, rows: rows.length, ...(stale === undefined ? {} : { stale: true }) };
        put({ record, data: { rows } }, place);
        return walk;
      },
    }),
    run: async (work) => recordingQuestion(log, work),
  };
}

const recordedOf = (row: Row, input: Input, { at, dataAt, stale, data, meta }: Answer<unknown>): RecordedData => ({
  record: { ...operation(row, input), at, dataAt, ...(stale === undefined ? {} : { stale: true }) },
  data: { data, meta },
});

type Input = Readonly<Record<string, unknown>>;

const operation = (row: Row, input: Input): Pick<SourceRecord, 'what' | 'id' | 'section'> => ({
  what: cutPath(`${row.method} ${addressOf(row, input)?.path ?? row.path}`),
  id: row.id,
  section: row.spec,
});
