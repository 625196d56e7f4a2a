/** Writes JSON with all digits of exact numbers. */
import { isLosslessNumber, stringify } from 'lossless-json';

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const holdsExact = (value: unknown): boolean =>
  typeof value === 'bigint' || (isNested(value) && (isLosslessNumber(value) || Object.values(value).some(holdsExact)));

export const jsonOf = (body: unknown): string => (holdsExact(body) ? stringify(body) : JSON.stringify(body)) ?? 'null';
