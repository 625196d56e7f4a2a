/** Reads a text that refers to the question before: "and alder?", "1 month", "why?", "more", "who voted". Pure. */
import type { Heard } from './heard.js';
import { rangeAmong } from './times.js';

/** The last question of a person in a chat, as its command and options. */
export interface LastQuestion {
  readonly command: string;
  readonly values: Readonly<Record<string, string>>;
  /** The key of the answer's sources, if it had figures. */
  readonly sources?: string | undefined;
  /** The choices of each option; undefined if it takes any text. */
  readonly choices: Readonly<Record<string, readonly string[] | undefined>>;
  /** The line of the answer's next page, if it has one. */
  readonly next?: string | undefined;
  /** The project in each row of the answer's list; undefined for a row without one. */
  readonly rows?: readonly (string | undefined)[];
}

/** `next`: the next page of the answer is shown. `change`: the last question is asked with other options. `about`: the text is read again with the last question's subject appended. */
export type FollowUp =
  | { readonly kind: 'next'; readonly line: string }
  | { readonly kind: 'change'; readonly command: string; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'about'; readonly text: string; /** Its words refer to the last question: "its runway". */ readonly refers: boolean };

const CONNECTS = /^\s*(?:(?:and |but |ok |so )?(?:what|how) about|and|same for|also|then|now|ok(?:ay)?(?: and)?|but)\b/iu;
export const MORE =
  /^\s*(?:(?:and|ok|please|pls|show|me|see|give)\s+)*(?:more|next|(?:the )?next page|continue|go on|more of (?:it|them|these|those|that)|the rest|another page)(?:\s+(?:please|pls))?\s*[.!?]*\s*$/iu;
const WHY = /^\s*(?:but )?why\s*(?:is that|that|so|though)?\s*[?.!]*\s*$/iu;
/** Matches a text that only asks where an answer's figures come from. */
const WHERE_FROM =
  /^\s*(?:and |but )?(?:where (?:does|do|did|is|are) (?:that|this|it|these|those|they)(?: (?:number|figure|data|come|coming))* from|(?:from )?where(?: from)?|(?:what(?:'s| is) (?:the |your )?)?sources?|who says (?:that|so|this)|says who|how do you know(?: that)?|are you sure(?: about that)?|really|how (?:is|was|did you) (?:that|this|it)? ?(?:calculated|computed|calculate that|compute that)|how (?:old|fresh|recent|current) (?:is|are) (?:this|that|the|these|those)(?: data| figures?| numbers?)?)\s*[?.!]*\s*$/iu;
/** After one of these commands, "why?" asks about alerts and not about figures. */
const OF_ALERTS = /^(?:why|watch|unwatch|alerts|mute|unmute|history|watchlist|digest|settings)$/u;
const AGAIN = /^\s*(?:again|refresh|update|once more)\s*[.!]*\s*$/iu;
const CHART =
  /^\s*(?:(?:and |now )?(?:as|in|with|show)?\s*(?:me )?(?:an? |the )?(?:chart|graph|picture|plot))\s*(?:please|pls)?\s*[?.!]*\s*$/iu;
const ITS = /\b(?:its|it|their|they|them|his|her|this|that|there)\b/iu;

/** A question about several projects has its own subject: its "that" belongs to "projects", and not to the last answer. */
const OWN_SUBJECT =
  /\b(?:projects|coins|everything|everyone|(?:which|what) (?:project|coin|token)|(?:which|what) (?:are|have|trade)|(?:tokens|names|ones) (?:that|which|with|without|under|over|below|above|are|have|trading))\b/iu;
const ONLY_ITS = /\b(?:its|it|their|they|them|his|her|there)\b|\b(?:about|of|for|on|like|with|to) (?:this|that)\b/iu;

/** Coins that are no projects: a question about one is not about the project of the last question. */
const OTHER_COIN =
  /\b(?:btc|bitcoin|eth|ether|ethereum|sol|solana|bnb|xrp|doge|dogecoin|ada|cardano|avax|usdt|tether|gold|nasdaq)\b(?!.*\b(?:holdings?|hold|holds|held|treasury|balance|movements?|transfers?|payments?)\b)/iu;

/** Matches "keep me posted on that vote" after a question about a proposal. */
const FOLLOW_IT =
  /^\s*(?:(?:ok|please|pls|yes|and|can you|could you)\s+)*(?:(?:follow|track|watch|monitor)|keep (?:me|us) (?:posted|updated|in the loop) (?:on|about|with)|keep an eye on|tell me how|let me know how)\s+(?:(?:only|just)\s+)?(?:that|this|it|the)(?:\s+(?:vote|proposal|market|one))?(?:\s+(?:ends|goes|turns out|only|for (?:me|us)|please|pls))*\s*[.!]*\s*$/iu;

const SUBJECTS = ['project', 'target', 'wallet', 'projects', 'topic'] as const;

/** Returns undefined if the text does not refer to the last question. */
export function followUp(heard: Heard, last: LastQuestion): FollowUp | undefined {
  const { text, projects, wallets, keys } = heard;
  const { command, values, choices } = last;
  const subject = SUBJECTS.map((name) => values[name]).find((value) => value !== undefined);
  const change = (more: Readonly<Record<string, string>>): FollowUp => ({ kind: 'change', command, values: { ...values, ...more } });
  const isSource = WHERE_FROM.test(text) || (WHY.test(text) && !OF_ALERTS.test(command));
  if (isSource && last.sources !== undefined) return { kind: 'change', command: 'sources', values: { key: last.sources } };
  const { project: shown } = values;
  if (command === 'proposal' && shown !== undefined && FOLLOW_IT.test(text))
    return { kind: 'change', command: 'watch', values: { target: ['proposal', shown, values['words']].filter(Boolean).join(' ') } };
  if (WHY.test(text)) return { kind: 'change', command: 'why', values: subject === undefined ? {} : { topic: subject } };
  if (MORE.test(text)) {
    if (last.next !== undefined) return { kind: 'next', line: last.next };
    // A list without a next page has shown everything.
    if ('page' in choices) return undefined;
    // Without a next page, "more" shows the page of the project.
    const { project } = values;
    return project === undefined || command === 'project' ? undefined : { kind: 'change', command: 'project', values: { project } };
  }
  const row = rowNamed(text, last);
  if (row !== undefined) return row;
  if (AGAIN.test(text)) return change({});
  if (CHART.test(text)) return choices['view']?.includes('chart') === true ? change({ view: 'chart' }) : change({});
  const content = contentOf(heard);
  const named = projects[0]?.project.slug ?? wallets[0]?.name ?? keys[0]?.key;
  if (named !== undefined) {
    const option = SUBJECTS.find((name) => name in choices && values[name] !== undefined);
    // "And heron" after a comparison of two projects compares all three.
    if (option === 'projects' && content === 0)
      return change({
        projects: [...new Set([...(values[option] ?? '').split(/[\s,]+/u).filter((one) => one !== 'and'), named])].join(' '),
      });
    return content === 0 && (CONNECTS.test(text) || text.trim().endsWith('?')) && option !== undefined
      ? change({ [option]: named })
      : undefined;
  }
  if (content === 0 && heard.times.range !== undefined) {
    const range = rangeAmong(heard.times.range.days, choices['range'] ?? choices['period'] ?? []);
    return range === undefined ? undefined : change({ ['range' in choices ? 'range' : 'period']: range });
  }
  if (subject === undefined) return undefined;
  // "What about its runway" is read as "its runway".
  const said = text.replace(CONNECTS, '').replace(/^\W+/u, '');
  if ((OWN_SUBJECT.test(said) || OTHER_COIN.test(said)) && !ONLY_ITS.test(said)) return undefined;
  const refers = CONNECTS.test(text) || ITS.test(text) || /^\s*the\b/iu.test(text);
  return refers || heard.words.length <= MAX_SHORT ? { kind: 'about', text: `${said} ${subject}`, refers } : undefined;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const NTH = new RegExp(
  String.raw`\b(?:the )?(?:(${ORDINALS.join('|')}|last|\d{1,2}(?=st|nd|rd|th))(?:st|nd|rd|th)?(?: (?:one|project|coin|row|result|of (?:them|those|these)))?|(?:number|no\.?|nr\.?) ?(\d{1,2}))(?![\w%])|#(\d{1,2})(?![\w%])`,
  'iu',
);
const ONLY_NTH = /^\s*(?:(?:and|ok|open|show|see|tell|more|details|info|what|how|me|about|on|of|for|please|pls|is)\s+)*$/iu;

/** Resolves "the second one" and "#2 runway" to the project in that row of the last answer. */
function rowNamed(text: string, { command, values, choices, rows = [] }: LastQuestion): FollowUp | undefined {
  if (rows.length === 0) return undefined;
  const found = NTH.exec(text);
  if (found === null) return undefined;
  const [whole, word = '', number, hash] = found;
  const before = text.slice(0, found.index);
  const behind = text.slice(found.index + whole.length).replace(/[?.!\s]+$/u, '');
  const isAlone = ONLY_NTH.test(before) && behind === '';
  // In "the first time" and "last week" the ordinal names no row: beside other words it needs one such as "one" or "row".
  if (!isAlone && hash === undefined && number === undefined && !/\b(?:one|project|coin|row|result|them|those|these)$/iu.test(whole))
    return undefined;
  const nth =
    word.toLowerCase() === 'last'
      ? rows.length
      : Number(number ?? hash ?? (/^\d/u.test(word) ? word : ORDINALS.indexOf(word.toLowerCase()) + 1));
  const project = rows[nth - 1];
  if (project === undefined) return undefined;
  if (!isAlone) return { kind: 'about', text: `${before}${project}${behind === '' ? '' : ` ${behind.trim()}`}`, refers: true };
  const isList = !('project' in choices) || command === 'screen';
  return isList
    ? { kind: 'change', command: 'project', values: { project } }
    : { kind: 'change', command, values: { ...(values['view'] === undefined ? {} : { view: values['view'] }), project } };
}

const MAX_SHORT = 4;

/** Counts the words with a meaning of their own: not fillers, connectives or parts of a range. */
function contentOf({ words, times, projects }: Heard): number {
  const range = new Set((times.range?.text ?? '').split(/\s+/u));
  const isProject = (at: number): boolean => projects.some(({ from, to }) => at >= from && at < to);
  return words.filter(
    ({ token, concepts, stem }, at) =>
      !isProject(at) &&
      stem !== '' &&
      !range.has(token.word) &&
      !/^(?:and|or|about|same|but|then|now|\?|range|period)$/u.test(token.word) &&
      !concepts.includes('ignore') &&
      !concepts.includes('ask'),
  ).length;
}
