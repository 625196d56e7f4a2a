/** Turns a filled-in text field into a command line. */

/** Replaces `{}` with the text on one line, trimmed. Pure. */
export const filled = (line: string, typed: string): string => line.replaceAll('{}', () => typed.replace(/\s+/gu, ' ').trim());
