/** This module defines the facts of a launch, and words them in alerts and live messages. */
import { z } from 'zod';
import type { Line } from '../chat/reply.js';
import { divide, multiply } from '../domain/decimal.js';
import { duration, portionOf, usd } from '../domain/format.js';
import { decimal, decimalSchema, instantSchema, type Instant } from '../domain/scalars.js';
import { REMINDER_STAGE } from '../domain/reminder.js';
import { ending, oneLine } from './date-phrases.js';

export const launchFactsSchema = z.object({
  address: z.string(),
  mint: z.string().optional(),
  name: z.string(),
  symbol: z.string().optional(),
  minimum: decimalSchema.optional(),
  committed: decimalSchema.optional(),
  accepted: decimalSchema.optional(),
  endsAt: instantSchema.optional(),
  permissionless: z.boolean().optional(),
  longerBy: z.number().optional(),
  reason: z.string().optional(),
  raised: decimalSchema.optional(),
});
export type LaunchFacts = z.infer<typeof launchFactsSchema>;

export function findingOf(stage: string, { committed, minimum, accepted, longerBy, reason, raised }: LaunchFacts): string {
  if (stage === 'extended' && longerBy !== undefined) return ` by ${duration(longerBy, 2)}`;
  if (stage === 'graveyard')
    return `${reason === undefined ? '' : `: ${reason}`}${raised === undefined ? '' : `, after raising ${usd(raised)}`}`;
  if ((stage === 'complete' || stage === 'closed') && accepted !== undefined)
    return `: ${usd(accepted)} accepted${committed === undefined ? '' : ` of ${usd(committed)} committed`}`;
  if (stage === 'new' || stage === 'live') return minimum === undefined ? '' : `, raising at least ${usd(minimum)}`;
  if (committed === undefined) return '';
  return `${stage === 'ending' ? ',' : ':'} ${usd(committed)} committed`;
}

/** Returns text such as "$960K committed, 128% of the $750K minimum · ends in 5 h". */
export function progressOf({ committed, minimum, endsAt, longerBy, permissionless }: LaunchFacts, at: Instant): readonly Line[] {
  const ratio = ratioOf(committed, minimum);
  const least = minimum === undefined ? '' : `${usd(minimum)} minimum`;
  const raised =
    committed === undefined ? least : `${usd(committed)} committed${ratio === undefined ? '' : `, ${portionOf(ratio, `the ${least}`)}`}`;
  return oneLine([
    ...(raised === '' ? [] : [[raised]]),
    ...(endsAt !== undefined && endsAt > at ? [ending(endsAt, at)] : []),
    ...(longerBy === undefined ? [] : [[`extended by ${duration(longerBy, 2)}`]]),
    ...(permissionless === undefined ? [] : [[permissionless ? 'open to any wallet' : 'allowlist only']]),
  ]);
}

const ratioOf = (committed: LaunchFacts['committed'], minimum: LaunchFacts['minimum']) =>
  committed === undefined || minimum === undefined ? undefined : divide(multiply(committed, decimal('100')), minimum);

export function detailsOf(
  stage: string,
  facts: LaunchFacts,
  { detectedAt, now }: { readonly detectedAt: Instant; readonly now: Instant },
): readonly Line[] {
  const parts: Line[] = [];
  const { committed, minimum, endsAt } = facts;
  const ratio = ratioOf(committed, minimum);
  if (ratio !== undefined && stage !== 'graveyard' && stage !== 'new') parts.push([portionOf(ratio, `the ${usd(minimum)} minimum`)]);
  if (['new', 'live', 'minimum', 'extended', 'ending', REMINDER_STAGE].includes(stage)) {
    if (endsAt !== undefined && endsAt > detectedAt) parts.push(ending(endsAt, now));
    if (facts.permissionless !== undefined) parts.push([facts.permissionless ? 'open to any wallet' : 'allowlist only']);
  }
  return oneLine(parts);
}
