/** Interactions: kept from a person's action until their token ends, with what the bot answered. https://docs.discord.com/developers/interactions/receiving-and-responding */
import { randomBytes } from 'node:crypto';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { refusal } from './refusal.js';
import type { StandInContext } from './context.js';
import type { Acknowledgement, Choice, Form, Id } from './types.js';
import { wireUser, type Wire } from './wire.js';
import { known, type Message } from './world.js';

/** How long a person's client waits for the first answer. */
const FIRST_ANSWER = 3 * SECOND;
/** How long the token lives. */
const TOKEN = 15 * MINUTE;

/** 2 a command, 3 a button or menu, 4 an autocomplete, 5 a form. */
export type InteractionType = 2 | 3 | 4 | 5;

export interface InteractionRecord {
  readonly id: Id;
  readonly token: string;
  readonly type: InteractionType;
  readonly user: Id;
  readonly channel: Id;
  readonly createdAt: number;
  /** The message whose button was pressed. */
  readonly source: Id | undefined;
  /** The interaction that opened the form being handed in. */
  readonly openedBy?: Id | undefined;
  /** The type of the option being completed. */
  readonly optionType?: number | undefined;
  acknowledged: Acknowledgement | undefined;
  /** What `@original` means: the reply, or the source of an update. */
  original: Id | undefined;
  /** What it left behind, in order. */
  readonly left: Id[];
  /** How many were asked for. */
  followups: number;
  choices: readonly Choice[] | undefined;
  form: Form | undefined;
}

export interface Interactions {
  open(action: Pick<InteractionRecord, 'type' | 'user' | 'channel' | 'source' | 'optionType' | 'openedBy'>): InteractionRecord;
  /** Whatever became of it; undefined for none. */
  record(id: Id): InteractionRecord | undefined;
  /** For the callback: 10062 for none, a wrong token, and one that waited 3 seconds; 40060 for one that is answered. */
  awaiting(id: Id, token: string): InteractionRecord;
  /** For followups: 10015 for none and one not acknowledged, 50027 for a token past its 15 minutes. */
  answered(application: Id, token: string): InteractionRecord;
  /** `@original`, or one of the messages it left; 10008 for none. */
  message(record: InteractionRecord, id: Id): Message;
  metadata(id: Id): Wire | undefined;
}

export function openInteractions(context: Pick<StandInContext, 'clock' | 'world'>): Interactions {
  const { clock, world } = context;
  const byId = new Map<Id, InteractionRecord>();
  const byToken = new Map<string, InteractionRecord>();
  const metadata = (id: Id): Wire | undefined => {
    const record = byId.get(id);
    if (record === undefined) return undefined;
    return {
      id,
      type: record.type,
      user: wireUser(known(world.users, record.user, 'user')),
      authorizing_integration_owners: { '0': world.channels.get(record.channel)?.guild ?? '0' },
      ...(record.type === 3 && { interacted_message_id: record.source ?? '0' }),
      ...(record.openedBy !== undefined && { triggering_interaction_metadata: metadata(record.openedBy) }),
    };
  };
  return {
    open(action) {
      const record: InteractionRecord = {
        ...action,
        id: world.newId(),
        token: randomBytes(60).toString('base64url'),
        createdAt: clock.now(),
        acknowledged: undefined,
        original: undefined,
        left: [],
        followups: 0,
        choices: undefined,
        form: undefined,
      };
      byId.set(record.id, record);
      byToken.set(record.token, record);
      return record;
    },
    record: (id) => byId.get(id),
    awaiting(id, token) {
      const record = byId.get(id);
      if (record === undefined || record.token !== token) throw refusal('unknownInteraction');
      if (record.acknowledged !== undefined) throw refusal('alreadyAcknowledged');
      if (clock.now() - record.createdAt > FIRST_ANSWER) throw refusal('unknownInteraction');
      return record;
    },
    answered(application, token) {
      const record = byToken.get(token);
      if (record === undefined || application !== world.applicationId || record.acknowledged === undefined) throw refusal('unknownWebhook');
      if (clock.now() - record.createdAt > TOKEN) throw refusal('invalidToken');
      return record;
    },
    message(record, id) {
      const wanted = id === '@original' ? record.original : [record.original, ...record.left].find((left) => left === id);
      const message = world.messages.get(wanted ?? '');
      if (message === undefined || message.deleted) throw refusal('unknownMessage');
      return message;
    },
    metadata,
  };
}
