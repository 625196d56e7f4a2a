/** What a store's documents look like as a whole. */

/** Raised with the version of any collection, and where documents move: test/repository/layout.test.ts. */
export const LAYOUT = 3;
