/** The mark that every engine leaves in its database. */

/** "Navw" in ASCII. */
export const APPLICATION = 0x4e617677;

/** Independent of the documents' versions. Since 2 large documents are compressed. */
export const FORMAT = 2;
