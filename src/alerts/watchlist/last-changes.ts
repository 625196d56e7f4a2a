/** This module defines the settings of a chat, and what is kept of their last changes and of the last mute, so that Undo can restore them. */
import { z } from 'zod';
import { clockTimeSchema } from '../../domain/day.js';
import { offsetsSchema } from '../../domain/reminder.js';
import { instantSchema } from '../../domain/scalars.js';
import { digestSettingSchema } from '../digest/setting.js';
import { presetSchema } from '../rules/presets.js';
import { targetSchema } from './entry.js';

export const settingFields = {
  /** An IANA name; the default is UTC. */
  timezone: z.string().optional(),
  /** Local times; if `from` is later than `to`, the hours span midnight. */
  quiet: z.object({ from: clockTimeSchema, to: clockTimeSchema }).optional(),
  /** The preset of new entries. The default is `DEFAULT_PRESET`. */
  preset: presetSchema.optional(),
  digest: digestSettingSchema.optional(),
  /** A message with current values, edited in place and pinned if `pin` is set. */
  board: z.object({ since: instantSchema, pin: z.boolean() }).optional(),
};

const stateSchema = z.object({
  ...settingFields,
  /** Minutes before an end, for everything that the chat watches. */
  remind: offsetsSchema.optional(),
  /** The mutes that the change began, moved or ended. */
  mutes: z
    .array(z.object({ target: targetSchema.optional(), kind: z.string().optional(), topic: z.string().optional(), until: instantSchema }))
    .readonly()
    .optional(),
});
export type ChangedState = z.infer<typeof stateSchema>;

export const lastChangesSchema = z.partialRecord(
  z.enum(['mutes', 'board', 'digest', 'settings', 'reminders']),
  z.object({
    /** Counts the changes of this part, so that the Undo button of an earlier change is recognised. */
    number: z.int(),
    before: stateSchema,
    after: stateSchema,
    /** The change was an Undo itself, so undoing it redoes. */
    isUndo: z.boolean().optional(),
  }),
);
export type ChangedPart = keyof z.infer<typeof lastChangesSchema>;
