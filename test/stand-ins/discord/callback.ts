/** The first answer to an interaction, within its three seconds. */
import { z } from 'zod';
import { flawsOf } from './contract.js';
import { MessageFlag } from './flags.js';
import { formFlaws } from './form-rules.js';
import type { InteractionRecord, InteractionType } from './interactions.js';
import { addMessage, changeMessage } from './messages.js';
import { readMessage } from './message-form.js';
import { refuseFlaws } from './refusal.js';
import type { Payload } from './request.js';
import { refuseUploads } from './sending.js';
import type { StandInContext } from './context.js';
import type { Acknowledgement } from './types.js';
import { wireMessage } from './wire-message.js';
import type { Wire } from './wire.js';
import { known, type Channel, type Message } from './world.js';

const REPLY = 4;
const DEFER = 5;
const DEFER_UPDATE = 6;
const UPDATE = 7;
const CHOICES = 8;
const FORM = 9;
/** The type of an option that takes text. */
const TEXT = 3;

/** Which answers an interaction of a type takes. */
const allowed: Readonly<Record<InteractionType, readonly number[]>> = {
  2: [REPLY, DEFER, FORM],
  3: [REPLY, DEFER, DEFER_UPDATE, UPDATE, FORM],
  4: [CHOICES],
  5: [REPLY, DEFER, DEFER_UPDATE, UPDATE],
};

const envelope = z.looseObject({ type: z.number(), data: z.record(z.string(), z.unknown()).nullish() });
const choicesForm = z.object({
  choices: z.array(z.object({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) })).max(25),
});
const formForm = z.looseObject({ custom_id: z.string(), title: z.string() });

/** Acknowledges and acts; returns what `with_response` asks for. */
export function answerInteraction(context: StandInContext, record: InteractionRecord, payload: Payload): Wire {
  const { type, data } = readEnvelope(payload.body, record.type);
  const acknowledge = (kind: Acknowledgement['kind'], ephemeral: boolean): void => {
    record.acknowledged = { kind, ephemeral, afterMs: context.clock.now() - record.createdAt };
  };
  const inner: Payload = { ...payload, body: data ?? {} };
  let message: Message | undefined;
  if (type === REPLY || type === DEFER) {
    message = reply(context, record, inner, type === DEFER);
    record.original = message.id;
    record.left.push(message.id);
    acknowledge(type === DEFER ? 'deferred' : 'message', message.ephemeral);
  } else if (type === UPDATE || type === DEFER_UPDATE) {
    message = type === UPDATE ? update(context, record, inner) : undefined;
    record.original = record.source;
    if (type === UPDATE && record.source !== undefined) record.left.push(record.source);
    acknowledge(type === UPDATE ? 'update' : 'deferred-update', false);
  } else if (type === CHOICES) {
    record.choices = readChoices(data, record.optionType);
    acknowledge('choices', false);
  } else {
    refuseFlaws(
      flawsOf('ModalInteractionCallbackRequestDataSchema', data ?? {}).map((flaw) => ({ ...flaw, path: ['data', ...flaw.path] })),
    );
    const form = formForm.parse(data);
    refuseFlaws(formFlaws(form).map((flaw) => ({ ...flaw, path: ['data', ...flaw.path] })));
    record.form = { customId: form.custom_id, title: form.title, raw: form };
    acknowledge('form', false);
  }
  context.bus.happened();
  return wireAnswer({ context, record, type, message });
}

function readEnvelope(body: unknown, type: InteractionType): z.infer<typeof envelope> {
  const read = envelope.safeParse(body);
  const fits = read.success && allowed[type].includes(read.data.type);
  if (!fits)
    refuseFlaws([
      { path: ['type'], code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${allowed[type].join(', ')}} for this interaction.` },
    ]);
  return envelope.parse(body);
}

function reply(context: StandInContext, record: InteractionRecord, payload: Payload, thinking: boolean): Message {
  refuseUploads(payload, context.uploadBytes);
  const form = readMessage('IncomingWebhookInteractionRequestSchema', payload.body, ['data']);
  return addMessage(context, {
    channel: channelOf(context, record),
    form: thinking ? { flags: form.flags } : form,
    payload,
    mayEmbed: true,
    mayMentionEveryone: true,
    interaction: record.id,
    flags: thinking ? MessageFlag.LOADING : 0,
  });
}

function update(context: StandInContext, record: InteractionRecord, payload: Payload): Message {
  refuseUploads(payload, context.uploadBytes);
  const form = readMessage('IncomingWebhookUpdateRequestPartialSchema', payload.body, ['data']);
  return changeMessage(context, { message: known(context.world.messages, record.source ?? '', 'message'), form, payload, mayEmbed: true });
}

const channelOf = ({ world }: StandInContext, record: InteractionRecord): Channel => known(world.channels, record.channel, 'channel');

function readChoices(data: unknown, optionType: number | undefined): z.infer<typeof choicesForm>['choices'] {
  const read = choicesForm.safeParse(data);
  refuseFlaws((read.error?.issues ?? []).map(({ path, message }) => ({ path: ['data', ...path], code: 'BASE_TYPE_BAD_LENGTH', message })));
  const { choices } = choicesForm.parse(data);
  const wanted = optionType === TEXT ? 'string' : 'number';
  refuseFlaws(
    choices.flatMap(({ value }, at) =>
      typeof value === wanted
        ? []
        : [{ path: ['data', 'choices', at, 'value'], code: 'BASE_TYPE_CONVERT', message: `Could not interpret "${value}" as ${wanted}.` }],
    ),
  );
  return choices;
}

interface Answered {
  readonly context: StandInContext;
  readonly record: InteractionRecord;
  readonly type: number;
  readonly message: Message | undefined;
}

const wireAnswer = ({ context, record, type, message }: Answered): Wire => ({
  interaction: {
    id: record.id,
    type: record.type,
    channel_id: record.channel,
    ...(record.original !== undefined && {
      response_message_id: record.original,
      response_message_loading: type === DEFER,
      response_message_ephemeral: context.world.messages.get(record.original)?.ephemeral ?? false,
    }),
  },
  resource: { type, ...(message !== undefined && { message: wireMessage(context.view, message) }) },
});
