/** Returns a copy without the properties that are undefined: for documents, catalogues and settings whose absent properties count as not chosen. */
export function omitUndefined<T extends object>(value: T): T {
  const copy: T = { ...value };
  for (const name of Object.keys(copy)) if (Reflect.get(copy, name) === undefined) Reflect.deleteProperty(copy, name);
  return copy;
}
