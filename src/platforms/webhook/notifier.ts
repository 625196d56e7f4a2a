/** Delivers alerts, edits and digests as signed requests. Receivers drop a repeated webhook-id. */
import { createHash } from 'node:crypto';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import {
  outcomeOfEdit,
  type DeliveredEvent,
  type DeliveryRequest,
  type Diagnosis,
  type EditRequest,
  type MessageAbout,
  type Notifier,
  type Slot,
} from '../../chat/notifier.js';
import type { Clock } from '../../base/clock.js';
import { idOf, type Endpoints, type WebhookEndpoint } from './endpoints.js';
import { destinationOf, messageFor } from './destinations/destinations.js';
import type { Judged } from './outcome.js';
import type { PayloadParts, PayloadType } from './payload.js';
import type { OutgoingMessage, WebhookSender } from './sender.js';

/** How many requests to one host run at once. */
export const MAX_PER_HOST = 4;

export interface WebhookNotifierDeps {
  readonly endpoints: Endpoints;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly log: Log;
}

type Message = Pick<PayloadParts, 'id' | 'reply' | 'silent' | 'refersTo'> & { readonly isEdit: boolean };

export function webhookNotifier({ endpoints, sender, clock, log }: WebhookNotifierDeps): Notifier {
  const hosts = createHostSlots(MAX_PER_HOST);
  const endpointAt = (to: Address): WebhookEndpoint | undefined => endpoints.read(idOf(to) ?? '');

  async function send(
    to: Address,
    message: Message,
    { about, typeOf }: { about: MessageAbout<unknown> | undefined; typeOf: (events: readonly DeliveredEvent[]) => PayloadType },
  ): Promise<Judged> {
    const endpoint = endpointAt(to);
    if (endpoint === undefined) return { outcome: { kind: 'gone', because: 'there is no such endpoint' } };
    if (endpoint.disabled !== undefined) return { outcome: { kind: 'gone', because: endpoint.disabled.because } };
    let outgoing: OutgoingMessage | undefined;
    try {
      const events = (await about?.events()) ?? [];
      const parts = { at: about?.at ?? clock.now(), count: about?.count ?? 0, events, endpoint: endpoint.id, type: typeOf(events) };
      outgoing = messageFor(endpoint, { ...message, ...parts });
    } catch (error) {
      // The store could not be read, so nothing was sent.
      log.error('webhook.not-composed', { endpoint: endpoint.id, delivery: message.id, error });
      return { outcome: { kind: 'later', because: 'server-error' } };
    }
    return outgoing === undefined ? NOT_EDITABLE : sender.send(endpoint, outgoing);
  }

  return {
    platform: 'webhook',
    toPrograms: true,
    knowsRepeats: true,
    knowsRepeatsAt: (to) => destinationOf(endpointAt(to)?.format ?? 'standard')?.knowsRepeats ?? true,
    async slot(to, _alert, signal): Promise<Slot | undefined> {
      const endpoint = endpointAt(to);
      const host = endpoint === undefined ? '' : new URL(endpoint.url).host;
      return hosts.take(host, { signal, isFailing: () => endpointAt(to)?.failing !== undefined });
    },
    async deliver(to, { id, reply, silent, replyTo, about }) {
      const message = { id: about?.kind === 'digest' ? digestIdAt(to, id) : id, reply, silent, refersTo: replyTo, isEdit: false };
      return (await send(to, message, { about, typeOf: (events) => typeOfDelivery(about, events) })).outcome;
    },
    async revise(to, { id, messageId, reply, about }) {
      const message = { id, reply, silent: true, refersTo: messageId, isEdit: true };
      const { outcome, lost } = await send(to, message, { about, typeOf: () => typeOfEdit(about) });
      return lost === undefined ? outcomeOfEdit(outcome) : { kind: 'lost', because: lost };
    },
    async probe(to) {
      const endpoint = endpointAt(to);
      if (endpoint === undefined) return { missing: [], blocked: 'There is no such endpoint.' };
      const { disabled, failing } = endpoint;
      if (disabled !== undefined) return { missing: [], blocked: `The endpoint is disabled: ${disabled.because}.` };
      return failing === undefined ? { missing: [] } : { missing: [], blocked: `Its last request failed: ${failing.problem}.` };
    },
    diagnose: async () => diagnose(endpoints.all()),
  };
}

function diagnose(all: readonly WebhookEndpoint[]): Diagnosis {
  const [off, failing] = [all.filter((one) => one.disabled), all.filter((one) => one.failing && !one.disabled)];
  const parts = [
    all.length === 0 ? 'no endpoints' : all.length === 1 ? '1 endpoint' : `${all.length} endpoints`,
    ...(failing.length === 0 ? [] : [`${failing.length} failing`]),
    ...(off.length === 0 ? [] : [`${off.length} disabled`]),
  ];
  const says = parts.join(', ');
  if (failing.length === 0) return { ok: true, says };
  return { ok: false, says, problem: failingText(failing.length, all.length - off.length) };
}

const NOT_EDITABLE: Judged = { outcome: { kind: 'refused', detail: 'the service edits no messages' }, lost: 'not-editable' };

function failingText(failing: number, enabled: number): string {
  if (enabled === 1) return 'Webhooks: the only endpoint is failing.';
  return `Webhooks: ${failing} of ${enabled} endpoints ${failing === 1 ? 'is' : 'are'} failing.`;
}

/** A digest's id depends only on the day, so the endpoint's address is added. */
const digestIdAt = (to: Address, id: string): string =>
  createHash('sha256')
    .update(JSON.stringify([to, id]))
    .digest('base64url')
    .slice(0, 22);

/** Returns the payload type. A follow-up whose events are all corrections is a correction. */
function typeOfDelivery(about: DeliveryRequest['about'], events: readonly DeliveredEvent[]): PayloadType {
  if (about?.kind === 'digest') return 'digest';
  if (about?.kind === 'sample') return 'test';
  return events.length > 0 && events.every(({ corrects }) => corrects !== undefined) ? 'alert.corrected' : 'alert';
}

const typeOfEdit = (about: EditRequest['about']): PayloadType => (about?.kind === 'correction' ? 'alert.corrected' : 'alert.updated');

interface HostSlots {
  /**
   * Resolves with a slot, which the caller must end; with undefined once `signal` aborts. Failing endpoints get at most half of the slots,
   * so that others do not wait for requests that time out.
   */
  take(host: string, who: { readonly signal: AbortSignal; readonly isFailing: () => boolean }): Promise<Slot | undefined>;
}

interface Waiting {
  readonly isFailing: () => boolean;
  readonly granted: (isFailing: boolean) => void;
}

interface Host {
  running: number;
  /** How many of the attempts under way are of failing endpoints. */
  failing: number;
  readonly waiting: Set<Waiting>;
}

/** Limits the requests to one host. */
function createHostSlots(atOnce: number): HostSlots {
  const hosts = new Map<string, Host>();
  const mostFailing = Math.max(1, Math.floor(atOnce / 2));
  const mayBegin = ({ running, failing }: Host, isFailing: boolean): boolean => running < atOnce && (!isFailing || failing < mostFailing);

  const begin = (name: string, host: Host, isFailing: boolean): Slot => {
    host.running += 1;
    if (isFailing) host.failing += 1;
    let isEnded = false;
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
      host.running -= 1;
      if (isFailing) host.failing -= 1;
      grant(host);
      if (host.running === 0) hosts.delete(name);
    };
    return { answered: end, refused: end, unused: end };
  };
  const grant = (host: Host): void => {
    for (const one of host.waiting) {
      if (host.running >= atOnce) return;
      const isFailing = one.isFailing();
      if (!mayBegin(host, isFailing)) continue;
      host.waiting.delete(one);
      one.granted(isFailing);
    }
  };

  return {
    async take(name, { signal, isFailing }) {
      if (signal.aborted) return undefined;
      const host = hosts.get(name) ?? { running: 0, failing: 0, waiting: new Set() };
      hosts.set(name, host);
      const isFailingNow = isFailing();
      if (mayBegin(host, isFailingNow)) return begin(name, host, isFailingNow);
      return new Promise((resolve) => {
        // A derived signal, because all chats share `signal` and would each add a listener to it.
        const aborted = AbortSignal.any([signal]);
        const one: Waiting = {
          isFailing,
          granted: (isFailingThen) => {
            aborted.removeEventListener('abort', abort);
            resolve(begin(name, host, isFailingThen));
          },
        };
        const abort = (): void => {
          host.waiting.delete(one);
          resolve(undefined);
        };
        host.waiting.add(one);
        aborted.addEventListener('abort', abort, { once: true });
      });
    },
  };
}
