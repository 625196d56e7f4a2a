/** Answers to interactions, by their tokens. https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints */
import { answerInteraction } from './callback.js';
import { editAnswer, followUp } from './followups.js';
import type { Interactions } from './interactions.js';
import { removeMessage } from './messages.js';
import { NO_CONTENT, ok, type Call, type Route } from './route.js';
import type { StandInContext } from './context.js';
import { wireMessage } from './wire-message.js';

const MESSAGE = 'MessageResponseSchema';
const ANSWERED = '/webhooks/:webhook/:token/messages/:message';
/** The contract describes the answers that carry a message; the others come as they do in life. */
const DESCRIBED: ReadonlySet<unknown> = new Set([4, 7]);

export function interactionRoutes(context: StandInContext, interactions: Interactions): readonly Route[] {
  const recordOf = ({ param }: Call) => interactions.answered(param('webhook'), param('token'));
  return [
    {
      method: 'POST',
      path: '/interactions/:interaction/:token/callback',
      byToken: true,
      handle({ param, query, payload }) {
        const record = interactions.awaiting(param('interaction'), param('token'));
        const answer = answerInteraction(context, record, payload);
        if (query['with_response'] !== 'true') return NO_CONTENT;
        const { type } = answer['resource'] as { readonly type: unknown };
        return DESCRIBED.has(type) ? ok(answer, 'InteractionCallbackResponseSchema') : ok(answer);
      },
    },
    {
      method: 'POST',
      path: '/webhooks/:webhook/:token',
      byToken: true,
      handle: (call) => ok(wireMessage(context.view, followUp(context, recordOf(call), call.payload)), MESSAGE),
    },
    {
      method: 'GET',
      path: ANSWERED,
      byToken: true,
      handle: (call) => ok(wireMessage(context.view, interactions.message(recordOf(call), call.param('message'))), MESSAGE),
    },
    {
      method: 'PATCH',
      path: ANSWERED,
      byToken: true,
      handle(call) {
        const record = recordOf(call);
        const message = interactions.message(record, call.param('message'));
        return ok(wireMessage(context.view, editAnswer(context, { record, message, payload: call.payload })), MESSAGE);
      },
    },
    {
      method: 'DELETE',
      path: ANSWERED,
      byToken: true,
      handle(call) {
        removeMessage(context, interactions.message(recordOf(call), call.param('message')));
        return NO_CONTENT;
      },
    },
  ];
}
