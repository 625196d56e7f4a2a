/** Describes what a reply was made of, without the service's address or any key. */
import { z } from 'zod';
import { instantSchema } from '../domain/scalars.js';

/** Characters. */
export const MAX_LINE_KEPT = 512;
const MAX_PATH = 512;
const MAX_NAME = 80;

/** A call, or an event or earlier check that the reply explains. */
const recordSchema = z.object({
  /** `GET /v1/dao/premium?slug=tide`, with its input. */
  what: z.string().max(MAX_PATH),
  /** The id is that of the endpoint table, and absent for an event. */
  id: z.string().optional(),
  /** This names the section of the interface. */
  section: z.string().optional(),
  /** When the response arrived, or the event was detected. */
  at: instantSchema,
  /** This is when the service dates the data. */
  dataAt: instantSchema.optional(),
  stale: z.boolean().optional(),
  /** The rows of a list that was read page by page. */
  rows: z.int().optional(),
});
export type SourceRecord = z.infer<typeof recordSchema>;

const inputSchema = z.object({
  /** The value is exact. */
  value: z.string(),
  name: z.string().max(MAX_NAME),
  /** This is what the service sent and how it became the value: `150 bps / 100`. */
  conversion: z.string().optional(),
  /** This is an index of `records`, absent for a sum of many. */
  record: z.int().optional(),
});
export type FigureInput = z.infer<typeof inputSchema>;

const figureSchema = z.object({
  /** The label says where it is in the reply. */
  label: z.string().max(MAX_NAME),
  /** As shown, rounded. */
  text: z.string(),
  value: z.string(),
  /** It is absent for a value of the service. */
  formula: z.string().optional(),
  inputs: z.array(inputSchema).readonly(),
});
export type SourceFigure = z.infer<typeof figureSchema>;

export const snapshotSchema = z.object({
  at: instantSchema,
  /** Asks again; absent for a very long one. */
  line: z.string().max(MAX_LINE_KEPT).optional(),
  /** This is a hash, absent where everyone in the chat may read it. */
  person: z.string().optional(),
  records: z.array(recordSchema).readonly(),
  figures: z.array(figureSchema).readonly(),
  /** Figures left out. */
  more: z.int().default(0),
});
export type SourcesSnapshot = z.infer<typeof snapshotSchema>;

export const cutName = (name: string): string => (name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`);
export const cutPath = (path: string): string => (path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH - 1)}…`);
