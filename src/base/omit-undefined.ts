/** The type of an object without its undefined fields. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Copies an object without its undefined fields, as types under `exactOptionalPropertyTypes` require. */
export function omitUndefined<const T extends object>(fields: T): Defined<T>;
export function omitUndefined(fields: object): object {
  const defined: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) defined[name] = value;
  return defined;
}
