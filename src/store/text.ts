/** Makes Keyv store our texts as they are, without its own wrapping. */
import type { DeserializedData, KeyvOptions } from 'keyv';

function unwrapped<Value>(data: DeserializedData<Value>): string {
  if (typeof data.value !== 'string') throw new TypeError('only texts are stored');
  return data.value;
}

// Keyv's type requires the overload; the value is always text.
function wrapped<Value>(text: string): DeserializedData<Value>;
function wrapped(text: string): DeserializedData<string> {
  return { value: text };
}

/** Else a failing `get` would be an absent document. */
export const plainTexts = {
  throwOnErrors: true,
  useKeyPrefix: false,
  serialize: unwrapped,
  deserialize: wrapped,
} satisfies KeyvOptions;
