/** A reply as each surface shows it, for people to read in a transcript. */
import type { Instant } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { plainText } from '../../src/chat/text.js';
import { embedOf } from '../../src/platforms/discord/render.js';
import { htmlOf } from '../../src/platforms/telegram/render.js';

const fenced = (language: string, text: string): string => `\`\`\`\`${language}\n${text}\n\`\`\`\``;

/** Plain text with its buttons and menus, then the markup of Discord and of Telegram. */
export function transcript(reply: Reply, now: Instant): string {
  return [
    fenced('text', [plainText(reply, now), ...(reply.chart === undefined ? [] : [`(picture: ${reply.chart.title})`])].join('\n')),
    'Discord',
    fenced('md', embedOf(reply).description ?? ''),
    'Telegram',
    fenced('html', htmlOf(reply, now)),
  ].join('\n\n');
}
