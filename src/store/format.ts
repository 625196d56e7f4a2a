/** The mark that every engine leaves in its database. */

/** The number is "Navw" in ASCII. */
export const APPLICATION = 0x4e617677;

/** It is raised with any collection's version. A database of a newer format is refused. */
export const FORMAT = 1;
