/** Characters and counts of an embed. https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
import type { APIEmbed } from 'discord.js';

export const MAX_DESCRIPTION = 4_096;
const MAX_FIELDS = 25;
export const MAX_FIELD_VALUE = 1_024;
const MAX_FIELD_NAME = 256;
/** Of all embeds of a message. */
const MAX_TOTAL = 6_000;

export function fitsEmbed({ title = '', description = '', fields = [], footer }: APIEmbed): boolean {
  const inFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return (
    description.length <= MAX_DESCRIPTION &&
    fields.length <= MAX_FIELDS &&
    fields.every(({ name, value }) => name.length <= MAX_FIELD_NAME && value.length <= MAX_FIELD_VALUE) &&
    title.length + description.length + inFields + (footer?.text.length ?? 0) <= MAX_TOTAL
  );
}
