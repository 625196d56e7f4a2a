/** The mark that every engine leaves in its database. */

/** "Navw" in ASCII. */
export const APPLICATION = 0x4e617677;

/** Since 2 large documents are compressed, since 4 check records say what is routed. Raised with any collection's version. */
export const FORMAT = 4;
