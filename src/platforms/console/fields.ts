/** Menus and text fields of a card, as ordinary forms. */
import { html } from 'hono/html';
import { MAX_LINE } from '../../chat/inbound.js';
import type { Field } from '../../chat/reply.js';
import { bare, clean } from './sanitize.js';

type Html = ReturnType<typeof html>;
const nothing = html``;

export function fields(all: readonly Field[], message: number): Html {
  if (all.length === 0) return nothing;
  return html`<div class="fields">${all.map((field, index) => one(field, `field-${message}-${index}`))}</div>`;
}

const one = (field: Field, id: string): Html => (field.kind === 'menu' ? menu(field, id) : text(field, id));

function menu({ label, options }: Extract<Field, { kind: 'menu' }>, id: string): Html {
  const inForce = options.filter(({ on }) => on).length;
  return html`<form class="menu">
    <label for="${id}" dir="auto">${clean(label)}</label>
    <div class="entry">
      <select id="${id}" autocomplete="off">
        ${inForce === 1 ? nothing : html`<option value="" selected>Choose …</option>`}
        ${options.map(
          (option) =>
            html`<option value="${bare(option.line)}" ${option.on && inForce === 1 ? html`selected` : nothing}>
              ${`${option.on && inForce > 1 ? '✓ ' : ''}${clean(option.label)}${option.hint === '' ? '' : ` · ${clean(option.hint)}`}`}
            </option>`,
        )}
      </select>
      <button type="submit">Choose</button>
    </div>
  </form>`;
}

function text({ label, hint, line, lines = false }: Extract<Field, { kind: 'text' }>, id: string): Html {
  const longest = MAX_LINE - line.length;
  const described = hint === '' ? nothing : html`aria-describedby="${id}-hint"`;
  return html`<form class="fill" data-fill="${bare(line)}" autocomplete="off">
    <label for="${id}" dir="auto">${clean(label)}</label>
    <div class="entry">
      ${
        lines
          ? html`<textarea
              id="${id}"
              rows="4"
              required
              maxlength="${longest}"
              autocapitalize="none"
              spellcheck="false"
              ${described}
            ></textarea>`
          : html`<input id="${id}" type="text" required maxlength="${longest}" autocapitalize="none" spellcheck="false" ${described} />`
      }
      <button type="submit">Send</button>
    </div>
    ${hint === '' ? nothing : html`<p class="hint" id="${id}-hint" dir="auto">${clean(hint)}</p>`}
  </form>`;
}
