/** How often properties are tried, and how many of many cases. */

/** Fewer would leave a property with hardly a chance to fail. */
const MIN_RUNS = 10;
/** A tenth by hand; `.ci/run` sets 1, and a larger number searches longer. */
const scale = Number(process.env['PROPERTY_SCALE'] ?? 0.1);

/** The number of runs for a property that deserves `full` of them; `least` where fewer would not show what it must have met. */
export const runs = (full: number, least = MIN_RUNS): number => Math.max(Math.min(full, least), Math.round(full * scale));

/** As many of `all` as a property that deserves so many runs makes: the first, the last and, evenly between them, some of the others. */
export function spread<T>(all: readonly T[]): readonly T[] {
  const count = runs(all.length);
  if (count >= all.length) return all;
  return Array.from({ length: count }, (_, index) => Math.round((index * (all.length - 1)) / (count - 1))).flatMap((at) =>
    all.slice(at, at + 1),
  );
}

const text = process.env['PROPERTY_SEED'];
/** Repeats the runs of a failure. */
export const seed = text === undefined ? undefined : Number(text);
