/** The text of an answer, in which every number keeps the digits it was given. */
import { isLosslessNumber, stringify } from 'lossless-json';

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether anything in it is a number that JSON.stringify would not write as it stands. */
const holdsExact = (value: unknown): boolean =>
  typeof value === 'bigint' || (isNested(value) && (isLosslessNumber(value) || Object.values(value).some(holdsExact)));

/** Most answers are plain, and the runtime writes those much faster. */
export const jsonOf = (body: unknown): string => (holdsExact(body) ? stringify(body) : JSON.stringify(body)) ?? 'null';
