/** The file of an export: gzip of JSON lines: header, each document as `["prefix/key", "text"]` in key order, trailer. docs/decisions/0029-export-and-import.md */
import { z } from 'zod';

/** Of the file, not of what it holds. */
export const EXPORT_FORMAT = 1;
export const APPLICATION = 'navwatch';

export const headerSchema = z.object({
  application: z.literal(APPLICATION),
  format: z.int().positive(),
  /** Of the documents, as in databases: src/store/format.ts. */
  storeFormat: z.int().positive(),
  /** When the export began. */
  at: z.iso.datetime(),
});
export type ExportHeader = z.infer<typeof headerSchema>;

export const trailerSchema = z.strictObject({
  documents: z.int().min(0),
  /** Of all lines before this one, with their ends. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
});

export const entrySchema = z.tuple([z.string(), z.string()]);

/** Bytes. */
export const MAX_LINE = 64 * 1024 * 1024;

export class BackupError extends Error {
  override readonly name = 'BackupError';
}
