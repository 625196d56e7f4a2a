/** Finds questions about the bot that one page answers: who may do what, topics, other people's data, alerts that did not arrive. Pure. */
import type { Heard } from './heard.js';

const CHANGES = String.raw`(?:change|edit|set|manage|mute|unmute|add|remove|configure|control|modify|delete|adjust|press|use|touch)`;
const CHANGED = String.raw`(?:watch ?lists?|settings?|alerts?|rules?|thresholds?|mutes?|digests?|boards?|lists?|bots?|quiet hours|timezones?|things|stuff|this|it|everything|buttons?|you)`;
const PEOPLE = String.raw`(?:(?:only )?(?:the )?(?:group |channel |server )?(?:moderators?|mods?|admins?|administrators?|members?|users?|people|others)|any ?(?:one|body)|every ?(?:one|body)|non-admins?)`;
const PERMISSIONS = new RegExp(
  String.raw`\bwho(?:ever)? (?:all )?(?:can|may|could|is allowed to|are allowed to|is able to|has the right to) ${CHANGES}\b(?: \w+){0,3}? ${CHANGED}\b|\b(?:can|may|could|are|is) ${PEOPLE} (?:also |allowed to )?${CHANGES}\b(?: \w+){0,3}? ${CHANGED}\b|\bdo i (?:need|have) to be (?:an? )?(?:admin|administrator|moderator|mod)\b|\bwh(?:at|ich) (?:permissions?|rights?|roles?) do (?:i|members|moderators|mods|admins|people) need\b`,
  'iu',
);
const TOPICS =
  /\b(?:move|send|post|put|redirect|route|switch|have|get|want|change)\b.*\b(?:another|other|different|new|right|its own|own|separate)\s+(?:topic|thread)s?\b|\bhow do(?:es)? (?:the )?(?:forum )?(?:topics?|threads?) work\b|\b(?:alerts?|messages?)\b.*\bwrong (?:topic|thread)\b|\bwhich (?:topic|thread)\b.*\balerts?\b/iu;
const FORGET = String.raw`\b(?:forget|delete|erase|remove|wipe|purge)`;
const FORGETTING = new RegExp(
  String.raw`${FORGET} (?:the |a |an |that |this |another )?(?:users?|members?|person|someone|somebody)\b|${FORGET} (?:(?:all |the |any |stored |personal )*(?:data|records?|everything|info|information|name|id) )(?:of|about|on|from) (?:the |a |an |that |another )?(?:@|users?\b|members?\b|person\b|someone\b|somebody\b|him\b|her\b|them\b)|${FORGET} (?:all (?:of )?)?(?:his|her|their|@?\w{2,}['’]s) (?:data|name|id|records?)\b|${FORGET} @\w`,
  'iu',
);

/** Only /why tells what became of every change, sent or not. */
const NOT_SENT =
  /\b(?:which|what|any|show|list|were there|are there)\b(?:\W+\w+){0,3}?\W+(?:alerts?|messages?|pings?|notifications?|deliver(?:y|ies))\b.*\b(?:fail(?:ed|s|ures?)?|(?:not|never|didn['’]?t|weren['’]?t|wasn['’]?t) (?:been )?(?:sent|arrived?|delivered|come|go out|posted|get through)|undelivered|dropped|lost|missed|missing|suppressed|abandoned|skipped)\b|\b(?:failed|undelivered|dropped|missed|lost|missing|suppressed) (?:alerts?|messages?|deliver(?:y|ies)|pings?|notifications?)\b|\bwhat\W+(?:alerts? )?(?:has |have |was |were )?(?:not|never|didn['’]?t|wasn['’]?t|hasn['’]?t|weren['’]?t) (?:been )?(?:sent|arrived?|delivered|come|go out|get through|posted)\b/iu;

/** Returns the line of the page that answers; undefined for another text. */
export function helpAsked({ text, projects, wallets }: Pick<Heard, 'text' | 'projects' | 'wallets'>): string | undefined {
  if (PERMISSIONS.test(text)) return '/help permissions';
  if (TOPICS.test(text)) return '/help topics';
  if (projects.length + wallets.length === 0 && NOT_SENT.test(text)) return '/why';
  return projects.length + wallets.length === 0 && FORGETTING.test(text) ? '/help forgetting' : undefined;
}
