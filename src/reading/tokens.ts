/** Splits a typed text into tokens, in linear time. Reads only the first `MAX_TEXT` characters. */

export interface Token {
  /** The word as typed. */
  readonly raw: string;
  /** The word in lower case, without accents and possessive endings. */
  readonly word: string;
}

/** The value is in characters. Messages are shorter; the rest of a pasted page is not read. */
const MAX_TEXT = 400;
export const MAX_TOKENS = 60;

const SLOT = String.raw`\{[a-z]+\}`;
const KEY = String.raw`[1-9A-HJ-NP-Za-km-z]{32,44}(?![\p{L}\p{N}])`;
const DATE = String.raw`\d{4}-\d{1,2}-\d{1,2}(?:t\d{1,2}:\d{2})?`;
const NUMBER = String.raw`(?<![\p{L}\p{N}])(?:[-−–+]\s?)?[$€£]?\d+(?:[.,:/]\d+)*(?:\s?%|[a-z¢$€]+(?![\p{L}\p{N}]))?\+?(?![\p{L}\p{N}])`;
const COMPARISON = '<=|>=|!=|[<>=≤≥]';
const WORD = String.raw`[$#@]?[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’_]*(?:-[\p{L}\p{M}\p{N}]+)*`;
const TOKEN = new RegExp([SLOT, KEY, DATE, NUMBER, COMPARISON, WORD, String.raw`\?`].join('|'), 'giu');

export const foldedText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/gu, "'")
    .replaceAll('−', '-');

export function tokensOf(text: string): readonly Token[] {
  const found = text.slice(0, MAX_TEXT).matchAll(TOKEN);
  const tokens: Token[] = [];
  for (const [raw] of found) {
    if (tokens.length === MAX_TOKENS) break;
    tokens.push({ raw: raw.trim(), word: withoutPossessive(foldedText(raw.trim())) });
  }
  return tokens;
}

const withoutPossessive = (word: string): string => word.replace(/'s$|(?<=s)'$/u, '').replaceAll("'", '');

const ONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    thirteen: 13,
    fourteen: 14,
    fifteen: 15,
    sixteen: 16,
    seventeen: 17,
    eighteen: 18,
    nineteen: 19,
  }),
);
const TENS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
  }),
);
const NUMBER_WORD = new RegExp(
  String.raw`\b(${[...TENS.keys()].join('|')})(?:[ -](one|${[...ONES.keys()].join('|')}))?\b|\b(${[...ONES.keys()].join('|')})\b`,
  'giu',
);

/** Rewrites "twenty four hours" as "24 hours", because all later parsing expects digits. "one" stays, since it is seldom a number. */
export const withDigits = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replaceAll(NUMBER_WORD, (_, tens: string | undefined, ones: string | undefined, alone: string | undefined) =>
      String(
        alone === undefined
          ? (TENS.get((tens ?? '').toLowerCase()) ?? 0) + (ones?.toLowerCase() === 'one' ? 1 : (ONES.get((ones ?? '').toLowerCase()) ?? 0))
          : ONES.get(alone.toLowerCase()),
      ),
    )
    .replaceAll(/\b(\d{1,2}) quarters\b/giu, (_, count: string) => `${Number(count) * 3} months`)
    .replaceAll(/\b(?:a|one) dollar (\d{2})\b/giu, '1.$1 dollars')
    .replaceAll(/\bper cent\b/giu, 'percent')
    .replaceAll(/\b(?:one|1) and a half\b(?= (?:points?|percent|%|million|months?|years?))/giu, '1.5')
    .replaceAll(/\bhalf (?:a|of a|of one) (?=(?:percent|point)\b)/giu, '0.5 ')
    .replaceAll(/\bhalf a day\b/giu, '12 hours')
    .replaceAll(/\ba (?:full|whole|entire) (?=(?:hour|day|week)\b)/giu, '1 ')
    .replaceAll(/\b(?:a|the coming|the next) fortnight\b/giu, '2 weeks')
    .replaceAll(/\b(?:a|one) hundred\b/giu, '100')
    .replaceAll(/\bone (?=(?:percent(?:age)?|points?|places?|percentage points?|standard deviations?|thousand|million|billion)\b)/giu, '1 ')
    .replaceAll(/\b(\d+) hundred\b/giu, (_, count: string) => `${count}00`)
    .replaceAll(
      /\b([1-9]00) and (\d{1,2})\b(?!\s*%)(?=\s+(?:thousand|million|days?|hours?|dollars?)\b)/giu,
      (_, hundreds: string, rest: string) => String(Number(hundreds) + Number(rest)),
    )
    .replaceAll(/\b(\d+) (and|to|or) (\d+) (thousand|million|billion)\b/giu, '$1 $4 $2 $3 $4')
    .replaceAll(/\bhalf past one\b/giu, '1:30')
    .replaceAll(/\bhalf past (\d{1,2})\b/giu, '$1:30')
    .replaceAll(/\b(\d{1,2}) in the (afternoon|evening)\b/giu, '$1pm')
    .replaceAll(/\b(\d{1,2}) in the morning\b/giu, '$1am')
    .replaceAll(/(?:\b(\d{1,2}) ?(?:-|–|to|till?|until|and) ?)?\b(\d{1,2}) at night\b/giu, eveningHour)
    .replaceAll(/\b0?\.(\d)\d?x (?:nav|book)\b/giu, (_, part: string) => `${100 - Number(part) * 10}% below nav`)
    .replaceAll(
      /\b(?:below|under|less than) ([5-9]\d) ?(?:%|percent) of (?:its |their )?(?:nav|net assets?(?: value)?|book)\b/giu,
      (_, part: string) => `${100 - Number(part)}% below nav`,
    )
    .replaceAll(/\ba quarter (?:of|below|under)\b/giu, '25% of')
    .replaceAll(/\ba third\b/giu, '33%')
    .replaceAll(/\ba fifth (?=below|under|off|cheaper|beneath)/giu, '20% ')
    .replaceAll(/\ba (?:buck|dollar|euro)\b/giu, '1 dollar')
    .replaceAll(/\bhalf a (million|billion)\b/giu, '0.5 $1')
    .replaceAll(/\ba (million|billion)\b/giu, '1 $1')
    .replaceAll(/\b(\d+) grand\b/giu, '$1k')
    .replaceAll(/\b(\d+) lakhs?\b/giu, (_, count: string) => `${count}00k`)
    .replaceAll(/\bhalf-year\b/giu, 'half year')
    .replaceAll(/(^|\s)\.(\d+)\b/gu, '$10.$2')
    .replaceAll(/\bdouble[ -]digit\b/giu, '10%');

/** Reads "11 at night" as 11pm. In "from 23 to 7 at night" the 7 is in the morning, because the night begins before it. */
function eveningHour(whole: string, from: string | undefined, hour = ''): string {
  return from !== undefined && Number(from) > Number(hour) ? whole : whole.replace(/ at night$/iu, 'pm');
}
