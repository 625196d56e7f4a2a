/** Posts to ntfy, hosted or self-hosted. From version 2.16 on, repeats and updates replace the notification with the same sequence id. */
import { truncate } from '../../truncate.js';
import { lineText } from '../../../chat/plain-text.js';
import type { Reply } from '../../../chat/reply.js';
import {
  JSON_HEADERS,
  blockedBy,
  composed,
  fieldOf,
  fitted,
  isSuccess,
  lostTo,
  refusedWith,
  restText,
  sentAs,
  type Destination,
  type ServiceMessage,
} from './destination.js';

// https://docs.ntfy.sh/publish/#limitations: a longer message becomes an attachment.
const MAX_MESSAGE = 4_000;
const MAX_TITLE = 250;
// https://docs.ntfy.sh/publish/#action-buttons
const MAX_ACTIONS = 3;
const LOW = 2;

const TOPIC = /^\/([-_A-Za-z0-9]{1,64})$/u;

export const ntfy: Destination = {
  title: 'ntfy',
  example: 'https://ntfy.sh/your-topic',
  isUrl: ({ pathname }) => TOPIC.test(pathname),
  knowsRepeats: true,
  // https://docs.ntfy.sh/publish/#publish-as-json: JSON goes to the root, with the topic inside.
  request(url, message) {
    const root = new URL(url);
    root.pathname = '/';
    const topic = TOPIC.exec(url.pathname)?.[1] ?? '';
    return { url: root.href, headers: JSON_HEADERS, body: JSON.stringify({ topic, ...payloadOf(message) }) };
  },
  read(answer, { id, edits }) {
    // A server before 2.16 ignores the sequence id and shows a new notification for each update.
    if (isSuccess(answer) && edits !== undefined) return fieldOf(answer, 'sequence_id') === edits ? sentAs(edits) : lostTo('not-editable');
    if (isSuccess(answer)) return sentAs(id);
    if (answer.status === 400 || answer.status === 413) return refusedWith(`ntfy refuses the message (status ${answer.status})`);
    if (answer.status === 401 || answer.status === 403)
      return blockedBy('ntfy does not let this address publish to the topic; add ?auth=… with a token to the URL');
    return undefined;
  },
};

function payloadOf({ reply, id, edits, at, silent }: ServiceMessage): object {
  const bodyOf = (candidate: Reply): string => restText(composed(candidate, at), { at, zone: candidate.zone });
  const own = fitted(reply, MAX_MESSAGE, (candidate) => Buffer.byteLength(bodyOf(candidate)));
  const [title, body] = [truncate(lineText(composed(own, at).headline, at, own.zone), MAX_TITLE), bodyOf(own)];
  const [first] = own.links;
  return {
    ...(body === '' ? { message: title } : { title, message: Buffer.byteLength(body) > MAX_MESSAGE ? title : body }),
    ...(silent || edits !== undefined ? { priority: LOW } : {}),
    ...(first === undefined ? {} : { click: first.url }),
    ...(own.links.length === 0
      ? {}
      : { actions: own.links.slice(0, MAX_ACTIONS).map(({ label, url }) => ({ action: 'view', label, url })) }),
    sequence_id: edits ?? id,
  };
}
