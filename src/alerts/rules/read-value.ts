/** Parses a rule's value: number, scale, unit. Pure. */
import { brief } from '../../base/one-line.js';
import { isZero, multiply } from '../../domain/decimal.js';
import type { Unit } from '../../domain/measures.js';
import type { Quantity } from '../../domain/threshold-rule.js';
import { decimal, type Decimal } from '../../domain/scalars.js';

const SIGN = '[-−+]?';
const COIN = String.raw`(?:[$€£¥]\s*)?`;
const SCALE = String.raw`(?:k|mn?|bn?|tn?|\s?(?:thousand|million|billion|trillion))`;
const ALONE = String.raw`(?!\s*(?:[:=<>≥≤]|at\b|over\b|above\b|\$?\d))`;
const UNIT = String.raw`(?:%|(?:percent|usdc?)${ALONE}|dollars?|points?|pts?|months?|mo|days?|d|weeks?|w|years?|y|hours?|h|places?)`;

export const VALUE = String.raw`(${SIGN}\s*${COIN}\d+(?:[.,]\d+)*${SCALE}?\s*${UNIT}?(?![\p{L}\d.])|[^\s,;()]*)`;
export const SIZE = String.raw`(\$\s*\d+(?:[.,]\d+)*${SCALE}?(?![\p{L}\d.])|\d+(?:[.,]\d+)*${SCALE}?\s*(?:%|(?:percent|usdc?)${ALONE}|dollars?)(?![\p{L}\d.]))`;

const NUMBER = new RegExp(String.raw`^(${SIGN})\s*(${COIN})(\d+(?:[.,]\d+)*)(${SCALE}?)\s*(${UNIT}?)$`, 'iu');
const EXACT = /^(?:\d{1,18}|\d{1,3}(?:,\d{3}){1,5})(?:\.\d{1,18})?$/u;
/** Ambiguous: in many countries "1.000" is a thousand. */
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/u;

const SCALES: Readonly<Record<string, Decimal>> = {
  '': decimal(1),
  k: decimal('1e3'),
  m: decimal('1e6'),
  b: decimal('1e9'),
  t: decimal('1e12'),
};

const UNITS: readonly (readonly [RegExp, Unit | 'weeks' | 'years' | 'hours'])[] = [
  [/^(?:\$|usd|dollar)/iu, '$'],
  [/^(?:%|percent)/iu, '%'],
  [/^p(?:oin)?t/iu, 'points'],
  [/^mo/iu, 'months'],
  [/^d/iu, 'days'],
  [/^place/iu, 'places'],
  [/^w/iu, 'weeks'],
  [/^y/iu, 'years'],
  [/^h/iu, 'hours'],
];
const called = (unit: string): string => (unit === '$' ? 'US dollars' : unit === '%' ? 'percent' : unit);

/** `says`: the expected unit and `example`. */
export type ReadValue = { readonly value: Decimal } | { readonly says: string };

/** Does not check the range. */
export function readValue(text: string, quantity: Quantity, example: string): ReadValue {
  const asIn = `Write it as in "${example}".`;
  const { what, unit } = quantity;
  const counted = unit === '' ? `${what} has no unit` : `${what} is counted in ${called(unit)}`;
  if (text.trim() === '') return { says: `Say how much. ${counted}, as in "${example}".` };
  const [, sign = '', coin = '', digits, letters = '', behind = ''] = NUMBER.exec(text.trim()) ?? [];
  if (digits === undefined) return { says: `"${brief(text.trim())}" isn't a number. ${counted}. ${asIn}` };
  const odd = [coin.trim(), behind].find((written) => written !== '' && !fits(written, unit));
  if (odd !== undefined) return { says: `${counted}, not in ${nameOf(odd)}. ${asIn}`.replace('unit, not in', 'unit such as') };
  if (isTwofold(digits, { unit, letters })) return { says: `"${brief(digits)}" can be read in two ways. ${plainly(digits)}` };
  const scale = letters.trim().toLowerCase();
  const by = SCALES[scale === 'thousand' ? 'k' : scale.charAt(0)];
  if (by === undefined || !EXACT.test(digits)) return { says: `"${brief(digits)}" isn't a number. ${asIn}` };
  const size = multiply(decimal(digits.replaceAll(',', '')), by);
  return { value: isZero(size) || sign === '' || sign === '+' ? size : decimal(`-${size}`) };
}

const unitOf = (written: string) => UNITS.find(([form]) => form.test(written))?.[1];

const fits = (written: string, unit: Unit): boolean => unitOf(written) === unit || (unit === 'points' && unitOf(written) === '%');

const nameOf = (written: string): string => called(unitOf(written) ?? written);

function isTwofold(digits: string, { unit, letters }: { unit: Unit; letters: string }): boolean {
  if (!EXACT.test(digits)) return /^\d+(?:\.\d{3})*,\d{1,2}$|^\d{1,3}(?:\.\d{3}){2,}$/u.test(digits);
  return letters === '' && THOUSANDS.test(digits) && (unit === '$' || digits.endsWith('0'));
}

function plainly(digits: string): string {
  const whole = digits.replace(/,\d{1,2}$/u, '').replaceAll(/[.,]/gu, '');
  if (/^\d+,\d{1,2}$/u.test(digits)) return `Write ${digits.replace(',', '.')} with a point.`;
  return `Write ${whole} or ${whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')}.`;
}
