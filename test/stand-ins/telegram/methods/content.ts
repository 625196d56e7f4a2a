/** The text of a message or the caption beside a file, as a request asks for it. */
import type { Message } from 'grammy/types';
import { z } from 'zod';
import type { Params } from '../params.js';
import { badRequest } from '../refusal.js';
import { format } from '../text/format.js';
import type { Formatted } from '../text/html.js';
import type { World } from '../world.js';

/** In UTF-16 units, after the markup is gone. */
const MOST_TEXT = 4_096;
const MOST_CAPTION = 1_024;

const person = (world: World) => (id: number) => world.people.get(id);

export interface Text {
  readonly content: Pick<Message, 'text' | 'entities' | 'link_preview_options'>;
  readonly preview: string | undefined;
}

export function readText(world: World, params: Params): Text {
  const text = params.text('text');
  const options = readPreview(params);
  if (text === '') throw badRequest('Message text is empty');
  const formatted = format({
    text,
    parseMode: params.text('parse_mode'),
    entities: params.json('entities', "Can't parse entities JSON object"),
    person: person(world),
    lacks: world.lacks,
  });
  if (formatted.text === '') throw badRequest('Text must be non-empty');
  if (formatted.text.length > MOST_TEXT) throw badRequest('Message is too long');
  const content = {
    text: formatted.text,
    ...(formatted.entities.length > 0 ? { entities: [...formatted.entities] } : {}),
    ...(options ? { link_preview_options: options } : {}),
  };
  return { content, preview: options?.is_disabled === true ? undefined : (options?.url ?? firstLink(formatted)) };
}

export function readCaption(world: World, params: Params): Pick<Message, 'caption' | 'caption_entities'> {
  const { text, entities } = format({
    text: params.text('caption'),
    parseMode: params.text('parse_mode'),
    entities: params.json('caption_entities', "Can't parse entities JSON object"),
    person: person(world),
    lacks: world.lacks,
  });
  if (text.length > MOST_CAPTION) throw badRequest('Message caption is too long');
  return { ...(text === '' ? {} : { caption: text }), ...(entities.length > 0 ? { caption_entities: [...entities] } : {}) };
}

const previewOptions = z.object({
  is_disabled: z.boolean().optional(),
  url: z.string().optional(),
  prefer_small_media: z.boolean().optional(),
  prefer_large_media: z.boolean().optional(),
  show_above_text: z.boolean().optional(),
});

function readPreview(params: Params): Message['link_preview_options'] {
  const given = params.json('link_preview_options', "Can't parse link preview options JSON object");
  // The name that it had before; old clients still send it.
  if (given === undefined) return params.flag('disable_web_page_preview') ? { is_disabled: true } : undefined;
  const options = previewOptions.safeParse(given);
  if (!options.success) throw badRequest('Object expected as link preview options');
  return options.data;
}

function firstLink({ text, entities }: Formatted): string | undefined {
  for (const entity of entities) {
    if (entity.type === 'text_link') return entity.url;
    if (entity.type === 'url') return text.slice(entity.offset, entity.offset + entity.length);
  }
  return undefined;
}
