/** A reply as Discord, Telegram and plain text show it, as HTML. */
import { html } from 'hono/html';
import type { Chart } from '../../chat/chart.js';
import type { MessagePreview, PreviewBlock, PreviewButton, Rendering, Renderings } from '../../chat/renderings.js';
import type { Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import type { ConsoleMessage } from './message.js';
import { pictureFrame } from './picture.js';
import { line, type Html } from './render.js';
import { bare, clean } from './sanitize.js';

interface Preview {
  readonly platform: string;
  readonly title: string;
  readonly html: string;
}

/** Text is last. Undefined for a message without a reply. */
export async function previewsOf(
  { reply, at, text, kind }: ConsoleMessage,
  renderings: Renderings,
): Promise<readonly Preview[] | undefined> {
  if (reply === undefined) return undefined;
  const all = await renderings({ reply, now: at, isAlert: kind === 'alert' });
  const shown = await Promise.all(
    all.map(async (one) => ({ platform: one.platform, title: one.title, html: await platformHtml(one, reply, at) })),
  );
  return [...shown, { platform: 'text', title: 'Text', html: String(await html`<pre dir="auto">${bare(text)}</pre>`) }];
}

const platformHtml = async ({ messages }: Rendering, { chart }: Reply, now: Instant): Promise<string> =>
  String(await html`${messages.map((message) => messageHtml(message, chart, now))}`);

function messageHtml({ blocks, embed, picture, rows }: MessagePreview, chart: Chart | undefined, now: Instant): Html {
  const drawn = picture === undefined ? html`` : pictureFrame(chart, '');
  return html`<div class="bubble">
    ${picture === 'first' ? drawn : html``} ${blocks.map((block) => blockHtml(block, now))}
    ${picture === 'last' && embed === undefined ? drawn : html``}
    ${
      embed === undefined
        ? html``
        : html`<div class="embed" data-colour="${embed.colour}">
            ${embed.title === undefined ? html`` : html`<p class="title">${line(embed.title, now)}</p>`}
            ${embed.blocks.map((block) => blockHtml(block, now))} ${fieldsHtml(embed.fields, now)} ${picture === 'last' ? drawn : html``}
            ${embed.footer === undefined ? html`` : html`<p class="small">${line(embed.footer, now)}</p>`}
          </div>`
    }
    ${rows.map((row) => html`<div class="keys">${row.map(keyHtml)}</div>`)}
  </div>`;
}

function blockHtml(block: PreviewBlock, now: Instant): Html {
  if (block.kind === 'code') return html`<pre>${bare(block.text)}</pre>`;
  return html`<p class="${block.small === true ? 'small' : ''}" dir="auto">${line(block.line, now)}</p>`;
}

/** Discord wants a name for each field. */
const BLANK = /^[\s\p{Cf}]*$/u;

const fieldsHtml = (fields: NonNullable<MessagePreview['embed']>['fields'], now: Instant): Html =>
  fields.length === 0
    ? html``
    : html`<div class="embed-fields">
        ${fields.map(
          ({ name, value, inline }) =>
            html`<div class="${inline ? 'inline' : ''}">
              ${BLANK.test(name) ? html`` : html`<p><strong>${clean(name)}</strong></p>`} ${value.map((block) => blockHtml(block, now))}
            </div>`,
        )}
      </div>`;

const keyHtml = ({ label, kind, on = false }: PreviewButton): Html =>
  html`<span class="key ${kind}${on ? ' on' : ''}"><bdi>${clean(label)}</bdi></span>`;
