/** Terms of an ICO and its result. */
import type { z } from 'zod';
import { oversubscription, dotted, line, shareOf, ages, missingText, needOne, optional, type ProjectView } from '../../src/reply/index.js';
import { icoContributors, icoDetails } from '../../src/analytics/endpoints/ico.js';
import type { BlockDraft, Line } from '../../src/chat/reply.js';
import { later } from '../../src/base/clock.js';
import { divide, isApartBy, multiply } from '../../src/domain/decimal.js';
import { amount, duration, portion, price, times, usd } from '../../src/domain/format.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';

type Details = z.output<(typeof icoDetails)['data']>;
type Contributors = z.output<(typeof icoContributors)['data']>;

/** Relative. */
const TOLERANCE = decimal('0.01');

export const terms: ProjectView = async ({ analytics, project, now, signal }) => {
  const input = { slug: project.slug };
  const [details, contributors] = await Promise.all([
    optional(analytics.call(icoDetails, input, { signal })),
    optional(analytics.call(icoContributors, input, { signal })),
  ]);
  needOne(details, contributors);
  const ico = details.answer?.data;
  const raise = contributors.answer?.data;
  const symbol = project.symbol ?? project.name;
  return {
    finding: headline(symbol, ico, raise),
    blocks: [
      ico === undefined
        ? line(`⚠ Terms: ${missingText(details)}`)
        : {
            kind: 'figures',
            items: [
              { label: 'ICO price', value: price(ico.price) },
              { label: 'sold', value: `${amount(ico.icoSupply)} ${symbol}${shareOf(ico.icoSupply, ico.totalSupply)}` },
              { label: 'total supply', value: amount(ico.totalSupply) },
            ],
          },
      raise === undefined ? line(`⚠ Raise: ${missingText(contributors)}`) : raiseFigures(raise),
      ...(ico === undefined ? [] : [line(...when(ico, now))]),
      ...(ico === undefined || raise === undefined ? [] : priceCheck(ico, raise)),
    ],
    ...ages(details.answer, contributors.answer),
  };
};

/** The committed amount before anything is accepted. */
const againstMinimum = ({ accepted, committed, minimum }: Contributors): Decimal | undefined => {
  const raised = accepted ?? committed;
  const ratio = raised === undefined || minimum === undefined ? undefined : divide(raised, minimum);
  return ratio && multiply(ratio, decimal('100'));
};

function headline(symbol: string, ico: Details | undefined, raise: Contributors | undefined): Line {
  const at = ico?.price === undefined ? '' : ` at ${price(ico.price)} per token`;
  if (raise?.accepted !== undefined) {
    const over = oversubscription(raise);
    return [{ strong: `${symbol}'s ICO raised ${usd(raise.accepted)}${at}` }, over === undefined ? '' : `, ${times(over)} oversubscribed`];
  }
  if (raise?.committed !== undefined) return [{ strong: `${symbol}'s ICO: ${usd(raise.committed)} committed${at}` }];
  return [{ strong: ico?.price === undefined ? `${symbol}: no ICO published` : `${symbol}'s ICO price was ${price(ico.price)}` }];
}

const raiseFigures = (raise: Contributors): BlockDraft => {
  const reached = againstMinimum(raise);
  return {
    kind: 'figures',
    items: [
      { label: 'Minimum', value: usd(raise.minimum) },
      { label: 'committed', value: usd(raise.committed) },
      { label: 'accepted', value: `${usd(raise.accepted)}${shareOf(raise.accepted, raise.committed)}` },
      { label: 'vs minimum', value: portion(reached) },
      { label: 'contributors', value: raise.contributors === undefined ? 'n/a' : amount(decimal(raise.contributors)) },
    ],
  };
};

function when({ startedAt, runsFor }: Details, now: Instant): Line {
  const end = startedAt === undefined || runsFor === undefined ? undefined : later(startedAt, runsFor);
  return dotted(
    startedAt === undefined ? 'Start n/a' : [startedAt > now ? 'Starts ' : 'Started ', { at: startedAt }],
    end === undefined ? undefined : [end > now ? 'ends ' : 'ended ', { at: end }],
    runsFor === undefined ? undefined : `open for ${duration(runsFor, 2)}`,
  );
}

function priceCheck({ price: reported, icoSupply }: Details, { accepted }: Contributors): readonly BlockDraft[] {
  const computed = accepted === undefined || icoSupply === undefined ? undefined : divide(accepted, icoSupply);
  if (computed === undefined || reported === undefined) return [];
  if (!isApartBy(computed, reported, { part: TOLERANCE })) return [];
  return [
    line(`⚠ ICO price reported as ${price(reported)}, but ${usd(accepted)} for ${amount(icoSupply)} tokens is ${price(computed)} each.`),
  ];
}
