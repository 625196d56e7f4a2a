/**
 * How Keyv is told to leave our texts alone. A document is already text when it reaches Keyv; Keyv's own wrapping (`{"value": ...}`)
 * would encode it a second time, and a range query past Keyv would have to undo that.
 */
import type { DeserializedData, KeyvOptions } from 'keyv';

function unwrapped<Value>(data: DeserializedData<Value>): string {
  if (typeof data.value !== 'string') throw new TypeError('only texts are stored');
  return data.value;
}

// The overload is what Keyv's type asks for; the body is what happens: the value is the text itself.
function wrapped<Value>(text: string): DeserializedData<Value>;
function wrapped(text: string): DeserializedData<string> {
  return { value: text };
}

/** Options of every Keyv here. Without `throwOnErrors` a failing `get` would look like an absent document; keys stand as they are. */
export const plainTexts = {
  throwOnErrors: true,
  useKeyPrefix: false,
  serialize: unwrapped,
  deserialize: wrapped,
} satisfies KeyvOptions;
