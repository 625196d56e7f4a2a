/**
 * What the bot says, as data: no markup, no platform. A renderer turns it into a card, an embed or plain lines; it alone
 * escapes and it alone knows limits. A button is a command line, so there is no hidden session behind it.
 */
import { z } from 'zod';
import { bounded } from './bounded.js';
import { chartSchema } from './chart.js';
import { DAY } from '../base/clock.js';
import { instantSchema, type Instant } from '../domain/scalars.js';

/** A piece of a line. `at` is a moment the platform may show relative to the reader ("3 h ago"). */
const spanSchema = z.union([z.string(), z.object({ strong: z.string() }), z.object({ code: z.string() }), z.object({ at: instantSchema })]);
export type Span = z.infer<typeof spanSchema>;

const lineSchema = z.array(spanSchema).readonly();
export type Line = z.infer<typeof lineSchema>;

/** The one glyph that carries meaning: rose, fell, live, over, look at this. */
export const TONES = { up: '▲', down: '▼', live: '●', over: '○', warning: '⚠', plain: '' } as const;
const toneSchema = z.enum(['up', 'down', 'live', 'over', 'warning', 'plain']);
export type Tone = z.infer<typeof toneSchema>;

const blockSchema = z.discriminatedUnion('kind', [
  /** One paragraph. */
  z.object({ kind: z.literal('line'), line: lineSchema }),
  /** Labelled values that belong together, shown in a row: "price $0.8280 · NAV/AS $1.0000". */
  z.object({ kind: z.literal('figures'), items: z.array(z.object({ label: z.string(), value: z.string() })).readonly() }),
  /** Items with an optional second line; `more` counts those left out. */
  z.object({
    kind: z.literal('list'),
    items: z.array(z.object({ tone: toneSchema.default('plain'), line: lineSchema, detail: lineSchema.optional() })).readonly(),
    more: z.int().default(0),
  }),
  /** A table; every row has as many cells as there are columns. `more` counts the rows left out. */
  z.object({
    kind: z.literal('table'),
    columns: z.array(z.object({ title: z.string(), align: z.enum(['left', 'right']).default('left') })).readonly(),
    rows: z.array(z.array(z.string()).readonly()).readonly(),
    more: z.int().default(0),
  }),
]);
export type Block = z.infer<typeof blockSchema>;
/** A block as it is written, before `reply` fills in what it leaves out. */
export type BlockDraft = z.input<typeof blockSchema>;

/** A button: its label and the command line it stands for; `on` marks the choice in force. */
const actionSchema = z.object({ label: z.string(), line: z.string().startsWith('/'), on: z.boolean().default(false) });
export type Action = z.infer<typeof actionSchema>;
export type ActionDraft = z.input<typeof actionSchema>;

/**
 * Something to fill in, for platforms that have menus, forms or a way to ask back; it stands beside the buttons, and every reply can be answered by
 * typing too. A menu's option is a whole command line. What is typed into a text field takes the place of `{}` in its line.
 */
const fieldSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('menu'),
    label: z.string(),
    options: z
      .array(
        z.object({ label: z.string(), hint: z.string().default(''), line: z.string().startsWith('/'), on: z.boolean().default(false) }),
      )
      .min(1)
      .max(25)
      .readonly(),
  }),
  z.object({
    kind: z.literal('text'),
    label: z.string(),
    hint: z.string().default(''),
    line: z.string().startsWith('/').includes('{}'),
    /** Whether what is typed may have several lines, which are kept. Absent is no. */
    lines: z.boolean().optional(),
  }),
]);
export type Field = z.infer<typeof fieldSchema>;
export type FieldDraft = z.input<typeof fieldSchema>;

/** A role or a person of a platform, by the platform's own id. */
export const mentionSchema = z.object({ kind: z.enum(['role', 'person']), id: z.string().regex(/^\d{1,20}$/u) });
export type Mention = z.infer<typeof mentionSchema>;

export const replySchema = z.object({
  tone: toneSchema.default('plain'),
  /** The finding, in one line: what a reader takes away if they read nothing else. */
  finding: lineSchema,
  blocks: z.array(blockSchema).readonly().default([]),
  actions: z.array(actionSchema).readonly().default([]),
  fields: z.array(fieldSchema).max(5).readonly().default([]),
  /** Who is pinged by this message where the platform can: only who a watchlist entry names, never anybody named in a text. */
  mentions: z.array(mentionSchema).readonly().default([]),
  /** When the oldest data behind this reply is from, at the latest when it arrived; absent where no service data is shown. */
  asOf: instantSchema.optional(),
  /** Whether that was old when the reply was made. Absent is no. */
  old: z.boolean().optional(),
  /** Why an old copy is shown, as a sentence; absent when the data is as fresh as it should be. */
  stale: z.string().optional(),
  /** At most one picture; what it shows is said in words too. */
  chart: chartSchema.optional(),
  /** Files that people may download, such as a CSV. Text, complete, already harmless. */
  files: z
    .array(z.object({ name: z.string(), type: z.string(), text: z.string() }))
    .readonly()
    .default([]),
  /** Who may see it: the chat, or only the person who asked. Errors go to the asker alone. */
  audience: z.enum(['everyone', 'asker']).default('everyone'),
});
export type Reply = z.infer<typeof replySchema>;

/** From this age on data is shown with a warning. */
export const isOld = (at: Instant, now: Instant): boolean => now - at >= DAY;

/** The reply as it is shown at `now`: data that is old is marked. Every reply to a question passes here. */
export const aged = (of: Reply, now: Instant): Reply => (of.asOf !== undefined && isOld(of.asOf, now) ? { ...of, old: true } : of);

/** Fills in what a reply leaves out. Blocks that would show nothing are left out. */
export function reply(parts: z.input<typeof replySchema>): Reply {
  const whole = replySchema.parse(parts.chart === undefined ? parts : { ...parts, chart: bounded(parts.chart) });
  return { ...whole, blocks: whole.blocks.filter((block) => (block.kind === 'line' ? block.line.length > 0 : size(block) > 0)) };
}

const size = (block: Exclude<Block, { kind: 'line' }>): number => (block.kind === 'table' ? block.rows.length : block.items.length);
