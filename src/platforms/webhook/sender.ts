/** Sends requests to endpoints and records whether they work. */
import type { Clock, Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { disabled, signedHeaders, validSecrets, withFailure, withSuccess, type WebhookEndpoint, type Endpoints } from './endpoints.js';
import { judge, type Answered, type Judged } from './outcome.js';
import { post, type PostRequest } from './post.js';

export interface SenderDeps {
  readonly endpoints: Endpoints;
  readonly clock: Clock;
  readonly log: Log;
  readonly isPrivateAllowed: boolean;
  readonly isActive?: (() => boolean) | undefined;
}

/** A body that is signed at each attempt, or a request to a chat service, whose response `read` judges. */
export type OutgoingMessage =
  | { readonly id: string; readonly body: string }
  | { readonly id: string; readonly request: PostRequest; readonly read: (answer: Answered) => Judged | undefined };

export interface WebhookSender {
  /** Never rejects. */
  send(endpoint: WebhookEndpoint, message: OutgoingMessage): Promise<Judged>;
  /** Aborts the requests under way; their outcome is unclear. */
  stop(): Promise<void>;
}

export function createSender({ endpoints, clock, log, ...connecting }: SenderDeps): WebhookSender {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function record({ id, url }: WebhookEndpoint, { outcome, problem }: Judged): Promise<WebhookEndpoint | undefined> {
    const now = clock.now();
    const before = endpoints.read(id);
    try {
      const after = await endpoints.change(id, (endpoint) => {
        // The URL changed meanwhile, and the result says nothing about the new one.
        if (endpoint.url !== url) return endpoint;
        if (problem === undefined) return withSuccess(endpoint);
        const failed = withFailure(endpoint, problem, now);
        return outcome.kind === 'gone' ? disabled(failed, { at: now, because: outcome.because }) : failed;
      });
      if (before?.failing?.problem !== after?.failing?.problem) log.info('webhook.changed', { endpoint: id, problem });
      if (before?.disabled === undefined && after?.disabled !== undefined)
        log.warn('webhook.disabled', { endpoint: id, because: after.disabled.because });
      return after;
    } catch (error) {
      // A failed record does not change the outcome of the message.
      log.error('webhook.not-recorded', { endpoint: id, error });
      return before;
    }
  }

  async function attempt(endpoint: WebhookEndpoint, message: OutgoingMessage): Promise<Judged> {
    const request = 'body' in message ? signed(endpoint, message, clock.now()) : { ...message.request, isAnswerRead: true };
    const result = await post(request, { ...connecting, clock, signal: stopping.signal });
    const fromService = 'read' in message && result.kind === 'answered' ? message.read(result) : undefined;
    const judged = fromService ?? judge(result, { id: message.id, now: clock.now() });
    // An attempt that we aborted says nothing about the endpoint.
    if (stopping.signal.aborted || result.kind === 'superseded') return judged;
    const after = await record(endpoint, judged);
    if (judged.outcome.kind !== 'sent' && after !== undefined && after.url !== endpoint.url)
      return { ...judged, outcome: { kind: 'later', because: 'unreachable' } };
    if (after?.disabled === undefined || judged.outcome.kind === 'sent') return judged;
    return { ...judged, outcome: { kind: 'gone', because: after.disabled.because } };
  }

  return {
    async send(endpoint, message) {
      const sending = attempt(endpoint, message);
      running.add(sending);
      return sending.finally(() => running.delete(sending));
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

function signed(endpoint: WebhookEndpoint, { id, body }: { readonly id: string; readonly body: string }, at: Instant): PostRequest {
  return { url: endpoint.url, headers: signedHeaders({ id, at, body }, validSecrets(endpoint, at)), body };
}
