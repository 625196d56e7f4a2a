/** Ends an exhaustive switch: a new member of the union does not compile. */
export function never(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
