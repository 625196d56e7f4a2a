/** Parameters by name, read as leniently as the platform reads them: digits are a number, anything else is 0. */
import type { Fields, Upload } from './body.js';
import { badRequest } from './refusal.js';

export interface Params {
  /** Empty when absent. */
  text(name: string): string;
  has(name: string): boolean;
  /** 0 when absent or no number; limited where the platform limits. */
  integer(name: string, range?: { readonly least: number; readonly most: number; readonly otherwise: number }): number;
  flag(name: string): boolean;
  /** Undefined when absent; throws 400 with these words when it is no JSON. */
  json(name: string, complaint: string): unknown;
  file(part: string): Upload | undefined;
  /** For the transcript: decoded, files as their name, type and size. */
  readonly shown: Readonly<Record<string, unknown>>;
}

export function readParams({ values, files }: Fields): Params {
  const text = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? '') : '');
  return {
    text,
    has: (name) => text(name) !== '',
    integer(name, range) {
      const value = Number.parseInt(text(name), 10);
      if (!range) return Number.isNaN(value) ? 0 : value;
      return Number.isNaN(value) ? range.otherwise : Math.min(range.most, Math.max(range.least, value));
    },
    flag: (name) => ['true', 'yes', '1'].includes(text(name).toLowerCase()),
    json(name, complaint) {
      if (text(name) === '') return undefined;
      try {
        return JSON.parse(text(name));
      } catch {
        throw badRequest(complaint);
      }
    },
    file: (part) => files.get(part),
    shown: {
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decoded(name, value)])),
      ...Object.fromEntries([...files].map(([part, { name, mime, bytes }]) => [part, { name, mime, size: bytes.length }])),
    },
  };
}

/** Parameters that stay text even when they look like a number or like JSON. */
const ALWAYS_TEXT = new Set(['text', 'caption', 'callback_query_id', 'file_id', 'parse_mode', 'url']);

function decoded(name: string, value: string): unknown {
  if (ALWAYS_TEXT.has(name)) return value;
  if (/^-?[0-9]{1,15}$/.test(value)) return Number(value);
  if (value === 'true' || value === 'false') return value === 'true';
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
