/** A message as a client sends it: read, and refused for what the platform refuses. The published limits come from the contract. */
import { z } from 'zod';
import { componentFlaws } from './component-rules.js';
import { flawsOf, type ContractName } from './contract.js';
import { embedFlaws, trimmedEmbed } from './embed-rules.js';
import { MessageFlag } from './flags.js';
import { refuseFlaws, type Flaw } from './refusal.js';

const id = z.string();
const component = z.looseObject({ type: z.number(), custom_id: z.string().optional() });
const row = z.looseObject({ type: z.number(), components: z.array(component).nullish() });
const picture = z.looseObject({ url: z.string().nullish() }).nullish();
const embed = z.looseObject({
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  author: z.looseObject({ name: z.string().nullish(), url: z.string().nullish(), icon_url: z.string().nullish() }).nullish(),
  footer: z.looseObject({ text: z.string().nullish(), icon_url: z.string().nullish() }).nullish(),
  fields: z.array(z.looseObject({ name: z.string(), value: z.string(), inline: z.boolean().nullish() })).nullish(),
  image: picture,
  thumbnail: picture,
});

const form = z.looseObject({
  content: z.string().nullish(),
  embeds: z.array(embed).nullish(),
  components: z.array(row).nullish(),
  flags: z.number().nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  attachments: z.array(z.looseObject({ id, filename: z.string().nullish(), description: z.string().nullish() })).nullish(),
  allowed_mentions: z
    .looseObject({
      parse: z.array(z.string()).nullish(),
      users: z.array(id).nullish(),
      roles: z.array(id).nullish(),
      replied_user: z.boolean().nullish(),
    })
    .nullish(),
  message_reference: z.looseObject({ message_id: id, channel_id: id.nullish(), fail_if_not_exists: z.boolean().nullish() }).nullish(),
});

export type MessageForm = z.infer<typeof form>;
export type EmbedForm = z.infer<typeof embed>;
export type RowForm = z.infer<typeof row>;

const CONTENT = 2000;

/** The form with its texts trimmed as the platform trims them; throws 50035 for what is wrong with it, alerted as below `at`. */
export function readMessage(contract: ContractName, body: unknown, at: readonly PropertyKey[] = []): MessageForm {
  const refuse = (flaws: readonly Flaw[]): void => refuseFlaws(flaws.map((flaw) => ({ ...flaw, path: [...at, ...flaw.path] })));
  const asked = trimmed(withTextIds(body ?? {}));
  // A body that leaves the contract cannot be looked at more closely.
  refuse(flawsOf(contract, asked));
  const read = form.parse(asked);
  refuse([...contentFlaws(read), ...embedFlaws(read.embeds ?? []), ...componentFlaws(read.components ?? [], read.flags ?? 0)]);
  return read;
}

/** White space around a text does not count; so it goes before anything is measured. */
function trimmed(body: unknown): unknown {
  const read = form.safeParse(body);
  if (!read.success) return body;
  const { content, embeds } = read.data;
  return {
    ...read.data,
    ...(typeof content === 'string' && { content: content.trim() }),
    ...(Array.isArray(embeds) && { embeds: embeds.map(trimmedEmbed) }),
  };
}

function contentFlaws({ content, embeds, flags }: MessageForm): readonly Flaw[] {
  const flaws: Flaw[] = [];
  if ((content ?? '').length > CONTENT)
    flaws.push({ path: ['content'], code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${CONTENT} or fewer in length.` });
  if (((flags ?? 0) & MessageFlag.COMPONENTS_V2) === 0) return flaws;
  const message = 'The field cannot be used when using MessageFlags.IS_COMPONENTS_V2';
  const code = 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2';
  if ((content ?? '') !== '') flaws.push({ path: ['content'], code, message });
  if ((embeds ?? []).length > 0) flaws.push({ path: ['embeds'], code, message });
  return flaws;
}

/** The platform takes the number of a file where its contract says text. */
function withTextIds(body: unknown): unknown {
  const numbered = z.looseObject({ attachments: z.array(z.looseObject({ id: z.coerce.string() })) }).safeParse(body);
  return numbered.success ? numbered.data : body;
}
