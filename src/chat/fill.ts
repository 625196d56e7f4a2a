/** A text field that was filled in becomes a command line. */

/** The line of a field with what was typed in the place of `{}`: as one line, without space around it. Pure. */
export const filled = (line: string, typed: string): string => line.replaceAll('{}', () => typed.replace(/\s+/gu, ' ').trim());
