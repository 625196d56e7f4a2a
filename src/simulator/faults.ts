/** Defines the faults of the simulated service and the requests they apply to. */
import { z } from 'zod';
import { DAY, HOUR, later, type Instant } from '../base/clock.js';
import { instantSchema } from '../domain/scalars.js';

/** The requests that a fault applies to. Without a limit it applies until it is cleared. */
const scope = {
  /** `*` matches any text. */
  path: z.string().min(1).max(200).default('*'),
  slug: z.string().max(100).optional(),
  rate: z.number().min(0).max(1).default(1),
};

/** The lists that the bot reads once for all projects. */
const GLOBAL_LISTS = [
  'dashboard.projects-launch',
  'dashboard.projects',
  'dashboard.live-markets',
  'dashboard.markets',
  'launches.recent',
  'launches.completed',
  'launches.graveyard',
] as const;

/** The figures that a list can report wrongly, with their field names. */
export const LIST_FIGURES = {
  price: ['tokenUsdPrice'],
  nav: ['netAssetValue'],
  premium: ['premDisc', 'mNAV'],
  runway: ['monthsOfRunway', 'runway'],
  supply: ['tokenTotalSupply', 'tokenCirculatingSupply'],
  launch: ['launchState', 'state'],
  market: ['status', 'result'],
} as const;
type ListFigure = keyof typeof LIST_FIGURES;
const ALL_FIGURES = Object.keys(LIST_FIGURES).filter((name): name is ListFigure => name in LIST_FIGURES);

/** If these fields are absent, the fault applies to every global list until it is cleared. */
const listScope = { list: z.array(z.enum(GLOBAL_LISTS)).min(1).optional(), rate: scope.rate };
const projects = z.array(z.string().min(1).max(100)).min(1).max(50);
const span = z
  .int()
  .min(1)
  .max(30 * DAY)
  .default(HOUR);

const row = { how: z.enum(['fields', 'null', 'text']).default('fields') };

const kinds = [
  z.strictObject({ ...scope, kind: z.literal('latency'), milliseconds: z.int().min(1).max(600_000) }),
  z.strictObject({ ...scope, kind: z.literal('status'), status: z.int().min(500).max(599).default(503) }),
  /** If `retryAfterSeconds` is absent, the response states no wait. */
  z.strictObject({ ...scope, kind: z.literal('limited'), retryAfterSeconds: z.int().min(0).max(1_000_000).optional() }),
  z.strictObject({ ...scope, kind: z.literal('cut') }),
  z.strictObject({ ...scope, kind: z.literal('shape'), shape: z.enum(['envelope', 'object', 'null', 'html']).default('envelope') }),
  /** Applies to the row with `field` = `value`, or else to row number `index` of each page. */
  z.strictObject({
    ...scope,
    ...row,
    kind: z.literal('broken-row'),
    index: z.int().min(0).default(0),
    field: z.string().optional(),
    value: z.union([z.string(), z.number()]).optional(),
  }),
  z.strictObject({
    ...scope,
    kind: z.literal('plan'),
    maxRows: z.int().min(1).max(1_000).default(100),
    maxPages: z.int().min(1).optional(),
    refusesWith: z.literal([400, 403]).default(403),
    exports: z.boolean().default(true),
  }),
  z.strictObject({ ...scope, kind: z.literal('reversed') }),
  z.strictObject({ ...scope, kind: z.literal('down') }),
  /** The list shows data that is `milliseconds` old. With `fresh` the response is dated now. */
  z.strictObject({ ...listScope, kind: z.literal('list-lag'), milliseconds: span, fresh: z.boolean().default(false) }),
  /** A project in the list shows old data, dated now. */
  z.strictObject({
    ...listScope,
    kind: z.literal('list-lie'),
    projects,
    how: z.enum(['stale', 'zero']).default('stale'),
    figures: z.array(z.enum(ALL_FIGURES)).min(1).default(ALL_FIGURES),
    milliseconds: span,
  }),
  z.strictObject({ ...listScope, kind: z.literal('list-omit'), projects }),
  z.strictObject({ ...listScope, kind: z.literal('list-absent'), status: z.literal([404, 503]).default(404) }),
] as const;

export const faultSchema = z.discriminatedUnion('kind', kinds);
export type Fault = z.output<typeof faultSchema>;
export const FAULT_KINDS: readonly string[] = kinds.map((kind) => kind.shape.kind.value);

export const standingSchema = z.object({
  id: z.int().min(1),
  fault: faultSchema,
  until: instantSchema.optional(),
  left: z.int().min(1).optional(),
});
export type ActiveFault = z.output<typeof standingSchema>;

export interface FaultRequest {
  readonly path: string;
  readonly slug: string | undefined;
  /** The id of the endpoint. */
  readonly id: string;
}

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

const isGlobalList = (id: string): boolean => GLOBAL_LISTS.some((list) => list === id);

function concerns(fault: Fault, request: FaultRequest): boolean {
  if (!('path' in fault)) return fault.list === undefined ? isGlobalList(request.id) : fault.list.some((list) => list === request.id);
  const { path, slug } = fault;
  const pattern = new RegExp(`^${path.split('*').map(literal).join('.*')}$`);
  return pattern.test(request.path) && (slug === undefined || slug === request.slug);
}

/** Returns the faults that apply to a request. Only these are used up. `chance` is in [0, 1). */
export function strike({
  active,
  request,
  at,
  chance,
}: {
  readonly active: readonly ActiveFault[];
  readonly request: FaultRequest;
  readonly at: Instant;
  readonly chance: (id: number) => number;
}): { readonly struck: readonly Fault[]; readonly left: readonly ActiveFault[] } {
  const current = active.filter((one) => one.until === undefined || at < one.until);
  const hit = new Set(current.filter((one) => concerns(one.fault, request) && chance(one.id) < one.fault.rate));
  return {
    struck: current.flatMap((one) => (hit.has(one) ? [one.fault] : [])),
    left: current.flatMap((one): readonly ActiveFault[] => {
      if (!hit.has(one) || one.left === undefined) return [one];
      return one.left > 1 ? [{ ...one, left: one.left - 1 }] : [];
    }),
  };
}

export const stand = ({
  id,
  fault,
  at,
  times,
  seconds,
}: {
  id: number;
  fault: Fault;
  at: Instant;
  times?: number;
  seconds?: number;
}): ActiveFault => ({
  id,
  fault,
  ...(seconds === undefined ? {} : { until: later(at, seconds * 1_000) }),
  ...(times === undefined ? {} : { left: times }),
});

export const struckBy = <K extends Fault['kind']>(struck: readonly Fault[], kind: K): Extract<Fault, { kind: K }> | undefined =>
  struck.findLast((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind);
