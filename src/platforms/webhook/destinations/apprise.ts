/** Posts to the Apprise API, which passes a message to the services of a stored configuration. It cannot edit. */
import { truncate } from '../../truncate.js';
import { lineText } from '../../../chat/plain-text.js';
import type { Reply } from '../../../chat/reply.js';
import {
  JSON_HEADERS,
  blockedBy,
  composed,
  fitted,
  refusedWith,
  restText,
  withoutMentions,
  withoutRowLinks,
  type Destination,
  type ServiceMessage,
} from './destination.js';

/** The value is in characters. Most services behind Apprise accept at least this many. */
const MAX_BODY = 1_800;
const MAX_TITLE = 250;

// https://github.com/caronc/apprise-api#persistent-stored-endpoints
export const apprise: Destination = {
  title: 'Apprise',
  example: 'https://apprise.example.com/notify/your-key',
  isUrl: ({ pathname }) => /\/notify\/[\w-]{1,128}\/?$/u.test(pathname),
  knowsRepeats: false,
  request: (url, message) =>
    message.edits === undefined ? { url: url.href, headers: JSON_HEADERS, body: JSON.stringify(payloadOf(message)) } : undefined,
  read({ status }) {
    if (status === 204) return blockedBy('Apprise has no configuration under this key; save one there');
    if (status === 400) return refusedWith('Apprise refuses the message (status 400)');
    // With 424 some of the services may have got the message.
    if (status === 424)
      return {
        outcome: { kind: 'unclear', because: 'server-error' },
        problem: 'Apprise could not reach all of its services (status 424)',
      };
    return undefined;
  },
};

function payloadOf({ reply, at }: ServiceMessage): object {
  const bodyOf = (candidate: Reply): string =>
    [
      restText(composed(candidate, at), { at, zone: candidate.zone }),
      ...candidate.links.map(({ label, url }) => `${lineText([label], at)}: ${url}`),
    ]
      .filter((part) => part !== '')
      .join('\n');
  const whole = bodyOf(reply).length > MAX_BODY ? withoutRowLinks(reply) : reply;
  const own = fitted(whole, MAX_BODY, (candidate) => bodyOf(candidate).length);
  const [title, body] = [truncate(lineText(composed(own, at).headline, at, own.zone), MAX_TITLE), bodyOf(own)];
  const type = own.tone === 'warning' ? 'warning' : 'info';
  const parts = body === '' ? { body: title } : { title: withoutMentions(title), body: truncate(body, MAX_BODY) };
  return { ...parts, body: withoutMentions(parts.body), type, format: 'text' };
}
