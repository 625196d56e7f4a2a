/** Writes a command as people type it. Words with spaces or quotes are quoted. */
export const commandLine = (command: string, ...words: readonly (string | undefined)[]): string =>
  [`/${command}`, ...words.filter((word) => word !== undefined).map(quoted)].join(' ');

const quoted = (word: string): string =>
  /^[^\s"'“”„]+$/u.test(word)
    ? word
    : word
        .split('"')
        .map((part) => `"${part}"`)
        .join(`'"'`);

/** Turns a filled-in text field into a command line. */

export const filled = (line: string, typed: string): string => line.replaceAll('{}', () => typed.replace(/\s+/gu, ' ').trim());
