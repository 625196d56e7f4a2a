/** Serves the control API `/__sim`, which injects events and faults, and reports state and plans. */
import { omitUndefined } from '../base/omit-undefined.js';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { DAY, instant, type Clock, type Instant } from '../base/clock.js';
import { FAULT_KINDS, faultSchema, stand } from './faults.js';
import { orderSchema, toFact, describeFact, type InjectOrder } from './inject.js';
import { MAX_FACTS, type Journal } from './journal.js';
import { ServiceRefusal } from './error-response.js';
import type { PagePlan } from './route.js';
import type { Fact } from './world/injected-facts.js';
import { happenings } from './world/events-between.js';
import type { World } from './world/world.js';

export interface ControlParts {
  readonly world: World;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly plan: PagePlan;
  readonly requests: ReadonlyMap<string, number>;
  readonly refreshRequests: readonly RefreshAsked[];
}

export interface RefreshAsked {
  readonly at: Instant;
  readonly wallet: string | undefined;
  readonly status: number;
}

/** The duration of a fault. Without either field it lasts until it is cleared. */
const lasting = z.object({ times: z.int().min(1).max(1_000_000).optional(), seconds: z.int().min(1).max(10_000_000).optional() });
const clearing = z.strictObject({ clear: z.literal(true), id: z.int().optional() });

const moment = z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text)));
const stretch = z.object({ from: moment, to: moment });
const MAX_STRETCH = DAY;

const MAX_AT_ONCE = 500;
const MAX_FAULTS = 100;
const BODY = 1_000_000;

type Command =
  | { readonly kind: 'order'; readonly order: InjectOrder }
  | { readonly kind: 'fault'; readonly body: unknown }
  | { readonly kind: 'clear'; readonly id: number | undefined };

function read(body: unknown): Command {
  const kind = z.object({ kind: z.string() }).safeParse(body).data?.kind;
  if (kind === undefined) {
    const { id } = accept(clearing, body);
    return { kind: 'clear', id };
  }
  if (FAULT_KINDS.includes(kind)) return { kind: 'fault', body };
  return { kind: 'order', order: accept(orderSchema, body) };
}

function accept<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ServiceRefusal(
    400,
    `not understood: ${parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the command'}: ${issue.message}`).join('; ')}`,
  );
}

function readFault(body: unknown) {
  const { times, seconds, ...fault } = accept(z.looseObject(lasting.shape), body);
  return omitUndefined({ fault: accept(faultSchema, fault), times, seconds });
}

function carryOut(
  orders: readonly InjectOrder[],
  { world, clock, before }: Pick<ControlParts, 'world' | 'clock'> & { readonly before: readonly Fact[] },
): readonly Fact[] {
  const made: Fact[] = [];
  for (const order of orders) made.push(toFact(order, { world, at: clock.now(), before: [...before, ...made] }));
  return made;
}

async function setFaults(
  commands: readonly Command[],
  { journal, clock }: Pick<ControlParts, 'journal' | 'clock'>,
): Promise<readonly { readonly id: number; readonly kind: string }[]> {
  let active = journal.faults();
  const set: { id: number; kind: string }[] = [];
  for (const command of commands) {
    if (command.kind === 'clear') active = command.id === undefined ? [] : active.filter((one) => one.id !== command.id);
    if (command.kind === 'fault') {
      const id = 1 + Math.max(0, ...journal.faults().map((one) => one.id), ...set.map((one) => one.id));
      const next = stand({ ...readFault(command.body), id, at: clock.now() });
      active = [...active, next];
      set.push({ id, kind: next.fault.kind });
    }
  }
  if (active.length > MAX_FAULTS) throw new ServiceRefusal(409, `at most ${MAX_FAULTS} faults can be in force; clear some first`);
  await journal.setFaults(active, true);
  return set;
}

export function control({ world, journal, clock, plan, requests, refreshRequests }: ControlParts): Hono {
  const app = new Hono();

  app.post(
    '/',
    bodyLimit({
      maxSize: BODY,
      onError: () => {
        throw new ServiceRefusal(413, 'the body is too large');
      },
    }),
    async (context) => {
      // Requires JSON, because browsers cannot send it across origins without a preflight.
      if (!context.req.header('content-type')?.startsWith('application/json')) throw new ServiceRefusal(400, 'send application/json');
      const body: unknown = await context.req.json().catch(() => {
        throw new ServiceRefusal(400, 'the body is no JSON');
      });
      const commands = accept(z.array(z.unknown()).min(1).max(MAX_AT_ONCE), Array.isArray(body) ? body : [body]).map(read);
      const orders = commands.flatMap((command) => (command.kind === 'order' ? [command.order] : []));
      // All commands are validated before the first one is applied.
      for (const command of commands) if (command.kind === 'fault') readFault(command.body);
      const facts = orders.length === 0 ? [] : await journal.add((before) => carryOut(orders, { world, clock, before }));
      const faults = orders.length === commands.length ? [] : await setFaults(commands, { journal, clock });
      return context.json({ injected: facts.map(describeFact), faults });
    },
  );

  app.get('/', (context) =>
    context.json({
      at: clock.now(),
      pace: world.scene.pace,
      plan,
      requests: Object.fromEntries(requests),
      refreshes: refreshRequests,
      faults: journal.faults(),
      journal: { facts: journal.facts().length, most: MAX_FACTS },
      injected: journal.facts().map(describeFact),
    }),
  );
  app.get('/happenings', (context) => {
    const { from, to } = accept(stretch, context.req.query());
    if (to <= from || to - from > MAX_STRETCH) throw new ServiceRefusal(400, 'to must lie after from, by at most a day');
    return context.json({ happenings: happenings(world, { from, to }) });
  });
  return app;
}
