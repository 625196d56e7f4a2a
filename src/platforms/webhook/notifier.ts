/** Delivers alerts, edits and digests as signed requests. Receivers drop a repeated webhook-id. */
import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import type { DeliveredEvent, DeliveryRequest, EditRequest, MessageAbout, Notifier, Outcome, Slot } from '../../chat/notifier.js';
import type { Clock } from '../../base/clock.js';
import { idOf, type WebhookEndpoint, type Endpoints } from './endpoints.js';
import { createHostSlots } from './host-slots.js';
import { editOutcome } from './outcome.js';
import { bodyOf, type PayloadParts, type PayloadType } from './payload.js';
import type { WebhookSender } from './sender.js';

/** Requests to one host. */
export const MAX_PER_HOST = 4;

export interface WebhookNotifierDeps {
  readonly endpoints: Endpoints;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly log: Log;
}

type Message = Pick<PayloadParts, 'id' | 'reply' | 'silent' | 'refersTo'>;

export function webhookNotifier({ endpoints, sender, clock, log }: WebhookNotifierDeps): Notifier {
  const hosts = createHostSlots(MAX_PER_HOST);
  const endpointAt = (to: Address): WebhookEndpoint | undefined => endpoints.read(idOf(to) ?? '');

  async function send(
    to: Address,
    message: Message,
    { about, typeOf }: { about: MessageAbout<unknown> | undefined; typeOf: (events: readonly DeliveredEvent[]) => PayloadType },
  ): Promise<Outcome> {
    const endpoint = endpointAt(to);
    if (endpoint === undefined) return { kind: 'gone', because: 'there is no such endpoint' };
    if (endpoint.disabled !== undefined) return { kind: 'gone', because: endpoint.disabled.because };
    let body: string;
    try {
      const events = (await about?.events()) ?? [];
      const parts = { at: about?.at ?? clock.now(), count: about?.count ?? 0, events, endpoint: endpoint.id, type: typeOf(events) };
      body = bodyOf({ ...message, ...parts });
    } catch (error) {
      // Nothing was sent: the store could not be read.
      log.error('webhook.not-composed', { endpoint: endpoint.id, delivery: message.id, error });
      return { kind: 'later', because: 'server-error' };
    }
    return (await sender.send(endpoint, { id: message.id, body })).outcome;
  }

  return {
    platform: 'webhook',
    knowsRepeats: true,
    async slot(to, _alert, signal): Promise<Slot | undefined> {
      const endpoint = endpointAt(to);
      const host = endpoint === undefined ? '' : new URL(endpoint.url).host;
      return hosts.take(host, { signal, isFailing: () => endpointAt(to)?.failing !== undefined });
    },
    deliver: async (to, { id, reply, silent, replyTo, about }) =>
      send(
        to,
        { id: about?.kind === 'digest' ? digestIdAt(to, id) : id, reply, silent, refersTo: replyTo },
        { about, typeOf: (events) => typeOfDelivery(about, events) },
      ),
    revise: async (to, { id, messageId, reply, about }) =>
      editOutcome(await send(to, { id, reply, silent: true, refersTo: messageId }, { about, typeOf: () => typeOfEdit(about) })),
    async probe(to) {
      const endpoint = endpointAt(to);
      if (endpoint === undefined) return { missing: [], blocked: 'There is no such endpoint.' };
      const { disabled, failing } = endpoint;
      if (disabled !== undefined) return { missing: [], blocked: `The endpoint is disabled: ${disabled.because}.` };
      return failing === undefined ? { missing: [] } : { missing: [], blocked: `Its last request failed: ${failing.problem}.` };
    },
    async diagnose() {
      const all = endpoints.all();
      const [off, failing] = [all.filter((one) => one.disabled), all.filter((one) => one.failing && !one.disabled)];
      const parts = [
        all.length === 0 ? 'no endpoints' : all.length === 1 ? '1 endpoint' : `${all.length} endpoints`,
        ...(failing.length === 0 ? [] : [`${failing.length} failing`]),
        ...(off.length === 0 ? [] : [`${off.length} disabled`]),
      ];
      const says = parts.join(', ');
      if (failing.length === 0) return { ok: true, says };
      return { ok: false, says, problem: failingText(failing.length, all.length - off.length) };
    },
  };
}

function failingText(failing: number, enabled: number): string {
  if (enabled === 1) return 'Webhooks: the only endpoint is failing.';
  return `Webhooks: ${failing} of ${enabled} endpoints ${failing === 1 ? 'is' : 'are'} failing.`;
}

/** All chats have the same id for a day's digest. */
const digestIdAt = (to: Address, id: string): string =>
  createHash('sha256')
    .update(JSON.stringify([to, id]))
    .digest('base64url')
    .slice(0, 22);

/** A follow-up of corrections is one. */
function typeOfDelivery(about: DeliveryRequest['about'], events: readonly DeliveredEvent[]): PayloadType {
  if (about?.kind === 'digest') return 'digest';
  if (about?.kind === 'sample') return 'test';
  return events.length > 0 && events.every(({ corrects }) => corrects !== undefined) ? 'alert.corrected' : 'alert';
}

const typeOfEdit = (about: EditRequest['about']): PayloadType => (about?.kind === 'correction' ? 'alert.corrected' : 'alert.updated');
