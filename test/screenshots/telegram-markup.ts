/** A message of Telegram, as the stand-in received it, drawn from its entities as a client in dark mode does. */
import type { MessageEntity } from 'grammy/types';
import type { SeenMessage } from '../stand-ins/telegram/control.js';
import { escaped, pngUrl } from './markup.js';

export const TELEGRAM_STYLE = `body{background:#0e1621;color:#f5f5f5;font:15px/1.35 "Noto Sans","DejaVu Sans",sans-serif}
.w{max-width:460px}.m{background:#182533;border-radius:12px;overflow:hidden}.x{padding:7px 11px;white-space:pre-wrap;overflow-wrap:anywhere}.m img{display:block;width:100%}
.r{display:flex;gap:4px;margin-top:4px}.k{flex:1;min-width:0;background:#2b3b4d;border-radius:7px;padding:8px 6px;text-align:center;font-size:14px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.danger{background:#b3393f}.primary{background:#2f6ea5}.success{background:#2f7d4f}.at{color:#7d8b99;font-size:12px;padding:0 11px 6px;text-align:right}
a{color:#6ab3f3;text-decoration:none}code,pre{font:13.5px/1.35 "DejaVu Sans Mono",monospace;color:#8fc4f5;margin:0;white-space:pre-wrap}.t{text-decoration:underline dotted}
blockquote{margin:2px 0;border-left:3px solid #6ab3f3;background:#1f3347;border-radius:4px;padding:3px 8px;position:relative}.cut{display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.more{color:#6ab3f3;font-size:12px}.kb{margin-top:8px;display:flex;gap:6px}.kb span{flex:1;background:#22303f;border-radius:6px;padding:9px;text-align:center}`;

const TAGS: Partial<Record<MessageEntity['type'], string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
};

function tagsOf(entity: MessageEntity): readonly [string, string] {
  const tag = TAGS[entity.type];
  if (tag !== undefined) return [`<${tag}>`, `</${tag}>`];
  if (entity.type === 'expandable_blockquote')
    return ['<blockquote><div class="cut">', '</div><span class="more">⌄ more</span></blockquote>'];
  if (entity.type === 'date_time') return ['<span class="t">', '</span>'];
  return ['text_link', 'url', 'bot_command', 'mention', 'text_mention'].includes(entity.type) ? ['<a>', '</a>'] : ['', ''];
}

/** Entities are nested and never cross, so each stretch is written with those inside it. */
function textHtml(text: string, entities: readonly MessageEntity[]): string {
  const sorted = entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
  const write = (from: number, to: number, inside: readonly MessageEntity[]): string => {
    let [at, html] = [from, ''];
    for (let index = 0; index < inside.length; index += 1) {
      const entity = inside[index]!;
      if (entity.offset < at) continue;
      const end = entity.offset + entity.length;
      const [open, close] = tagsOf(entity);
      const within = inside.slice(index + 1).filter(({ offset, length }) => offset >= entity.offset && offset + length <= end);
      html += escaped(text.slice(at, entity.offset)) + open + write(entity.offset, end, within) + close;
      at = end;
    }
    return html + escaped(text.slice(at, to));
  };
  return write(0, text.length, sorted);
}

export function telegramMessage({ text, entities, buttons, replyKeyboard, file, edits, pinned, silent }: SeenMessage): string {
  const marks = [pinned ? 'pinned' : '', silent ? 'silent' : '', edits > 0 ? 'edited' : ''].filter((mark) => mark !== '');
  const picture = file === undefined || !file.name.endsWith('.png') ? '' : `<img src="${pngUrl(file.bytes)}">`;
  const keys = buttons.map(
    (row) =>
      `<div class="r">${row.map(({ text: label, url, style = '' }) => `<span class="k ${style}">${escaped(label)}${url === undefined ? '' : ' ↗'}</span>`).join('')}</div>`,
  );
  const list =
    replyKeyboard === undefined ? '' : `<div class="kb">${replyKeyboard.map((label) => `<span>${escaped(label)}</span>`).join('')}</div>`;
  return `<div class="w"><div class="m">${picture}<div class="x">${textHtml(text, entities)}</div><div class="at">${escaped(marks.join(' · '))}</div></div>${keys.join('')}${list}</div>`;
}
