import type { ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** Writes the sentence and ends the process with 2. */
export function refuse(sentence: string): never;
/** `numbers`: the least of each; it may have decimals if that one has. Ends the process with 2 on any other. */
export function optionsOf<const T extends Options>(options: T, numbers: { readonly [name in keyof T]?: number }): Values<T>;
