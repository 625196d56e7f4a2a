/** A message of Discord, as the stand-in received it, in the colours and sizes of the client's dark theme. */
import { z } from 'zod';
import type { Form, Seen, SeenComponent, SeenEmbed } from '../stand-ins/discord/types.js';
import { escaped, pngUrl } from './markup.js';

export const DISCORD_STYLE = `body{background:#313338;color:#dbdee1;font:16px/1.375 "Noto Sans","DejaVu Sans",sans-serif}
.m{display:flex;gap:16px}.face{flex:none;width:40px;height:40px;border-radius:50%;background:#5865f2}.b{min-width:0;flex:1}
.who{font-weight:500;color:#f2f3f5}.app{background:#5865f2;color:#fff;font-size:10px;border-radius:3px;padding:1px 4px;margin:0 6px}
.only,.at{color:#949ba4;font-size:12px}.e{max-width:520px;background:#2b2d31;border-left:4px solid;border-radius:4px;padding:8px 16px 14px 12px;margin-top:6px;font-size:14px;line-height:18px}
.e h4{margin:8px 0 4px;font-size:16px;color:#f2f3f5}.e img,.b>img{max-width:100%;border-radius:4px;margin-top:12px}.f{display:flex;flex-wrap:wrap;gap:8px 16px;margin-top:8px}.f div{flex:0 0 100%}
.f div.in{flex:0 0 calc(33% - 12px)}.f b{display:block}.foot{font-size:12px;margin-top:8px}a{color:#00a8fc;text-decoration:none}
pre{background:#1e1f22;border:1px solid #1e1f22;border-radius:4px;padding:7px;margin:4px 0;font:14px/18px "DejaVu Sans Mono",monospace;white-space:pre-wrap}
code{background:#1e1f22;border-radius:3px;padding:0 3px;font:85% "DejaVu Sans Mono",monospace}small{color:#949ba4;font-size:12px}
.t{background:#3a3c42;border-radius:3px}.p{background:#3c4270;color:#c9cdfb;border-radius:3px;padding:0 2px}blockquote{margin:0;border-left:4px solid #4e5058;padding-left:12px}
.r{display:flex;flex-wrap:wrap;gap:8px;margin-top:8px}.k{border-radius:3px;padding:7px 16px;font-size:14px;font-weight:500;color:#fff;background:#4e5058}
.k1{background:#5865f2}.k3{background:#248046}.k4{background:#da373c}.s{flex:0 0 400px;max-width:100%;background:#1e1f22;border-radius:4px;padding:9px;font-size:14px;color:#949ba4}
.pin{color:#949ba4;font-size:12px}.tag{display:inline-block;background:#3f4147;border-radius:10px;padding:1px 8px;font-size:12px;margin-right:4px}h3{margin:0 0 6px;color:#f2f3f5;font-size:18px}
.form{max-width:440px;background:#2b2d31;border-radius:8px;padding:16px}.part{margin-top:14px}.wide{display:block;min-height:38px}`;

export interface DiscordNames {
  readonly roles: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

const INLINE =
  /\\([^\w\s])|```\n?([\s\S]*?)\n?```|`([^`]+)`|\*\*((?:\\.|[^*\\]|\*(?!\*))+)\*\*|\[((?:\\.|[^\]\\])+)\]\(<?(https?:[^>)\s]+)>?\)|<t:(\d+):(\w)>|<@&(\d+)>|<@!?(\d+)>|<#(\d+)>|<\/([^:>]+):\d+>|<(https?:[^>\s]+)>|\*((?:\\.|[^*\\])+)\*|([\s\S])/gu;

/** Times are those of a reader in Berlin, as a client shows its reader's own. */
function timeOf(seconds: number, style: string): string {
  const at = new Date(seconds * 1_000);
  const zone = { timeZone: 'Europe/Berlin' } as const;
  if (style === 'R') return 'in a while';
  const time = at.toLocaleTimeString('en-US', { ...zone, hour: '2-digit', minute: '2-digit' });
  const day = at.toLocaleDateString('en-US', { ...zone, year: 'numeric', month: 'long', day: 'numeric' });
  return style === 't' ? time : style === 'd' || style === 'D' ? day : `${day} ${time}`;
}

function inlineOf(markdown: string, names: DiscordNames): string {
  return [...markdown.matchAll(INLINE)]
    .map(([whole, literal, block, code, strong, label, , seconds, style, role, user, channel, command, bare, slanted]) => {
      if (literal !== undefined) return escaped(literal);
      if (block !== undefined) return `<pre>${escaped(block)}</pre>`;
      if (code !== undefined) return `<code>${escaped(code)}</code>`;
      if (strong !== undefined) return `<b>${inlineOf(strong, names)}</b>`;
      if (label !== undefined) return `<a>${inlineOf(label, names)}</a>`;
      if (seconds !== undefined) return `<span class="t">${timeOf(Number(seconds), style ?? 'f')}</span>`;
      if (role !== undefined) return `<span class="p">@${escaped(names.roles.get(role) ?? 'deleted-role')}</span>`;
      if (user !== undefined) return `<span class="p">@member</span>`;
      if (channel !== undefined) return `<span class="p">#${escaped(names.channels.get(channel) ?? 'unknown')}</span>`;
      if (command !== undefined) return `<span class="p">/${escaped(command)}</span>`;
      if (slanted !== undefined) return `<i>${inlineOf(slanted, names)}</i>`;
      return bare === undefined ? escaped(whole) : `<a>${escaped(bare)}</a>`;
    })
    .join('');
}

/** Fences are cut out first, because lines inside them have no markup. */
const blocksOf = (markdown: string, names: DiscordNames): string =>
  markdown
    .split(/(```\n?[\s\S]*?\n?```)/u)
    .filter((piece) => piece !== '' && piece !== '\n')
    .map((piece) =>
      piece.startsWith('```')
        ? inlineOf(piece, names)
        : piece
            .replace(/^\n|\n$/gu, '')
            .split('\n')
            .map((line) => lineOf(line, names))
            .join(''),
    )
    .join('');

function lineOf(line: string, names: DiscordNames): string {
  const [, mark = '', rest = ''] = /^(-# |> |# |## |### |[-*] )?([\s\S]*)$/u.exec(line) ?? [];
  const inner = inlineOf(rest, names);
  if (mark === '-# ') return `<div><small>${inner}</small></div>`;
  if (mark === '> ') return `<blockquote>${inner}</blockquote>`;
  if (mark.startsWith('#')) return `<h4>${inner}</h4>`;
  return `<div>${mark === '' ? '' : '• '}${inner || '&nbsp;'}</div>`;
}

const embedHtml = (
  { color = 0, title, description = '', fields = [], footer, image, timestamp }: SeenEmbed,
  files: Seen['files'],
  names: DiscordNames,
): string => {
  const [file] = files;
  const below = [footer?.text, timestamp === undefined ? undefined : timeOf(Date.parse(timestamp) / 1_000, 'f')].filter(
    (text) => text !== undefined,
  );
  return `<div class="e" style="border-color:#${color.toString(16).padStart(6, '0')}">${title === undefined ? '' : `<h4>${inlineOf(title, names)}</h4>`}${blocksOf(description, names)}${
    fields.length === 0
      ? ''
      : `<div class="f">${fields.map(({ name, value, inline = false }) => `<div class="${inline ? 'in' : ''}"><b>${inlineOf(name, names)}</b>${blocksOf(value, names)}</div>`).join('')}</div>`
  }${image !== undefined && file !== undefined ? `<img src="${pngUrl(file.bytes)}">` : ''}${below.length === 0 ? '' : `<div class="foot">${escaped(below.join(' • '))}</div>`}</div>`;
};

function componentHtml({ type, label = '', style = 2, placeholder = '', options = [] }: SeenComponent): string {
  if (type !== 3) return `<span class="k k${style}">${escaped(label)}${style === 5 ? ' ↗' : ''}</span>`;
  const chosen = options.find((option) => option.default === true);
  return `<span class="s">${escaped(chosen?.label ?? placeholder)} ▾</span>`;
}

export function discordMessage(message: Seen, names: DiscordNames): string {
  const { content, embeds, rows, files, ephemeral, pinned, edits } = message;
  const loose = embeds.some(({ image }) => image !== undefined) ? [] : files.filter(({ name }) => name.endsWith('.png'));
  return `<div class="m"><div class="face"></div><div class="b"><span class="who">Navwatch</span><span class="app">APP</span>${pinned ? '<span class="pin">pinned</span>' : ''}${content === '' ? '' : `<div>${blocksOf(content, names)}${edits > 0 ? ' <span class="at">(edited)</span>' : ''}</div>`}${embeds
    .map((embed) => embedHtml(embed, files, names))
    .join('')}${loose.map(({ bytes }) => `<img src="${pngUrl(bytes)}">`).join('')}${rows
    .map((row) => `<div class="r">${row.map(componentHtml).join('')}</div>`)
    .join('')}${ephemeral ? '<div class="only">Only you can see this</div>' : ''}</div></div>`;
}

export const forumPost = (
  { name, tags, archived }: { readonly name: string; readonly tags: readonly string[]; readonly archived: boolean },
  message: string,
): string =>
  `<h3>${escaped(name)}</h3><div style="margin-bottom:8px">${tags.map((tag) => `<span class="tag">${escaped(tag)}</span>`).join('')}${archived ? '<span class="tag">closed</span>' : ''}</div>${message}`;

const formSchema = z.array(
  z.object({
    label: z.string().default(''),
    description: z.string().optional(),
    content: z.string().optional(),
    component: z
      .object({
        type: z.int(),
        value: z.string().default(''),
        placeholder: z.string().default(''),
        options: z.array(z.object({ label: z.string(), default: z.boolean().default(false) })).default([]),
      })
      .optional(),
  }),
);

/** Types of parts that show all their choices: https://docs.discord.com/developers/components/reference#radio-group */
const OPEN = new Set([21, 22, 23]);

export function discordForm({ title, raw }: Form): string {
  const parts = formSchema.parse(raw['components']).map(({ label, description, content = '', component }) => {
    const [name, hint] = [escaped(label || content), description === undefined ? '' : `<div><small>${escaped(description)}</small></div>`];
    return `<div class="part"><b>${name}</b>${hint}${component === undefined ? '' : fieldHtml(component)}</div>`;
  });
  return `<div class="form"><h3>${escaped(title)}</h3>${parts.join('')}</div>`;
}

function fieldHtml({ type, options, value, placeholder }: NonNullable<z.infer<typeof formSchema>[number]['component']>): string {
  if (OPEN.has(type)) return `<div>${options.map((option) => `${option.default ? '◉' : '○'} ${escaped(option.label)}`).join('<br>')}</div>`;
  const chosen = options.flatMap((option) => (option.default ? [option.label] : [])).join(', ');
  return `<span class="s wide">${escaped(chosen || value || placeholder)}${options.length > 0 ? ' ▾' : ''}</span>`;
}
