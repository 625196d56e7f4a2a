/** Renames fields of stored documents, for a collection's `upgrade`. */
import { z } from 'zod';

const documentSchema = z.record(z.string(), z.unknown());

/** Throws if the document is no object. */
export function renameFields(document: unknown, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(documentSchema.parse(document)).map(([name, value]) => [names.get(name) ?? name, value]));
}
