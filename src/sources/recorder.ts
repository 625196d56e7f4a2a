/** This module records the requests and calculations of a question. */
import { z } from 'zod';
import type { Analytics, Answer } from '../analytics/analytics.js';
import { addressOf, type Row } from '../analytics/endpoint-row.js';
import { newCalculationLog, recordingQuestion, type CalculationLog } from '../domain/calculations.js';
import { instantSchema } from '../domain/scalars.js';

/** The value is in characters. */
export const MAX_LINE_KEPT = 512;
const MAX_PATH = 512;
const MAX_NAME = 80;

/** A call, or an event or earlier check that the reply explains. */
const recordSchema = z.object({
  /** The request with its input, such as `GET /v1/dao/premium?slug=tide`. */
  what: z.string().max(MAX_PATH),
  /** The id in the endpoint table; absent for an event. */
  id: z.string().optional(),
  /** The section of the interface's documentation. */
  section: z.string().optional(),
  /** When the response arrived, or the event was detected. */
  at: instantSchema,
  /** When the data is from, according to the service. */
  dataAt: instantSchema.optional(),
  stale: z.boolean().optional(),
  /** Number of rows, for a list that was read page by page. */
  rows: z.int().optional(),
});
export type SourceRecord = z.infer<typeof recordSchema>;

const inputSchema = z.object({
  /** The exact value. */
  value: z.string(),
  name: z.string().max(MAX_NAME),
  /** What the service sent and how it was converted: `150 bps / 100`. */
  conversion: z.string().optional(),
  /** An index in `records`; absent for a sum of many values. */
  record: z.int().optional(),
});
export type FigureInput = z.infer<typeof inputSchema>;

const figureSchema = z.object({
  /** Where the figure is in the reply. */
  label: z.string().max(MAX_NAME),
  /** The rounded text in the reply. */
  text: z.string(),
  value: z.string(),
  /** Absent for a value of the service. */
  formula: z.string().optional(),
  inputs: z.array(inputSchema).readonly(),
});
export type SourceFigure = z.infer<typeof figureSchema>;

export const snapshotSchema = z.object({
  at: instantSchema,
  /** The command line of the question; absent if it is very long. */
  line: z.string().max(MAX_LINE_KEPT).optional(),
  /** A hash of the person; absent if everyone in the chat may read the sources. */
  person: z.string().optional(),
  records: z.array(recordSchema).readonly(),
  figures: z.array(figureSchema).readonly(),
  /** Number of figures that were left out. */
  more: z.int().default(0),
});
export type SourcesSnapshot = z.infer<typeof snapshotSchema>;

export const cutName = (name: string): string => (name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`);
const cutPath = (path: string): string => (path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH - 1)}…`);

export interface RecordedData {
  readonly record: SourceRecord;
  /** The parsed data. */
  readonly data: unknown;
}

/** A limit in case of a fault; a command makes far fewer requests. */
const MAX_RECORDS = 40;

export interface Recorder {
  readonly log: CalculationLog;
  /** Returns what was recorded, in the order in which requests began. */
  records(): readonly RecordedData[];
  /** Adds a record. It replaces one with the same `what`. */
  add(recorded: RecordedData): void;
  /** Returns the service with its calls recorded. */
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
      // Cached answers are sources too, because the reply shows values from them.
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
