/** Writes alert rules that filter events by a name, such as a token or a title, or that compare with the past. Pure. */
import type { Heard } from './heard.js';
import { conceptsOf, stemOf } from './lexicon.js';

const LIMITS = /\b(?:only|just|limit|restrict|exclusively|solely|nothing (?:else|but)|keep|no others?)\b/iu;
const OF_ALERTS = /\b(?:alerts?|alerting|notif\w+|pings?|messages?|tell|warn|follow|hear)\b/iu;

/** Tells whether the alert is about projects. "Limit the alerts on fund-1 to what it does in tide" is about a wallet. */
export const isOfProjects = ({ wallets, projects, text }: Pick<Heard, 'wallets' | 'projects' | 'text'>): boolean =>
  wallets.length > 0 && projects.length > 0 && LIMITS.test(text) && OF_ALERTS.test(text);

const QUOTED = /["“„]([\p{L}\p{N}][^"“”„«»,;:<>=]{0,59})["“”]/u;
const IN_TITLE =
  /\b(?:with|has|have|say\w*|contain\w*|mention\w*)\s+(?:the words? )?([\p{L}\p{N}-]{2,40})\s+in (?:the|its|their) titles?\b/iu;
const TITLED = /\b(?:titles?|titled|headlines?|named|called|mention\w*|contain\w*|words?)\b/iu;
/** Matches a search in titles: "any vote whose title mentions a grant", "only buyback props". */
const MENTIONS =
  /\b(?:mention\w*|refers? to|contain\w*|only (?:\w+ )?(?:props?|proposals?|votes?) (?:about|on|concerning))\s+(?:an? |the )?([\p{L}-]{3,40})|\bonly (?:the )?([\p{L}-]{3,40}) (?:props?|proposals?|votes?)\b/iu;
/** These words describe proposals or alerts. They are not searched for in titles. */
const NO_TITLE = ['proposal', 'market', 'live', 'past', 'ignore', 'ask', 'alert', 'everything', 'odds', 'when', 'top'];
const ACCOUNT =
  /\baccounts? (?:that is |which is )?(?:named|called|labelled|labeled) ["“„]?([\p{L}\p{N}][\p{L}\p{N} _-]{0,59}?)["”“]?\s*(?:[.,!?;]|$)/iu;
const CATEGORY = /\bcategor(?:y|ies) (?:is |are |of |named |called )*["“„]?([\p{L}-]{3,40})\b|\b(?:the |of )([\p{L}-]{3,40}) category\b/iu;
const TOKEN = /(?<!\d[\s,.kmb]*)\b(USDC|USDT|SOL|ETH|BTC|USD1|PYUSD)\b/iu;
const METRICS: readonly (readonly [string, RegExp])[] = [
  ['fees', /\bfees?\b/iu],
  ['revenue', /\brevenues?\b/iu],
  ['volume', /\bvolumes?\b/iu],
  ['daily-traders', /\bdaily traders\b/iu],
  ['users', /\busers?\b/iu],
];

const named = (filter: string, name: string): string => (/\s/u.test(name) ? `${filter}:"${name}"` : `${filter}:${name}`);

/** Writes a rule for events that name something. Returns undefined if the text has no such limit. */
export function namingRule(heard: Heard): string | undefined {
  const { text, projects } = heard;
  if (isOfProjects(heard)) return `wallet projects:${[...new Set(projects.map(({ project }) => project.slug))].join(',')}`;
  const [, title = IN_TITLE.exec(text)?.[1]] = TITLED.test(text) ? (QUOTED.exec(text) ?? []) : [];
  if (title !== undefined && heard.has('proposal')) return `proposals ${named('title', title.trim())}`;
  const [, mentioned, only = mentioned] = MENTIONS.exec(text) ?? [];
  const isTitle = only !== undefined && !conceptsOf(stemOf(only.toLowerCase())).some((concept) => NO_TITLE.includes(concept));
  if (isTitle && heard.has('proposal')) return `proposals title:${only.toLowerCase()}`;
  const [, account] = ACCOUNT.exec(text) ?? [];
  if (account !== undefined && heard.has('payment')) return `movements ${named('account', account.trim())}`;
  const [, category, before] = CATEGORY.exec(text) ?? [];
  const word = (category ?? before)?.toLowerCase();
  if (word !== undefined && heard.has('payment')) return `movements category:${word}`;
  return heard.has('payment') && PAYROLL.test(text) ? 'movements category:payroll' : undefined;
}

/** Matches words for what a project pays the people who work for it. */
export const PAYROLL = /\bpay ?roll\b|\bsalar(?:y|ies)\b|\bwages?\b|\bremunerations?\b|\bstaff\b|\bcontributors\b.*\b(?:paid|pay)\b/iu;

/** Returns what limits a rule on events besides their size: "mints only", "only USDC", "fees only". */
export function limitsIn({ text }: Pick<Heard, 'text'>, kind: string): string | undefined {
  if (!LIMITS.test(text)) return undefined;
  if (kind === 'supply') {
    const [mints, burns] = [MINTS_ONLY.test(text), BURNS_ONLY.test(text)];
    const isBoth = /\bmint/iu.test(text) && /\bburn/iu.test(text);
    return isBoth || mints === burns ? undefined : `stages:${mints ? 'mint' : 'burn'}`;
  }
  if (kind === 'movements') {
    const token = TOKEN.exec(text)?.[1];
    return token === undefined ? undefined : `tokens:${token.toUpperCase()}`;
  }
  const metrics = kind === 'growth' ? METRICS.filter(([, form]) => form.test(text)) : [];
  return metrics.length === 0 ? undefined : `metrics:${metrics.map(([name]) => name).join(',')}`;
}

/** Returns the limit on the size of "only big mints", which says no amount. */
export const bigIn = ({ text }: Pick<Heard, 'text'>): string | undefined =>
  LIMITS.test(text) && BIG.test(text) ? `usd>${LARGE_EVENT}` : undefined;

const BIG = /\b(?:big|bigger|large|larger|huge|major)\s+(?:mints?|minting|burns?|burning|buybacks?)\b/iu;
/** The value is in USD. The size from which "big" mints and burns alert, as in the preset Important. */
const LARGE_EVENT = '10000';

const MINTS_ONLY =
  /\bmints? only\b|\bonly (?:(?:care|want|hear|interested|tell (?:me|us)|alert (?:me|us)|ping (?:me|us)|notify (?:me|us)|need)(?: to (?:see|hear))? (?:about|of|in)? ?)?(?:the )?(?:(?:really |very )?(?:big|bigger|large|larger|huge|major) )?(?:mints?|minting)\b/iu;
const BURNS_ONLY =
  /\bburns? only\b|\bonly (?:(?:care|want|hear|interested|tell (?:me|us)|alert (?:me|us)|ping (?:me|us)|notify (?:me|us)|need)(?: to (?:see|hear))? (?:about|of|in)? ?)?(?:the )?(?:(?:really |very )?(?:big|bigger|large|larger|huge|major) )?(?:burns?|burning)\b/iu;

const OVER =
  /\b(?:is|are|was|has|ends?|goes|gone|comes?|recovers?|recovered)\b(?:\s+\w+){0,2}\s+(?:over|back|ended|past|normal)\b|\bback to normal\b|\brather than (?:edit\w*|chang\w*)\b|\binstead of (?:edit\w*|chang\w*)\b/iu;
const OWN_MESSAGE = /\b(?:separate|new|own|another|extra) (?:message|alert|post|ping)s?\b/iu;
const EDITED = /\b(?:just |only |simply )?edit (?:the|that|your) (?:\w+ )?(?:message|alert|post)\b/iu;
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['premium', /\bpremium\b|\bdiscount\b/iu],
  ['treasury', /\btreasury\b|\brunway\b/iu],
  ['proposals', /\bproposals?\b|\bvotes?\b|\bmargin\b/iu],
];

/** Writes how the chat is notified when a condition is over. */
export function backRule({ text }: Pick<Heard, 'text'>): string | undefined {
  if (!OVER.test(text)) return undefined;
  const way = OWN_MESSAGE.test(text) ? 'message' : EDITED.test(text) ? 'edit' : undefined;
  const kind = KINDS.find(([, form]) => form.test(text))?.[0];
  return way === undefined || kind === undefined ? undefined : `${kind} back:${way}`;
}

const EXTREME =
  /\b(?:(\d{1,3})[ -]?|(?:a|one)[ -]|new )(?:(day|week|month|year|d|w|mo|y)s?[ -])(?:high|hi|low|lo|record|extreme|extrema)s?\b|\bnew (?:high|low|record)s?\b|\ball[- ]time (?:low|high)s?\b|\brecord (?:low|high|discount|premium)s?\b/iu;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365, d: 1, w: 7, mo: 30, y: 365 };
const USUAL_DAYS = 90;
const DEVIATIONS =
  /\b(\d(?:\.\d+)?)[ -](?:standard deviations?|std\.? ?devs?|sigmas?|sds?)\b|\bz-?scores?\b(?:\s+\w+){0,4}\s+(\d(?:\.\d+)?)(?![\d%])/iu;

/** Writes a rule that compares with the past: a new high of some days, or a number of standard deviations. */
export function unusualRule({ text }: Pick<Heard, 'text'>): string | undefined {
  const [deviates, size, behind] = DEVIATIONS.exec(text) ?? [];
  if (deviates !== undefined) return `premium z>${size ?? behind ?? ''}`;
  const [whole, count = '1', unit] = EXTREME.exec(text) ?? [];
  if (whole === undefined || /\b(?:runway|nav|treasury|margin)\b/iu.test(text)) return undefined;
  return `premium extreme ${unit === undefined ? USUAL_DAYS : Number(count) * (DAYS[unit.toLowerCase()] ?? 1)}d`;
}

/** Reads the hysteresis: how far a value must come back before the threshold can alert again. */
export function bandIn({ text }: Pick<Heard, 'text'>): string | undefined {
  const [, ...sizes] = BAND.exec(text) ?? [];
  return sizes.find((size) => size !== undefined);
}

const BAND =
  /\b(?:band|tolerance|toleranz|hysteresis)(?: of | is |:? )(\d+(?:\.\d+)?)|\b(\d+(?:\.\d+)?)(?:[ -](?:points?|percent)|%)? band\b|\bre-?arms?\b[^.;]{0,60}?\b(?:by|after|of)\s+(?:at least )?(\d+(?:\.\d+)?)|\bre-?arms? (\d+(?:\.\d+)?)(?= ?(?:points?|pts?)\b)|\brecover(?:ed|s|y)?\s+(?:by|of)\s+(?:at least )?(\d+(?:\.\d+)?)/iu;

const INFLOWS = '(?:inflows?|incoming(?: \\w+)?|deposits?|receipts?|payments in)';
const OUTFLOWS = '(?:outflows?|outgoing(?: \\w+)?|withdrawals?|payments out)';
const EXCLUDED = (direction: string): RegExp =>
  new RegExp(String.raw`,?\s*\b(?:but|and)?\s*(?:not|never|no|without)\s+(?:(?:of|about|on|for|the|any|to)\s+){0,2}${direction}\b`, 'giu');
const [NO_INFLOWS, NO_OUTFLOWS] = [EXCLUDED(INFLOWS), EXCLUDED(OUTFLOWS)];

/** Removes "but not of inflows", because the direction of the rule already says that. */
export const withoutOtherDirection = (text: string): string => text.replaceAll(NO_INFLOWS, ' ').replaceAll(NO_OUTFLOWS, ' ');
