/** Ends an exhaustive switch: a new member of the union is a compile error wherever it is not handled. */
export function never(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
