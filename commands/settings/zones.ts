/** Parses timezones: cities, countries, IANA names, abbreviations, offsets. */
import { DateTime } from 'luxon';
import { brief } from '../../src/base/one-line.js';
import { nearestWord } from '../../src/base/edit-distance.js';
import { nearest } from '../../src/reply/index.js';
import { CITY_ZONES, countryNames, countryZones, plainName } from './places.js';

/** `note` says how an ambiguous name was understood. `near` has the best match first. */
export type ReadZone = { readonly zone: string; readonly note?: string } | { readonly says: string; readonly near: readonly string[] };

const MAX_LENGTH = 100;
const MAX_OFFERED = 7;

/** Reads `berlin`, `São Paulo`, `Spain`, `Europe/Berlin`, `CET`, `UTC`, `UTC+2` and `+02:00`. */
export function readZone(text: string): ReadZone {
  if (text.length > MAX_LENGTH)
    return { says: 'That is too long for a timezone. Name a large city in it, such as Berlin or New York.', near: [] };
  const word = text.trim().replaceAll(/\s+/gu, ' ');
  if (/^(?:utc|gmt|z|zulu)$/iu.test(word)) return { zone: 'UTC' };
  const offset = /^(?:utc|gmt)?\s*([-−+])\s*(\d{1,2})(?::?(\d{2}))?$/iu.exec(word);
  if (offset !== null) return fixed(offset);
  const abbreviation =
    SPOKEN.get(
      word
        .toLowerCase()
        .replace(/^us /u, '')
        .replace(/ (?:(?:standard|daylight|summer) )?time$/u, ''),
    ) ?? word.toUpperCase();
  const short = ABBREVIATIONS[abbreviation];
  if (short !== undefined) return abbreviated(abbreviation, short);
  const plain = plainName(word);
  const known = BY_NAME.get(plain);
  if (known !== undefined) return { zone: known };
  const there = zonesOf(plain);
  const [only, ...others] = there;
  if (only !== undefined && others.length === 0) return { zone: only };
  // The name is tested directly, because no list contains both older and newer names of zones.
  if (word.includes('/') && DateTime.fromMillis(0, { zone: word }).isValid) return { zone: canonical(word) };
  const country = there.length > 0 ? [] : countryZones(plain);
  if (country.length > 0) return inCountry(word, country);
  const newer = newerName(plain);
  if (newer !== undefined && there.length === 0) return { zone: newer };
  // Typing errors seldom change the first letter, and short words resemble too many names.
  const alike =
    cityOf(word).length < 4
      ? []
      : [nearestWord(cityOf(word), CITIES) ?? '', ...nearest(cityOf(word), [...CITIES, ...countryNames()])].filter(
          (name) => name.charAt(0) === cityOf(word).charAt(0),
        );
  const near =
    there.length > 0 ? there : [...new Set(alike.flatMap((name) => [...zonesOf(name), ...countryZones(name)]))].slice(0, MAX_OFFERED);
  return {
    says:
      near.length > 0
        ? `No timezone called "${brief(text)}". Did you mean one of these?`
        : `No timezone called "${brief(text)}". Name a large city in it, such as Berlin or New York.`,
    near,
  };
}

function inCountry(word: string, [main = 'UTC', ...others]: readonly string[]): ReadZone {
  if (others.length === 0) return { zone: main, note: `${brief(word)} is read as the time of ${cityName(main)}.` };
  return { says: `${brief(word)} has several timezones. Which one is yours?`, near: [main, ...others].slice(0, MAX_OFFERED) };
}

function fixed([, sign = '+', digits = '', minutes = '00']: RegExpExecArray): ReadZone {
  const hours = Number(digits);
  const ahead = sign === '+';
  if (hours > (ahead ? 14 : 12) || Number(minutes) >= 60) return { says: 'A timezone is between UTC−12 and UTC+14.', near: [] };
  if (hours === 0 && minutes === '00') return { zone: 'UTC' };
  if (minutes === '00')
    return {
      zone: `Etc/GMT${ahead ? '-' : '+'}${hours}`,
      note: 'That is a fixed distance from UTC, without summer time. Name a city to follow its clocks.',
    };
  const off = (hours * 60 + Number(minutes)) * (ahead ? 1 : -1);
  return {
    says: `For UTC${ahead ? '+' : '−'}${hours}:${minutes} name a city in it.`,
    near: ZONES.filter((zone) => steady(zone) === off).slice(0, 5),
  };
}

/** Returns the minutes ahead of UTC; undefined for a zone with daylight saving time. */
function steady(zone: string): number | undefined {
  const [january, july] = [1, 7].map((month) => DateTime.fromObject({ year: 2025, month, day: 15 }, { zone }).offset);
  return january === july ? january : undefined;
}

const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  CET: ['Europe/Berlin'],
  CEST: ['Europe/Berlin'],
  MEZ: ['Europe/Berlin'],
  WET: ['Europe/Lisbon'],
  WEST: ['Europe/Lisbon'],
  EET: ['Europe/Athens'],
  EEST: ['Europe/Athens'],
  MSK: ['Europe/Moscow'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  ET: ['America/New_York'],
  EST: ['America/New_York'],
  EDT: ['America/New_York'],
  CT: ['America/Chicago'],
  CST: ['America/Chicago', 'Asia/Shanghai', 'America/Havana'],
  CDT: ['America/Chicago'],
  MT: ['America/Denver'],
  MST: ['America/Denver', 'America/Phoenix'],
  MDT: ['America/Denver'],
  PT: ['America/Los_Angeles'],
  PST: ['America/Los_Angeles'],
  PDT: ['America/Los_Angeles'],
  IST: ['Asia/Kolkata', 'Asia/Jerusalem', 'Europe/Dublin'],
  JST: ['Asia/Tokyo'],
  KST: ['Asia/Seoul'],
  SGT: ['Asia/Singapore'],
  HKT: ['Asia/Hong_Kong'],
  AEST: ['Australia/Sydney', 'Australia/Brisbane'],
  AEDT: ['Australia/Sydney'],
  NZST: ['Pacific/Auckland'],
  NZDT: ['Pacific/Auckland'],
};

const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['eastern', 'ET'],
  ['central', 'CT'],
  ['mountain', 'MT'],
  ['pacific', 'PT'],
  ['central european', 'CET'],
  ['eastern european', 'EET'],
  ['western european', 'WET'],
]);

function abbreviated(text: string, zones: readonly string[]): ReadZone {
  const [only = 'UTC', ...others] = zones;
  if (others.length > 0) return { says: `Several places call their time ${text}. Which one is meant?`, near: zones };
  return { zone: only, note: `${text} is read as the time of ${cityName(only)}, with its summer time.` };
}

const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');
const BY_NAME: ReadonlyMap<string, string> = new Map(ZONES.map((zone) => [plainName(zone), zone]));

const lastOf = (zone: string): string => zone.split('/').at(-1) ?? zone;
const cityOf = (zone: string): string => plainName(lastOf(zone));
const cityName = (zone: string): string => lastOf(zone).replaceAll('_', ' ');

const BY_CITY: ReadonlyMap<string, readonly string[]> = ZONES.reduce(
  (found, zone) => found.set(cityOf(zone), [...(found.get(cityOf(zone)) ?? []), zone]),
  new Map<string, readonly string[]>(),
);
const CITIES: readonly string[] = [...new Set([...BY_CITY.keys(), ...CITY_ZONES.keys()])];
const zonesOf = (city: string): readonly string[] => {
  const other = CITY_ZONES.get(city);
  return other === undefined ? (BY_CITY.get(city) ?? []) : [other];
};

const REGIONS: readonly string[] = [
  ...new Set(ZONES.filter((zone) => zone.includes('/')).map((zone) => zone.slice(0, zone.lastIndexOf('/')))),
];

function newerName(city: string): string | undefined {
  if (!/^\p{L}[\p{L} -]{2,}$/u.test(city)) return undefined;
  const written = city.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase()).replaceAll(' ', '_');
  return REGIONS.map((region) => `${region}/${written}`).find((zone) => DateTime.fromMillis(0, { zone }).isValid);
}

const canonical = (zone: string): string => DateTime.fromMillis(0, { zone }).zoneName ?? zone;
