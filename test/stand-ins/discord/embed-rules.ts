/** What the platform asks of embeds beyond its published contract. https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
import type { EmbedForm } from './message-form.js';
import type { Flaw } from './refusal.js';

/** Characters over all embeds of a message: title, description, names and values of fields, footer and author. */
const TOTAL = 6000;

const trim = <T extends string | null | undefined>(text: T): T | string => (typeof text === 'string' ? text.trim() : text);

export const trimmedEmbed = (embed: EmbedForm): EmbedForm => ({
  ...embed,
  ...('title' in embed && { title: trim(embed.title) }),
  ...('description' in embed && { description: trim(embed.description) }),
  ...(embed.fields && { fields: embed.fields.map((field) => ({ ...field, name: field.name.trim(), value: field.value.trim() })) }),
  ...(embed.footer && { footer: { ...embed.footer, text: trim(embed.footer.text) } }),
  ...(embed.author && { author: { ...embed.author, name: trim(embed.author.name) } }),
});

const texts = (embed: EmbedForm): readonly (string | null | undefined)[] => [
  embed.title,
  embed.description,
  embed.footer?.text,
  embed.author?.name,
  ...(embed.fields ?? []).flatMap(({ name, value }) => [name, value]),
];

/** Whether an embed would show anything; one that would not is left out in silence. */
export const showsSomething = (embed: EmbedForm): boolean =>
  [...texts(embed), embed.image?.url, embed.thumbnail?.url].some((text) => (text ?? '') !== '');

export function embedFlaws(embeds: readonly EmbedForm[]): readonly Flaw[] {
  const size = embeds.flatMap(texts).reduce((sum, text) => sum + (text ?? '').length, 0);
  const tooBig: readonly Flaw[] =
    size > TOTAL ? [{ path: ['embeds'], code: 'MAX_EMBED_SIZE_EXCEEDED', message: `Embed size exceeds maximum size of ${TOTAL}` }] : [];
  return [...tooBig, ...embeds.flatMap((embed, at) => flawsOfOne(embed, ['embeds', at]))];
}

function flawsOfOne(embed: EmbedForm, path: readonly PropertyKey[]): readonly Flaw[] {
  const required = (at: readonly PropertyKey[]): Flaw => ({
    path: [...path, ...at],
    code: 'BASE_TYPE_REQUIRED',
    message: 'This field is required',
  });
  return [
    ...(embed.fields ?? []).flatMap(({ name, value }, at) => [
      ...(name === '' ? [required(['fields', at, 'name'])] : []),
      ...(value === '' ? [required(['fields', at, 'value'])] : []),
    ]),
    ...(embed.author && (embed.author.name ?? '') === '' ? [required(['author', 'name'])] : []),
    ...(embed.footer && (embed.footer.text ?? '') === '' && (embed.footer.icon_url ?? '') !== '' ? [required(['footer', 'text'])] : []),
    ...schemeFlaws(embed, path),
  ];
}

const WEB = ['http', 'https'];
const WEB_OR_FILE = [...WEB, 'attachment'];

function schemeFlaws(embed: EmbedForm, path: readonly PropertyKey[]): readonly Flaw[] {
  const links = [
    { at: ['url'], url: embed.url, schemes: WEB },
    { at: ['author', 'url'], url: embed.author?.url, schemes: WEB },
    { at: ['author', 'icon_url'], url: embed.author?.icon_url, schemes: WEB_OR_FILE },
    { at: ['footer', 'icon_url'], url: embed.footer?.icon_url, schemes: WEB_OR_FILE },
    { at: ['image', 'url'], url: embed.image?.url, schemes: WEB_OR_FILE },
    { at: ['thumbnail', 'url'], url: embed.thumbnail?.url, schemes: WEB_OR_FILE },
  ];
  return links.flatMap(({ at, url, schemes }) => {
    const scheme = (url ?? '').split(':')[0] ?? '';
    if (scheme === '' || schemes.includes(scheme.toLowerCase())) return [];
    const message = `Scheme "${scheme}" is not supported. Scheme must be one of (${schemes.map((known) => `'${known}'`).join(', ')}).`;
    return [{ path: [...path, ...at], code: 'URL_TYPE_INVALID_SCHEME', message }];
  });
}
