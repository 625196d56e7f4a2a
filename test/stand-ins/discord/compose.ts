/** From a form and its files to what a message holds: attachments placed, pictures resolved, embeds kept or dropped. */
import type { EmbedForm, MessageForm } from './message-form.js';
import { showsSomething } from './embed-rules.js';
import { Refusal, refuseFlaws } from './refusal.js';
import type { Upload } from './request.js';
import type { Id, SeenEmbed } from './types.js';
import type { File, Message, Row } from './world.js';

export interface Composition {
  readonly form: MessageForm;
  readonly uploads: readonly Upload[];
  /** What stands already, for an edit. */
  readonly before: Message | undefined;
  /** Whether embeds may be shown; else they are left out in silence. */
  readonly mayEmbed: boolean;
  newId(): Id;
  urlOf(file: Pick<File, 'id' | 'name'>): string;
}

export type Composed = Pick<Message, 'content' | 'embeds' | 'components' | 'files'>;

export function compose(composition: Composition): Composed {
  const { form, before, mayEmbed } = composition;
  const files = filesOf(composition);
  const embeds = Array.isArray(form.embeds)
    ? form.embeds.filter((embed) => mayEmbed && showsSomething(embed)).map((embed) => plainEmbed(embed, files, composition))
    : form.embeds === null
      ? []
      : (before?.embeds ?? []);
  return {
    content: form.content === undefined ? (before?.content ?? '') : (form.content ?? ''),
    embeds,
    // What a form carries beyond what is looked at here is kept as it came.
    components: form.components === undefined ? (before?.components ?? []) : ((form.components ?? []) as unknown as readonly Row[]),
    files,
  };
}

/** An edit that names attachments keeps only those; one that names none keeps all. New files come on top. */
function filesOf({ form, uploads, before, newId }: Composition): readonly File[] {
  const listed = form.attachments;
  const old = (before?.files ?? []).filter(({ id }) => listed === undefined || (listed ?? []).some((entry) => entry.id === id));
  const known = new Set([...old.map(({ id }) => id), ...uploads.map(({ index }) => index)]);
  refuseFlaws(
    (listed ?? []).flatMap(({ id }, at) =>
      known.has(id) ? [] : [{ path: ['attachments', at, 'id'], code: 'ATTACHMENT_NOT_FOUND', message: `Attachment ${id} was not sent.` }],
    ),
  );
  const added = uploads.map(({ index, name, contentType, bytes }) => {
    const entry = listed?.find(({ id }) => id === index);
    return { id: newId(), name: entry?.filename ?? name, description: entry?.description ?? undefined, contentType, bytes };
  });
  if (old.length + added.length > 10) throw new Refusal(400, 30015, 'Maximum number of attachments in a message reached (10)');
  return [...old, ...added];
}

/** An embed without what is empty; a picture that names a file points to it, and one whose file is missing is not shown. */
function plainEmbed(embed: EmbedForm, files: readonly File[], { urlOf }: Composition): SeenEmbed {
  const resolved = Object.fromEntries(
    Object.entries(embed).flatMap(([key, value]): [string, unknown][] => {
      if (value === null || value === undefined || value === '') return [];
      if (key !== 'image' && key !== 'thumbnail') return [[key, withoutEmpty(value)]];
      const url = (value as { readonly url?: string }).url ?? '';
      const shown = url.startsWith('attachment://') ? files.find(({ name }) => name === url.slice('attachment://'.length)) : undefined;
      if (url.startsWith('attachment://') && shown === undefined) return [];
      return [[key, { ...value, url: shown === undefined ? url : urlOf(shown) }]];
    }),
  );
  return resolved;
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined && inner !== ''));
}
