/** It turns a filled-in text field into a command line. */

export const filled = (line: string, typed: string): string => line.replaceAll('{}', () => typed.replace(/\s+/gu, ' ').trim());
