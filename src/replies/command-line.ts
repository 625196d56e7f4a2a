/** A command as the line of a button. */
export const commandLine = (command: string, ...words: readonly (string | undefined)[]): string =>
  [`/${command}`, ...words.filter((word) => word !== undefined).map(quoted)].join(' ');

const quoted = (word: string): string =>
  /^[^\s"'“”„]+$/u.test(word)
    ? word
    : word
        .split('"')
        .map((part) => `"${part}"`)
        .join(`'"'`);
