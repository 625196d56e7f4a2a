/** Ends an exhaustive switch, so that a missing case of the union does not compile. */
export function never(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
