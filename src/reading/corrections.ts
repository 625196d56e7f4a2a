/** Reads the answer to a proposed change whose button was not pressed yet: "yes", "no", "-15", "for alder instead". Pure. */
import { commandLine } from '../chat/command-line.js';
import type { Amount } from './amounts.js';
import type { Heard } from './heard.js';
import { fillLine } from './slots.js';
import { clockText } from './times.js';

/** `again`: the person agreed in words, but only the button applies a change, so it is shown again. */
export type AfterCard =
  | { readonly kind: 'again' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'corrected'; readonly lines: readonly [string, ...string[]] };

const YES =
  /^\s*(?:(?:yes|yep|yeah|yup|ye|y|ok(?:ay)?|sure|please|pls|do it|do that|set it|go ahead|go|confirm(?:ed)?|correct|right|exactly|perfect|both|all of them|sounds good|lgtm)[\s,.!]*){1,4}$/iu;
const NO = /^\s*(?:(?:no|nope|nah|cancel|never ?mind|nvm|forget it|don'?t|stop|not that|leave it|thanks|thank you)[\s,.!]*){1,3}$/iu;
const CORRECTS =
  /^\s*(?:no|nope|nah|not)\s*[,.:;–-]|^\s*(?:no|nope|not)(?:\s+\S+){1,3}\s*$|^\s*(?:wait|sorry|actually|rather|make (?:it|that)|better|i meant?|meant|change (?:it|that)?\s*to|change it|but|instead|for|with|at|until|till|and|the same for|same for)\b|\b(?:instead|rather)\b/iu;

/** Returns undefined if the text is not about the change. `lines` are the command lines of the proposal. */
export function afterCard(heard: Heard, lines: readonly [string, ...string[]]): AfterCard | undefined {
  if (YES.test(heard.text)) return { kind: 'again' };
  if (NO.test(heard.text)) return { kind: 'dropped' };
  const isBare =
    heard.words.length <= 3 &&
    heard.words.every(({ stem, concepts, token }) => stem === '' || /\d/u.test(token.word) || concepts.includes('ignore'));
  if (!CORRECTS.test(heard.text) && !isBare) return undefined;
  const [line] = lines;
  const corrected = withProject(withValue(line, heard), heard);
  return corrected === line ? undefined : { kind: 'corrected', lines: [corrected] };
}

const CHANGES_PROJECT = /^\/(?:watch|unwatch|mute|unmute|alerts) /u;

function withProject(line: string, { projects }: Heard): string {
  const slug = projects.at(-1)?.project.slug;
  return slug === undefined || !CHANGES_PROJECT.test(line) ? line : line.replace(/^(\/\w+ )\S+/u, (_, head: string) => `${head}${slug}`);
}

function withValue(line: string, heard: Heard): string {
  const { amounts, times } = heard;
  if (line.startsWith('/mute ')) {
    const [, ...until] = fillLine('/mute {until?}', heard, () => [])?.split(' ') ?? [];
    const [, who = ''] = /^\/mute ((?:[^\d\s]\S* ?)*)/u.exec(line) ?? [];
    return until.length === 0 ? line : commandLine('mute', ...who.split(' ').filter((word) => word !== '' && word !== 'off'), ...until);
  }
  if (times.hours !== undefined && line.startsWith('/settings quiet')) return `/settings quiet ${times.hours.from}-${times.hours.to}`;
  if (times.clock !== undefined && line.startsWith('/digest')) return line.replace(/\d{1,2}:\d{2}/u, clockText(times.clock));
  const amount = amounts.at(-1);
  return amount === undefined || !line.startsWith('/alerts ') ? line : withAmount(line, amount);
}

const COMPARED = /([<>])(-?)(\d+(?:\.\d+)?)(?!.*\d)/u;

/** Keeps the sign and the comparison unless the text states one: "12%" turns "premium<-10" into "premium<-12". */
function withAmount(line: string, { value, negative, by, unit }: Amount): string {
  const isRunway = /\brunway/u.test(line);
  if (isRunway !== ['months', 'years'].includes(unit) && unit !== '') return line;
  if (!COMPARED.test(line)) return line.replace(/\bmove \d+(?:\.\d+)?/u, `move ${value}`);
  return line.replace(COMPARED, (_, side: string, sign: string) => {
    const isPremium = /\bpremium[<>]/u.test(line);
    const turned = by ?? side;
    const minus = negative || (isPremium && (by === undefined ? sign === '-' : by === '<' && sign === '-')) ? '-' : '';
    return `${turned}${minus}${unit === 'years' ? String(Number(value) * 12) : value}`;
  });
}
