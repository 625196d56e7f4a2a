/** Lists the formats of endpoints and builds the message for one. */
import { bodyOf, type PayloadParts } from '../payload.js';
import type { Format, WebhookEndpoint } from '../endpoints.js';
import type { OutgoingMessage } from '../sender.js';
import type { Destination } from './destination.js';
import { apprise } from './apprise.js';
import { discord } from './discord.js';
import { matrix } from './matrix.js';
import { ntfy } from './ntfy.js';
import { slack } from './slack.js';

const DESTINATIONS = { slack, discord, ntfy, apprise, matrix } as const satisfies Record<Exclude<Format, 'standard'>, Destination>;

export const destinationOf = (format: Format): Destination | undefined => (format === 'standard' ? undefined : DESTINATIONS[format]);

/** Returns a sentence if the format cannot use the URL. */
export function formatProblem(format: Format, href: string): string | undefined {
  const url = new URL(href);
  const destination = destinationOf(format);
  if (destination !== undefined)
    return destination.isUrl(url) ? undefined : `That is not a URL for ${destination.title}. It looks like ${destination.example}.`;
  const other = /(^|\.)slack\.com$/u.test(url.hostname) ? slack : /(^|\.)discord(app)?\.com$/u.test(url.hostname) ? discord : undefined;
  return other?.isUrl(url) === true ? `That is a URL of ${other.title}. Choose ${other.title} as the format.` : undefined;
}

/** Builds the message. Returns undefined if the service cannot edit. `isEdit` is false for follow-ups. */
export function messageFor(
  { format, url }: Pick<WebhookEndpoint, 'format' | 'url'>,
  parts: PayloadParts & { readonly isEdit: boolean },
): OutgoingMessage | undefined {
  const destination = destinationOf(format);
  const { id, reply, at, silent = false, refersTo, isEdit } = parts;
  if (destination === undefined) return { id, body: bodyOf(parts) };
  const message = { id, reply, at, silent, ...(isEdit ? { edits: refersTo } : { replyTo: refersTo }) };
  const request = destination.request(new URL(url), message);
  return request && { id, request, read: (answer) => destination.read(answer, message) };
}
