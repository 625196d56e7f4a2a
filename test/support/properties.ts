/** How often properties are tried. */

/** Fewer would leave a property with hardly a chance to fail. */
const MIN_RUNS = 20;
/** A fifth by hand; `.ci/run` sets 1, and a larger number searches longer. */
const scale = Number(process.env['PROPERTY_SCALE'] ?? 0.2);

/** The number of runs for a property that deserves `full` of them. */
export const runs = (full: number): number => Math.max(Math.min(full, MIN_RUNS), Math.round(full * scale));

const text = process.env['PROPERTY_SEED'];
/** Repeats the runs of a failure. */
export const seed = text === undefined ? undefined : Number(text);
