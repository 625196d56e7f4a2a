/** Renames fields of stored documents when a collection brings them to its version. */
import { z } from 'zod';

const documentSchema = z.record(z.string(), z.unknown());

/** A stored object with fields renamed, not those of objects inside it: what an upgrade of a collection mostly does. Throws on anything else. Pure. */
export function renameFields(document: unknown, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(documentSchema.parse(document)).map(([name, value]) => [names.get(name) ?? name, value]));
}
