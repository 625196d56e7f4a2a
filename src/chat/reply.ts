/** Describes replies as data, without markup and for any platform. A button holds a whole command line, so it needs no session. */
import { z } from 'zod';
import { httpsUrlSchema } from '../domain/links.js';
import { downsampled, chartSchema, chartInZone } from './chart.js';
import { DAY } from '../base/clock.js';
import { instantSchema, type Instant } from '../domain/scalars.js';

/** The button that says why an alert came; many messages have it. */
export const WHY = 'Why?';

/** `at` may be shown relative to now, unless it is `exact`, because two moments are compared or one is quoted. */
const spanSchema = z.union([
  z.string(),
  z.object({ strong: z.string() }),
  z.object({ code: z.string() }),
  z.object({ at: instantSchema, exact: z.boolean().optional() }),
  z.object({ link: z.string(), url: httpsUrlSchema }),
]);
export type Span = z.infer<typeof spanSchema>;

const lineSchema = z.array(spanSchema).readonly();
export type Line = z.infer<typeof lineSchema>;

export const TONES = { up: '▲', down: '▼', live: '●', over: '○', warning: '⚠', plain: '' } as const;
const toneSchema = z.enum(['up', 'down', 'live', 'over', 'warning', 'plain']);
export type Tone = z.infer<typeof toneSchema>;

const blockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('line'), line: lineSchema }),
  /** Measurements in a row, such as "price $0.8280 · NAV/share $1.0000". */
  z.object({ kind: z.literal('figures'), items: z.array(z.object({ label: z.string(), value: z.string() })).readonly() }),
  /** `more` counts the items left out. */
  z.object({
    kind: z.literal('list'),
    items: z.array(z.object({ tone: toneSchema.default('plain'), line: lineSchema, detail: lineSchema.optional() })).readonly(),
    more: z.int().default(0),
  }),
  /** A row has one cell per column. `more` counts the rows left out. */
  z.object({
    kind: z.literal('table'),
    columns: z.array(z.object({ title: z.string(), align: z.enum(['left', 'right']).default('left') })).readonly(),
    rows: z.array(z.array(z.string()).readonly()).readonly(),
    more: z.int().default(0),
  }),
]);
export type Block = z.infer<typeof blockSchema>;
export type BlockDraft = z.input<typeof blockSchema>;

/** `danger` marks a press that cannot be undone, and `primary` the one that the reply is for. Platforms may show these as colours. */
const emphasisSchema = z.enum(['danger', 'primary']);
export type Emphasis = z.infer<typeof emphasisSchema>;

/** `on` marks the current choice. */
const actionSchema = z.object({
  label: z.string(),
  line: z.string().startsWith('/'),
  on: z.boolean().default(false),
  emphasis: emphasisSchema.optional(),
});
export type Action = z.infer<typeof actionSchema>;
export type ActionDraft = z.input<typeof actionSchema>;

/** A link leaves the chat for a web page. */
const linkSchema = z.object({ label: z.string(), url: httpsUrlSchema });
export type Link = z.infer<typeof linkSchema>;

/** Discord fits this many links in one row. */
const MAX_LINKS = 5;

/** A menu option is a whole command line; typed text replaces `{}` in a field's line. */
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
    lines: z.boolean().optional(),
    /** True if a file may replace the typed text, on platforms whose forms take files. */
    file: z.boolean().optional(),
  }),
]);
export type Field = z.infer<typeof fieldSchema>;
export type FieldDraft = z.input<typeof fieldSchema>;

const choiceSchema = z.object({ label: z.string().min(1), words: z.string(), on: z.boolean().default(false) });

/** All options of a command in one form, on platforms with forms. The chosen and typed values replace `{}`, separated by semicolons. */
const formSchema = z.object({
  label: z.string().min(1),
  title: z.string().min(1),
  line: z.string().startsWith('/').includes('{}'),
  parts: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('one'), label: z.string().min(1), choices: z.array(choiceSchema).min(2).max(10).readonly() }),
        /** The chosen words follow `before`, separated by commas. */
        z.object({
          ...{ kind: z.literal('several'), label: z.string().min(1), hint: z.string().default(''), before: z.string() },
          choices: z.array(choiceSchema).min(1).max(25).readonly(),
        }),
        z.object({ kind: z.literal('text'), label: z.string().min(1), hint: z.string().default('') }),
      ]),
    )
    .min(1)
    .max(5)
    .readonly(),
});
export type ReplyForm = z.infer<typeof formSchema>;
export type ReplyFormDraft = z.input<typeof formSchema>;

/** A role or a person, with the platform's id. */
export const mentionSchema = z.object({ kind: z.enum(['role', 'person']), id: z.string().regex(/^\d{1,20}$/u) });
export type Mention = z.infer<typeof mentionSchema>;

export const replySchema = z.object({
  tone: toneSchema.default('plain'),
  /** The finding, in one line. */
  finding: lineSchema,
  blocks: z.array(blockSchema).readonly().default([]),
  /** Set if the reply lists several events. What is below the finding may then be folded if it is long. */
  isSummary: z.literal(true).optional(),
  /** The title, on platforms that have one. */
  subject: z.object({ name: z.string(), url: httpsUrlSchema.optional() }).optional(),
  /** Shown before the actions. */
  links: z.array(linkSchema).max(MAX_LINKS).readonly().default([]),
  actions: z.array(actionSchema).readonly().default([]),
  fields: z.array(fieldSchema).max(5).readonly().default([]),
  form: formSchema.optional(),
  /** Set if the person may pick a channel or group, on platforms that offer a list of theirs. */
  chatPicker: z.literal(true).optional(),
  /** The mentions of entries. Texts never mention anybody. */
  mentions: z.array(mentionSchema).readonly().default([]),
  /** The time of the oldest data shown. */
  asOf: instantSchema.optional(),
  /** True if the data was old when the reply was made. */
  old: z.boolean().optional(),
  /** A sentence that says that the data is stale. */
  stale: z.string().optional(),
  /** The chat's IANA timezone, by default UTC. Part of the reply, so that every attempt and edit shows the same times. */
  zone: z.string().optional(),
  chart: chartSchema.optional(),
  /** The texts of the files are already escaped for their format. */
  files: z
    .array(z.object({ name: z.string(), type: z.string(), text: z.string() }))
    .readonly()
    .default([]),
  /** Who sees the reply. Errors are for the asker alone. A reply for nobody is not sent; its finding is the reason, for the log. */
  audience: z.enum(['everyone', 'asker', 'nobody']).default('everyone'),
  /** Set if the question was not answered: it cannot be read, names something unknown, is not permitted, or the bot failed. */
  isError: z.literal(true).optional(),
});
export type Reply = z.infer<typeof replySchema>;

const made = new WeakSet<object>();

/** The schema for documents. A reply made in this process is not parsed again before each write. */
export const storedReplySchema = z.union([
  z.custom<Reply>((value) => typeof value === 'object' && value !== null && made.has(value)),
  replySchema,
]);

export const isOld = (at: Instant, now: Instant): boolean => now - at >= DAY;

export const aged = (of: Reply, now: Instant): Reply => (of.asOf !== undefined && isOld(of.asOf, now) ? { ...of, old: true } : of);

/** Makes a reply. Drops empty blocks. */
export function reply(parts: z.input<typeof replySchema>): Reply {
  const whole = replySchema.parse(parts.chart === undefined ? parts : { ...parts, chart: downsampled(parts.chart) });
  const filled = whole.blocks.filter((block) => (block.kind === 'line' ? block.line.length > 0 : size(block) > 0));
  return parsed({ ...whole, blocks: filled });
}

const buttonsSchema = replySchema.pick({ actions: true, mentions: true });

/** Returns the same message with the buttons for another chat. */
export function addressed(of: Reply, buttons: Required<z.input<typeof buttonsSchema>>): Reply {
  const own = { ...of, ...buttonsSchema.parse(buttons) };
  return made.has(of) ? parsed(own) : own;
}

/** Returns the same reply with its times in a chat's timezone. */
export function inZone(of: Reply, zone: string | undefined): Reply {
  if (zone === undefined || of.zone === zone) return of;
  const own = { ...of, zone, ...(of.chart === undefined ? {} : { chart: chartInZone(of.chart, zone) }) };
  return made.has(of) ? parsed(own) : own;
}

function parsed(whole: Reply): Reply {
  made.add(whole);
  return whole;
}

const size = (block: Exclude<Block, { kind: 'line' }>): number => (block.kind === 'table' ? block.rows.length : block.items.length);
