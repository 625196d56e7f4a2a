/** Fills the slots of a command line from a parsed text. */
import { commandLine } from '../chat/command-line.js';
import type { DateTime } from 'luxon';
import { termIn } from '../domain/glossary.js';
import type { Heard } from './heard.js';
import { ruleIn } from './alert-rules.js';
import { isOfProjects, PAYROLL } from './filter-rules.js';
import { filterIn } from './filters.js';
import { rangeAmong, clockText } from './times.js';
import { lengthFrom, lengthPattern, shortLength } from './lengths.js';
import { conceptsOf, isFiller, stemOf } from './lexicon.js';

/** Returns the choices of an option by the name of its slot, such as the ranges of a command. */
export type ChoicesOf = (option: string) => readonly string[];

/** The words that fill a slot; undefined if nothing in the text fits. */
type Filled = readonly string[] | undefined;

const slots: Readonly<Record<string, (heard: Heard, choices: ChoicesOf) => Filled>> = {
  project: ({ projects }) => only(projects[0]?.project.slug),
  projects: ({ projects }) => {
    const all = [...new Set(projects.map(({ project }) => project.slug))];
    return all.length < 2 ? undefined : all.slice(0, 6);
  },
  target: targetIn,
  scope: (heard) => {
    const kind = kindIn(heard);
    const target = heard.projects.length + heard.wallets.length === 0 ? undefined : targetIn(heard);
    return target === undefined && kind === undefined ? undefined : [...(target ?? []), ...(kind ?? [])];
  },
  topic: (heard) => (heard.projects.length + heard.wallets.length + heard.keys.length === 0 ? undefined : targetIn(heard)),
  wallet: ({ wallets, keys }) => only(wallets[0]?.name ?? keys[0]?.key),
  key: ({ keys }) => only(keys[0]?.key),
  range: ({ times }, choices) => only(times.range && rangeAmong(times.range.days, choices('range'))),
  period: ({ times: { range }, text }, choices) => {
    const days = range?.days ?? (/\b(?:week|wk|weekly)\b/iu.test(text) ? 7 : 1);
    const wanted = days < 0.5 || /\b(?:hour|hr|1h)\b/iu.test(text) ? '1h' : days > 1.5 ? '7d' : '24h';
    return range === undefined && !/\b(?:hour|hr|week|wk|weekly|day)\b/iu.test(text)
      ? undefined
      : only(choices('period').find((one) => one === wanted));
  },
  interval: ({ times, text }, choices) => {
    const word = /\bhourly\b|\bby the hour\b/iu.test(text)
      ? '1h'
      : /\bdaily\b/iu.test(text)
        ? '1d'
        : /\b15[ -]?m(?:in\w*)?\b/iu.test(text)
          ? '15m'
          : undefined;
    const hours = times.range === undefined ? undefined : times.range.days * 24;
    if (hours === Number.POSITIVE_INFINITY) return only(choices('interval').find((one) => one === 'max'));
    const named =
      hours === undefined ? undefined : hours <= 0.3 ? '15m' : hours <= 1 ? '1h' : hours <= 4.5 ? '4h' : hours <= 24 ? '1d' : undefined;
    return only(choices('interval').find((one) => one === (word ?? named)));
  },
  at: ({ times }) => only(times.past && `at:${written(times.past.at, times.past.hasTime)}`),
  page: ({ text }) => only(pageIn(text)),
  rule: (heard) => ruleWords(heard.rule ?? ruleIn(heard)),
  filter: (heard) => only(filterIn(heard), true),
  kind: (heard) => kindIn(heard, true),
  mode: ({ text, has }) => {
    if (/\b(?:sound|silent(?:ly)?|noise|quietly)\b/iu.test(text) && !/\bspam\b/iu.test(text)) return ['silent'];
    if (/\b(?:on|enable|activate|back|start|allow)\b/iu.test(text) && !/\b(?:off|disable|no|stop|not|don't|dont|kill)\b/iu.test(text))
      return ['on'];
    // In "tell me when the supply drops" the drop is an event, and nothing is turned off.
    return (has('stop') && !/\b(?:when(?:ever)?|if|once)\b.*\bdrop/iu.test(text)) ||
      /\b(?:off|disable|no|stop|without|not|don't|dont|deactivate|kill|spam)\b/iu.test(text)
      ? ['off']
      : ['on'];
  },
  preset: ({ text }) => {
    if (/\bimportant\b|\bspam|\bfewer\b|\btoo many\b/iu.test(text)) return ['important'];
    if (/\bdigest\b|\bonce a day\b|\bsummary\b|\bdaily\b/iu.test(text)) return ['digest'];
    if (/\bmost\b|\bmore alerts\b/iu.test(text)) return ['most'];
    return /\beverything\b|\bfirehose\b|\bevery\b|\ball\b|\bquiet\b|\bmax(?:imum)?\b/iu.test(text)
      ? [/\bquiet\b/iu.test(text) ? 'important' : 'everything']
      : undefined;
  },
  until: untilIn,
  hours: ({ times }) => only(times.hours && `${times.hours.from}-${times.hours.to}`),
  zone: (heard) => zoneIn(heard),
  time: ({ times: { clock, weekday } }) => {
    const time = clock === undefined ? undefined : clockText(clock);
    const day = weekday === undefined ? undefined : `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}`;
    return time === undefined ? only(day) : [...(day === undefined ? [] : [day]), time];
  },
  rhythm: ({ times, text }) => (times.weekday !== undefined || /\bweek/iu.test(text) ? ['weekly'] : ['daily']),
  entity: ({ text: said }) => {
    const text = said.replace(/\bnot (?:of |by )?(?:the )?(?:op-?co|operating company|dao)\b/iu, ' ');
    return only(/\bop-?co\b|\boperating company\b/iu.test(text) ? 'entity:OpCo' : /\bdao\b/iu.test(text) ? 'entity:DAO' : undefined);
  },
  side: ({ text }) =>
    only(
      /\bfail(?:ing|s)?\b|\blosing\b|\bnot passing\b|\b(?:aren['’]?t|isn['’]?t) passing\b/iu.test(text)
        ? 'failing'
        : /\bpass(?:ing|es)?\b/iu.test(text)
          ? 'passing'
          : undefined,
    ),
  state: ({ text }) =>
    only(/\bretired\b|\bclosed\b|\bold\b/iu.test(text) ? 'state:retired' : /\bopen\b/iu.test(text) ? 'state:open' : undefined),
  account: ({ words }) => only(words.find(({ token }) => /^#\d+$/u.test(token.word))?.token.word),
  counterparty: ({ words }) => only(words.find(({ token }) => /^#\d+$/u.test(token.word))?.token.word),
  movement: ({ words }) => {
    const word = words.find(({ token }) => /^mov-?\d+$/iu.test(token.word))?.token.word;
    return only(word && `MOV-${word.replace(/\D/gu, '')}`);
  },
  category: ({ text }) => only(PAYROLL.test(text) ? 'category:Payroll' : undefined),
  token: (heard) => {
    const symbol = heard.words.find(({ token }) => /^(?:usdc|usdt|sol|eth|btc|usd1|pyusd)$/u.test(token.word))?.token.word.toUpperCase();
    return only(symbol && `token:${symbol}`);
  },
  traded: ({ projects }) => only(projects[0] && (projects[0].project.symbol ?? projects[0].project.slug)),
  metric: ({ text }) => only(/\bfees?\b/iu.test(text) && !/\b(?:volume|users?)\b/iu.test(text) ? 'fees-usd' : undefined),
  words: titleIn,
  named: ({ text }) =>
    only(
      NAMED.exec(text)
        ?.slice(1)
        .find((name) => name !== undefined)
        ?.toLowerCase(),
    ),
  who: ({ text }) => only(/(?:^|\s)(@[\w-]+)/u.exec(text)?.[1]),
  length: ({ times: { lasting }, text }) =>
    only(
      /\ban? hour\b/iu.test(text)
        ? '1h'
        : /\ba day\b/iu.test(text)
          ? '1d'
          : /\ba week\b/iu.test(text)
            ? '7d'
            : lasting && (lasting.minutes % 1_440 === 0 ? `${lasting.minutes / 1_440}d` : `${Math.ceil(lasting.minutes / 60)}h`),
    ),
  ahead: ({ text }) => aheadIn(text),
  replayed: ({ times: { range, lasting } }) => {
    const days = Math.ceil(range?.days ?? (lasting === undefined ? 7 : lasting.minutes / 1_440));
    return days >= 1 && days <= MAX_REPLAYED ? [`${days}d`] : undefined;
  },
  days: ({ times: { lasting } }) => only(lasting && `${Math.max(1, Math.ceil(lasting.minutes / 1_440))}d`),
  pinged: ({ has }) => only(has('proposal') ? 'proposals' : has('launch') ? 'launches' : has('discount') ? 'discounts' : undefined),
  label: ({ text }) => {
    const [, label] =
      /\b(?:as|it|him|them|name it|label(?: it)?|named|called?|under the (?:label|name))\s+["“]?([\w-]{2,24})["”]?\s*[.!]?\s*$/iu.exec(
        text.trim(),
      ) ?? [];
    return only(label === undefined || conceptsOf(stemOf(label.toLowerCase())).includes('ignore') ? undefined : label);
  },
  about: ({ text }) =>
    only(
      /\b(accounts|counterparties|finances|growth|holders|ico|launches|legal|markets|movements|overview|premium|project|proposals?|refresh|screen|search|supply|trading|treasury|vesting|wallet|alerts?|digest|history|unmute|mut(?:e|ing)|settings|unwatch|watchlist|watch|why|status|privacy)\b/iu
        .exec(text)?.[1]
        ?.toLowerCase()
        .replace('muting', 'mute')
        .replace(/^alert$/u, 'alerts'),
    ),
  term: ({ text }) => only(termIn(text)?.id),
};

/** Matches a search for a part of a name, which may also be part of a project's name. */
const NAMED =
  /["“„]([^"“”„]{2,40})["”“]|\b(?:called|named|contain\w*|calls itself|(?:bear\w*|has|have|with|in) (?:the|its|their) name)(?: (?:of|something|with|like))* ([\p{L}\d-]{2,40})|\b(?:search|filed|look|find)\b.* (?:with|for|under|like) ([\p{L}\d-]{2,40})(?: in (?:the|its|their) names?)?\W*$|\b(?:w|with) ([\p{L}\d-]{2,40}) in (?:the|its|their) names?\b/iu;

/** The longest time that a replay covers, in days. */
const MAX_REPLAYED = 30;

const AHEAD = new RegExp(String.raw`(?<![$.,\d])\b${lengthPattern(['minutes', 'hours', 'days', 'weeks'])}\b`, 'giu');
const IS_AHEAD = /\bremind\w*\b|\bbefore\b|\bahead\b|\bprior\b|\bheads?[- ]?up\b/iu;
/** Writes times before an end as `/remind` reads them: "a day and 1 hour before it ends" is 1d and 1h. */
function aheadIn(text: string): Filled {
  if (!IS_AHEAD.test(text)) return undefined;
  const lengths = [...text.replaceAll(/\bhalf an? hour\b/giu, '30 minutes').matchAll(AHEAD)].map((found) =>
    lengthFrom(found.slice(1), { m: 'minutes' }),
  );
  const times = lengths.flatMap((length) => (length === undefined ? [] : shortLength(length)));
  return times.length === 0 ? undefined : [...new Set(times)];
}

/** Maps words and concepts to alert kinds. */
const ALERT_KIND_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    supply: 'supply',
    '@mint': 'supply',
    '@burn': 'supply',
    '@supply': 'supply',
    '@proposal': 'proposals',
    '@launch': 'launches',
    '@growth': 'growth',
    '@premium': 'premium',
    '@runway': 'treasury',
    '@treasury': 'treasury',
    '@payment': 'movements',
    '@unlock': 'vesting',
  }),
);

const only = (word: string | undefined, several = false): Filled => (word === undefined ? undefined : several ? word.split(' ') : [word]);

/** Returns undefined if a required slot stays empty. A slot with a question mark is optional. */
export function fillLine(template: string, heard: Heard, choices: ChoicesOf): string | undefined {
  const words: string[] = [];
  for (const word of template.split(' ')) {
    const [, prefix = '', name = '', may = ''] = /^(\w+:)?\{(\w+)(\??)\}$/u.exec(word) ?? [];
    if (name === '') {
      words.push(word);
      continue;
    }
    const filled = slots[name]?.(heard, choices);
    if (filled === undefined && may === '') return undefined;
    if (filled !== undefined) words.push(...(prefix === '' ? filled : [`${prefix}${filled.join(' ')}`]));
  }
  // The words of a rule are not quoted: they already have their quotation marks.
  return words
    .slice(1)
    .reduce((line, word) => (RULE_NAME.test(word) ? `${line} ${word}` : `${line}${commandLine('', word).slice(1)}`), words[0] ?? '');
}

const RULE_NAME = /^\w+:"[^"“”„]*"$/u;

/** A time that was given in UTC is written in UTC, whatever the timezone of the chat. */
const written = (at: DateTime, hasTime: boolean): string =>
  `${at.toFormat(hasTime ? "yyyy-MM-dd'T'HH:mm" : 'yyyy-MM-dd')}${hasTime && at.zoneName === 'UTC' ? 'Z' : ''}`;

const ORDINALS: ReadonlyMap<string, string> = new Map(Object.entries({ second: '2', third: '3', fourth: '4', fifth: '5', next: '2' }));

function pageIn(text: string): string | undefined {
  const [, ordinal] = /\bpage (second|third|fourth|fifth)\b/iu.exec(text) ?? [];
  if (ordinal !== undefined) return ORDINALS.get(ordinal.toLowerCase());
  const [, behind, before] = /\bp(?:age|g)?\.?\s*[=:]?\s*(\d{1,3})\b|\b(\d{1,3})(?:st|nd|rd|th) page\b/iu.exec(text) ?? [];
  if ((behind ?? before) !== undefined) return behind ?? before;
  const [, word] = /\b(second|third|fourth|fifth|next)(?: one| page)\b|\bnot the first page, the (next)\b/iu.exec(text) ?? [];
  return ORDINALS.get(word?.toLowerCase() ?? (/\bnot the first page\b/iu.test(text) ? 'next' : ''));
}

/** Splits a rule into words; a quoted name is one word. */
const ruleWords = (rule: string | undefined): Filled => rule?.match(/[^\s"]*"[^"]*"|\S+/gu) ?? undefined;

function targetIn(heard: Heard): Filled {
  const { projects, wallets, keys, text, has } = heard;
  if (wallets[0] !== undefined && isOfProjects(heard)) return [wallets[0].name];
  if (projects[0] !== undefined) return [projects[0].project.slug];
  if (wallets[0] !== undefined) return [wallets[0].name];
  if (keys[0] !== undefined) return [keys[0].key];
  if (/\b(?:all|any|every|everything|everywhere|everyone|anywhere|anything|each|whole)\b/iu.test(text)) return ['all'];
  return has('launch') ? ['launches'] : undefined;
}

/** Finds the alert kind that is named beside a word for alerts or mutes, or in a short text. */
function kindIn(heard: Heard, isSure = false): Filled {
  const content = heard.words.filter(({ concepts, stem, token }) => stem !== '' && token.word !== '?' && !concepts.includes('ignore'));
  // "Last" in "the last alert" does not mean runway.
  const kindOf = ({ token, concepts }: (typeof content)[number]): string | undefined =>
    token.word === 'last'
      ? undefined
      : (ALERT_KIND_WORDS.get(token.word) ??
        concepts.map((concept) => ALERT_KIND_WORDS.get(`@${concept}`)).find((one) => one !== undefined));
  const isBeside = (at: number): boolean =>
    [at - 1, at + 1, at + 2].some(
      (near) =>
        ['alert', 'mute', 'stop', 'why'].some((concept) => content[near]?.concepts.includes(concept) === true) ||
        /^(?:stuff|noise|news|events?|messages|msgs|updates?|spam)$/u.test(content[near]?.token.word ?? ''),
    );
  const found = content.findIndex((word, at) => kindOf(word) !== undefined && (isSure || content.length <= 6 || isBeside(at)));
  const word = content[found];
  return only(word && kindOf(word));
}

function untilIn({ times: { future, morning, lasting, clock, range }, text }: Heard): Filled {
  if (morning !== undefined) return morning.at.toFormat('yyyy-M-d HH:mm').split(' ');
  // "Until 18h" is a time of day; "18h" alone is a duration.
  if (clock !== undefined && /\b(?:until|till?)\s+\d{1,2}\s?h\b/iu.test(text)) return [clockText(clock)];
  if (future !== undefined) return future.hasTime ? future.at.toFormat('yyyy-M-d HH:mm').split(' ') : [future.at.toFormat('yyyy-M-d')];
  if (lasting !== undefined) {
    const { minutes } = lasting;
    return [minutes % 1_440 === 0 ? `${minutes / 1_440}d` : minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`];
  }
  if (clock !== undefined) return [clockText(clock)];
  if (/\b(?:an|one) hour\b/iu.test(text)) return ['1h'];
  if (/\ba week\b/iu.test(text)) return ['7d'];
  if (/\b(?:a day|for today|today)\b/iu.test(text)) return ['24h'];
  return range === undefined || !Number.isFinite(range.days) ? undefined : [`${Math.max(1, Math.round(range.days * 24))}h`];
}

const ZONE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    nyc: 'new york',
    la: 'los angeles',
    sf: 'san francisco',
    ldn: 'london',
    hk: 'hong kong',
    sg: 'singapore',
  }),
);

function zoneIn({ words, text }: Heard): Filled {
  const [zone] = /\b(?:UTC|GMT)(?:[+-]\d{1,2})?\b|\b[A-Z][a-z]+\/[A-Z][A-Za-z_]+\b/u.exec(text) ?? [];
  if (zone !== undefined) return [zone];
  const isPlace = ({ token, concepts, stem }: (typeof words)[number]): boolean =>
    /^[\p{L}_-]+$/u.test(token.word) && !concepts.includes('setting') && !isFiller(stem) && !PLACE_WORDS.test(token.word);
  const city = cityIn(words.map(({ token }) => token.raw));
  if (city !== undefined) return [city];
  const starts = words.flatMap(({ token }, at) => (BEFORE_PLACE.test(token.word) ? [at + 1] : []));
  for (const start of [...starts.toReversed(), 0]) {
    const from = words.slice(start).findIndex(isPlace);
    if (from < 0 || (start > 0 && from > 1)) continue;
    const rest = words.slice(start + from);
    const end = rest.findIndex((word) => !isPlace(word));
    const spoken = rest
      .slice(0, Math.min(2, end < 0 ? rest.length : end))
      .map(({ token }) => token.raw.replace(/['’]s$/u, ''))
      .join(' ')
      .toLowerCase();
    if (spoken !== '') return (ZONE_NAMES.get(spoken) ?? spoken).split(' ');
  }
  return undefined;
}
/** The cities in the names of timezones, as people type them. */
const CITIES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('timeZone').map((zone) => (zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase()),
);

const cityIn = (words: readonly string[]): string | undefined =>
  words
    .flatMap((word, at) => [`${word} ${words[at + 1] ?? ''}`, word])
    .map((name) => name.toLowerCase().replace(/['’]s$/u, ''))
    .find((name) => CITIES.has(name));
const BEFORE_PLACE = /^(?:to|in|of|is|from|for|tz|timezone|use|set|be)$/u;
const PLACE_WORDS =
  /^(?:live|time|times|use|change|set|fix|now|we|im|our|city|local|from|switch|am|adjust|configure|based|here|with|accordingly)$/u;

const TITLE_STOPS =
  /^(?:about|watch|unwatch|untrack|not|passing|failing|losing|winning|did|pass|passed|fail|proposal|proposals|vote|votes|prop|find|one|new|going|somebody|somewhere|heard|wants|search|called|named|mention|pays|pay|look|anything|something|yet|already|payments|stop|quit|follow|following|unfollow|tracking|watching|longer|all|stand|doing|whether|anywhere|everywhere|only|with|from|across|being|looking|abt|refers|itself|headline|thing|state|stands|standing)$/u;

const ABOUT = /^(?:about|called|named|mentions?|mentioned|mentioning|concerning|regarding|on|for|title|words?|tagged|find|grep)$/u;

/** Finds the words of a title: after "about", before "proposal", or without another meaning. */
function titleIn(heard: Heard): Filled {
  const { words, projects, text } = heard;
  const [, quoted] = /["“„]([\p{L}\p{N}][^"“”„]{1,60})["“”]/u.exec(text) ?? [];
  if (quoted !== undefined) return quoted.trim().toLowerCase().split(/\s+/u);
  const isProject = (at: number): boolean => projects.some(({ from, to }) => at >= from && at < to);
  const plainWord = (at: number): boolean => {
    const word = words[at];
    return (
      word !== undefined &&
      !isProject(at) &&
      /^[\p{L}\d-]+$/u.test(word.token.word) &&
      !isFiller(word.stem) &&
      !TITLE_STOPS.test(word.token.word) &&
      word.token.word.length > 1
    );
  };
  const about = words.findIndex(({ token }) => ABOUT.test(token.word));
  const noun = words.findIndex(({ token }) => /^(?:proposals?|props?|votes?|one|payments?)$/u.test(token.word));
  const indices = words.map((_, at) => at);
  const behind = about >= 0 ? indices.filter((at) => at > about && plainWord(at)) : [];
  if (behind.length > 0) return behind.slice(0, 5).map((at) => words[at]?.token.word ?? '');
  const before: number[] = [];
  for (let at = noun - 1; at >= 0 && plainWord(at); at -= 1) before.unshift(at);
  if (before.length > 0) return before.map((at) => words[at]?.token.word ?? '');
  const rest = indices.filter((at) => plainWord(at) && (words[at]?.concepts.length ?? 0) === 0);
  // More than three unknown words are a sentence about something else.
  return rest.length === 0 || rest.length > 3 ? undefined : rest.slice(0, 5).map((at) => words[at]?.token.word ?? '');
}
