/** Renders messages as HTML and escapes external text. */
import { html, raw } from 'hono/html';
import { never } from '../../base/never.js';
import { oneLine } from '../../base/one-line.js';
import { MAX_LINE } from '../../chat/inbound.js';
import { alternativeText } from '../../chat/chart.js';
import { andMore, lineText } from '../../chat/plain-text.js';
import { TONES, type Block, type Field, type Line, type Reply, type Span, type Tone } from '../../chat/reply.js';
import { clockTime, relative } from '../../domain/format.js';
import type { HttpsUrl } from '../../domain/links.js';
import type { Instant } from '../../domain/scalars.js';
import { safeName } from '../attachments.js';
import { isoText, type ConsoleMessage } from './conversation-log.js';
import { pictureFrame } from './picture.js';

const UNWANTED = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const BEFORE_UNIT = /(?<=\d) (?=%|[KMBT]\b)/gu;

/** Removes control and direction characters. Line breaks stay. */
export const bare = (text: string): string => text.replace(UNWANTED, '');

export const clean = (text: string): string => oneLine(text).replace(BEFORE_UNIT, '\u00a0');

export type Html = ReturnType<typeof html>;
const nothing = html``;

/** Renders a message. Ages are as of the message's time; the page updates them. */
export async function renderMessage(message: ConsoleMessage): Promise<string> {
  const { reply, at } = message;
  const tone = reply?.tone ?? 'plain';
  const body = reply === undefined ? said(message) : card(reply, message);
  return String(
    await html`<article class="message ${message.kind} tone-${tone}" data-id="${message.id}" data-at="${isoText(at) ?? ''}">
      <header>${heading(message.kind)}${moment(at, at, { as: 'clock', zone: reply?.zone })}</header>
      ${body}
    </article>`,
  );
}

/** Renders a row of the timeline: the alert's first line, which opens to the whole alert. */
export async function renderRow(message: ConsoleMessage): Promise<string> {
  const { id, at, reply, text, sample, about = [] } = message;
  const { tone = 'plain', finding = [text], zone } = reply ?? {};
  const tags = [...new Set(about.map(({ kind }) => kind))].slice(0, MAX_TAGS);
  return String(
    await html`<details class="row-of-alert tone-${tone}" data-row="${id}">
      <summary>
        ${moment(at, at, { as: 'clock', zone })}${glyph(tone)}<span class="said-short" dir="auto">${line(unlinked(finding), at)}</span>
        ${sample === true ? SAMPLE : nothing}${tags.map((tag) => html`<span class="tag"><bdi>${clean(tag)}</bdi></span>`)}
      </summary>
      ${raw(await renderMessage(message))}
    </details>`,
  );
}

const MAX_TAGS = 2;
const SAMPLE = html`<span class="tag sample">sample</span>`;

/** Replaces links by their text, because a link in the row's summary would look like part of its opener. */
const unlinked = (spans: Line): Line => spans.map((span) => (typeof span === 'object' && 'link' in span ? span.link : span));

function said({ text, sent = [] }: ConsoleMessage): Html {
  const along = sent.map(({ name, size }) => html`<span class="sent">${clean(name)} · ${kilobytes(size)}</span>`);
  return html`<p class="said" dir="auto">${bare(text)}${along}</p>`;
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024).toLocaleString('en-US')} KB`;

function heading(kind: ConsoleMessage['kind']): Html {
  switch (kind) {
    case 'question':
      return html`<span class="unseen">You asked</span>`;
    case 'reply':
      return html`<span class="unseen">Answer</span>`;
    case 'alert':
      return html`<span class="unseen">Alert</span>`;
    default:
      return never(kind);
  }
}

function card(reply: Reply, { id, at, sample, editedAt: now = at }: ConsoleMessage): Html {
  // A finding is emphasised as a whole if no part of it is.
  const whole = reply.finding.some((span) => typeof span !== 'string' && 'strong' in span) ? '' : ' whole';
  return html`<div class="card">
    <h3 class="finding${whole}" dir="auto">${glyph(reply.tone)}${sample === true ? SAMPLE : nothing}${line(reply.finding, now)}</h3>
    ${pictureFrame(reply.chart, clean(pictureWords(reply, now)))} ${reply.blocks.map((block) => renderBlock(block, now))} ${files(reply)}
    ${fields(reply.fields, id)} ${buttons(reply)} ${foot(reply, now)}
  </div>`;
}

/** Returns the picture's alternative text. Except for ranges, the finding says what the picture shows. */
const pictureWords = ({ chart, finding, zone }: Reply, now: Instant): string =>
  chart?.kind === 'ranges' ? alternativeText(chart) : lineText(finding, now, zone);

/** A measurement with more characters spans two columns. */
const WIDE = 16;

function renderBlock(block: Block, now: Instant): Html {
  switch (block.kind) {
    case 'line':
      return isHeading(block.line)
        ? html`<h4 class="section" dir="auto">${line(block.line, now)}</h4>`
        : html`<p class="line" dir="auto">${line(block.line, now)}</p>`;
    case 'figures':
      return html`<dl class="figures">
        ${block.items.map(
          (item) =>
            html`<div class="${item.value.length > WIDE ? 'wide' : ''}">
              <dt dir="auto">${clean(item.label)}</dt>
              <dd dir="auto">${clean(item.value)}</dd>
            </div>`,
        )}
      </dl>`;
    case 'list':
      return html`<ul class="list">
          ${block.items.map(
            (item) =>
              html`<li>
                ${glyph(item.tone)}
                <div>
                  <p dir="auto">${line(item.line, now)}</p>
                  ${item.detail === undefined ? nothing : html`<p class="detail" dir="auto">${line(item.detail, now)}</p>`}
                </div>
              </li>`,
          )}
        </ul>
        ${more(block.more)}`;
    case 'table':
      return table(block);
    default:
      return never(block);
  }
}

const isHeading = ([first, ...others]: Line): boolean => typeof first === 'object' && 'strong' in first && others.length === 0;

function table(block: Extract<Block, { kind: 'table' }>): Html {
  const side = (index: number) => block.columns[index]?.align ?? 'left';
  return html`<div class="sheet" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            ${block.columns.map((column) => html`<th scope="col" class="${column.align}">${sorter(column.title, block.rows.length)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${block.rows.map(
            (row) =>
              html`<tr>
                ${row.map((cell, index) => html`<td class="${side(index)}" dir="auto">${clean(cell)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${more(block.more)}`;
}

const sorter = (title: string, rows: number): Html =>
  rows < 2 || title.trim() === ''
    ? html`<bdi>${clean(title)}</bdi>`
    : html`<button type="button" class="sorter"><bdi>${clean(title)}</bdi></button>`;

const more = (count: number): Html => html`${andMore(count).map((text) => html`<p class="more">${text}</p>`)}`;

function files(reply: Reply): Html {
  if (reply.files.length === 0) return nothing;
  return html`<p class="files">
    ${reply.files.map(
      ({ name }, index) => html`<a data-file="${index}" download="${safeName(name, index)}"><bdi>${clean(safeName(name, index))}</bdi></a>`,
    )}
  </p>`;
}

function buttons({ links, actions }: Pick<Reply, 'links' | 'actions'>): Html {
  if (links.length + actions.length === 0) return nothing;
  return html`<div class="actions">
    ${links.map(({ label, url }) => anchor(label, url))}
    ${actions.map(
      (action) =>
        html`<button
          type="button"
          data-line="${bare(action.line)}"
          title="${bare(action.line)}"
          ${action.on ? html`aria-pressed="true"` : nothing}
          ${action.emphasis === undefined ? nothing : html`data-emphasis="${action.emphasis}"`}
        >
          <bdi>${clean(action.label)}</bdi>
        </button>`,
    )}
  </div>`;
}

const foot = (reply: Reply, now: Instant): Html =>
  html`<footer>
    ${age(reply, now)}<button type="button" class="quiet previewer" title="As Discord, Telegram and text show it">Preview</button>
  </footer>`;

function age({ asOf, old = false, stale }: Reply, now: Instant): Html {
  const at = asOf === undefined || isoText(asOf) === undefined ? undefined : moment(asOf, now);
  if (stale !== undefined) {
    const copy = at === undefined ? nothing : html` Showing data from ${at}.`;
    return html`<p class="age stale">
      ${glyph('warning')}<span><bdi>${clean(stale)}</bdi>${copy}</span>
    </p>`;
  }
  if (at === undefined) return html`<p class="age"></p>`;
  return old ? html`<p class="age stale">${glyph('warning')}<span>Updated ${at}</span></p>` : html`<p class="age">Updated ${at}</p>`;
}

function glyph(tone: Tone): Html {
  return TONES[tone] === '' ? nothing : html`<span class="glyph ${tone}">${TONES[tone]}</span>`;
}

export const line = (spans: Line, now: Instant): Html => html`${spans.map((span) => renderSpan(span, now))}`;

const anchor = (label: string, url: HttpsUrl): Html =>
  html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow"><bdi>${clean(label)}</bdi></a>`;

function renderSpan(span: Span, now: Instant): Html {
  if (typeof span === 'string') return html`<bdi>${clean(span)}</bdi>`;
  if ('strong' in span) return html`<strong><bdi>${clean(span.strong)}</bdi></strong>`;
  if ('code' in span) return html`<code><bdi>${clean(span.code)}</bdi></code>`;
  if ('link' in span) return anchor(span.link, span.url);
  return moment(span.at, now, { as: span.exact === true ? 'exact' : 'ago' });
}

/** Renders an age or a time of day, which the page replaces with the reader's local time. */
function moment(
  at: Instant,
  now: Instant,
  { as = 'ago', zone }: { readonly as?: 'ago' | 'clock' | 'exact'; readonly zone?: string | undefined } = {},
): Html {
  const iso = isoText(at);
  if (iso === undefined) return html`n/a`;
  return html`<time class="${as}" datetime="${iso}">${as === 'ago' ? relative(at, now) : clockTime(at, now, zone)}</time>`;
}

/** Renders the menus and text fields of a card as forms. */
function fields(all: readonly Field[], message: number): Html {
  if (all.length === 0) return nothing;
  return html`<div class="fields">${all.map((field, index) => one(field, `field-${message}-${index}`))}</div>`;
}

const one = (field: Field, id: string): Html => (field.kind === 'menu' ? menu(field, id) : textField(field, id));

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

function textField({ label, hint, line, lines = false }: Extract<Field, { kind: 'text' }>, id: string): Html {
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
