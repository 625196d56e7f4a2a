/** A reply as each surface shows it, for people to read in a transcript. */
import type { Instant } from '../../src/base/clock.js';
import type { Reply } from '../../src/chat/reply.js';
import { plainText } from '../../src/chat/plain-text.js';
import { rendered } from '../../src/platforms/discord/render.js';
import { htmlOf } from '../../src/platforms/telegram/render.js';

const fenced = (language: string, text: string): string => `\`\`\`\`${language}\n${text}\n\`\`\`\``;

/** Plain text with its buttons and menus, then the markup of Discord and of Telegram. */
export function transcript(reply: Reply, now: Instant): string {
  return [
    fenced('text', [plainText(reply, now), ...(reply.chart === undefined ? [] : [`(picture: ${reply.chart.title})`])].join('\n')),
    'Discord',
    fenced('md', onDiscord(reply)),
    'Telegram',
    fenced('html', htmlOf(reply, now)),
  ].join('\n\n');
}

/** The content, then the embed: title, description, fields and footer. */
function onDiscord(reply: Reply): string {
  const { content, embed } = rendered(reply);
  if (embed === undefined) return content;
  const { title, url, description, fields = [], footer, timestamp } = embed;
  const under = [footer?.text, timestamp === undefined ? undefined : `<${timestamp}>`].filter((part) => part !== undefined).join(' · ');
  return [
    content,
    '┌',
    ...(title === undefined ? [] : [`# ${title}${url === undefined ? '' : ` (${url})`}`]),
    ...(description === undefined ? [] : [description]),
    ...fields.map(({ name, value, inline }) =>
      inline === true ? `[${name}: ${value}]` : name === '\u200b' ? `--\n${value}` : `## ${name}\n${value}`,
    ),
    ...(under === '' ? [] : [`_${under}_`]),
    '└',
  ].join('\n');
}
