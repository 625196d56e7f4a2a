/** A push changes a price, treasury or allowance, so that it crosses a threshold. */
import { z } from 'zod';
import type { Instant } from '../base/clock.js';
import { slug } from '../domain/scalars.js';
import { ServiceRefusal } from './error-response.js';
import { exactly } from './world/amounts.js';
import type { Character } from './world/invented-projects.js';
import type { Fact } from './world/injected-facts.js';
import type { World } from './world/world.js';

const project = z.string().min(1).max(100);
const usd = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'a positive decimal as text, with at most six places');

/** The price is in USD, and moves on from there. */
export const priceOrder = z.strictObject({ kind: z.literal('price'), project, price: usd });
export const navOrder = z.strictObject({ kind: z.literal('nav'), project, factor: usd });
/** The allowance is in USD per month. */
export const allowanceOrder = z.strictObject({ kind: z.literal('allowance'), project, usd });

export type Push = z.output<typeof priceOrder> | z.output<typeof navOrder> | z.output<typeof allowanceOrder>;

const DIGITS = 24;
const MAX_FACTOR = 1_000;

/** It throws a `ServiceRefusal` with 400 for an invalid order. */
export function pushFact(order: Push, { world, who, at }: { readonly world: World; readonly who: Character; readonly at: Instant }): Fact {
  if (at < world.born(who)) throw new ServiceRefusal(400, `${who.slug} has no token yet`);
  if ((world.ended(who) ?? at + 1) <= at) throw new ServiceRefusal(400, `${who.slug} was wound up, and its figures stand still`);
  const about = { slug: slug(who.slug), at };
  switch (order.kind) {
    case 'price': {
      if (exactly(order.price).eq(0)) throw new ServiceRefusal(400, 'price must be above zero');
      return { kind: 'price', ...about, factor: exactly(order.price).div(world.naturalPrice(who, at)).round(DIGITS).toFixed() };
    }
    case 'nav': {
      if (exactly(order.factor).eq(0) || exactly(order.factor).gt(MAX_FACTOR))
        throw new ServiceRefusal(400, `factor must be above zero and at most ${MAX_FACTOR}`);
      if (world.treasury.value(who, at) === undefined) throw new ServiceRefusal(400, `${who.slug} publishes no NAV`);
      return { kind: 'nav', ...about, factor: order.factor };
    }
    case 'allowance': {
      if (exactly(order.usd).eq(0)) throw new ServiceRefusal(400, 'usd must be above zero');
      return { kind: 'allowance', ...about, usd: order.usd };
    }
  }
}
