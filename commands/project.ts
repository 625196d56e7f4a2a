/** /project <project>: a summary, with links to more. */
import { z } from 'zod';
import { daoOverview, marketMetrics, projectOverview, projectTimeline, projectUrl } from '../src/analytics/endpoints/project.js';
import { treasuryOverview } from '../src/analytics/endpoints/treasury.js';
import type { Labelled } from '../src/analytics/field-reader.js';
import { capitalised } from '../src/base/sentence-lists.js';
import { omitUndefined } from '../src/base/omit-undefined.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import { httpsUrl } from '../src/domain/links.js';
import {
  ages,
  commandActions,
  dotted,
  doubtful,
  figuresOf,
  line,
  missingText,
  needOne,
  optional,
  premiumCheck,
  projectOption,
  type OptionalAnswer,
} from '../src/reply/index.js';
import { amount, date, duration, exact, months, percent, premium, price, times, usd } from '../src/domain/format.js';
import { divide } from '../src/domain/decimal.js';
import { gapOf } from '../src/domain/premium.js';
import type { Project } from '../src/domain/project.js';
import { decimal, type Decimal, type Instant, type Slug } from '../src/domain/scalars.js';
import type { Context } from '../src/dispatch/context.js';

const BASIS_POINTS = decimal(100);
const MAX_PARAMETERS = 8;

export default defineCommand({
  name: 'project',
  summary: 'Project overview: price, NAV, treasury, market',
  args: z.object({ project: projectOption }),
  examples: ['/project tide', '/project "Heron Flats"'],
  phrases: {
    '/project {project}': `{project} | /price {project} | /px {project} | /mcap {project} | project {project} | {project} overview | about {project} | tell
      me about {project} | what is {project} | how is {project} doing | how is {project} going | {project} price | price of {project}
      | what does {project} cost | how much is {project} | what is {project} at right now | {project} px | {project} market cap |
      market cap of {project} | {project} mcap | {project} fdv | {project} info | everything about {project} | tldr on {project} |
      give me all information about {project} | {project} summary | {project} at a glance | {project}? | how big is {project} | what
      does {project} do | how much does one {project} coin cost right now | price {project} now | {project} current price | how many
      dollars is one {project} token | basics of {project} | {project} stats | show me {project} | what is the price of {project} |
      quote {project} | valuation of {project} | what's up with {project} | key figures of {project} | how are things at {project}`,
  },

  async run({ project: text }, { analytics, directory, links, signal, now }) {
    const project = await directory.find(text, signal);
    const { slug } = project;
    const [overview, market, treasury, dao, timeline, url] = await answersFor(slug, { analytics, signal });
    const parts = [overview, market, treasury, dao, timeline];
    if (parts.every(({ missing }) => missing?.trouble === 'unknown')) return onlyLaunched(project);
    needOne(...parts);
    const [about, traded, backing] = [overview.answer?.data, market.answer?.data, treasury.answer?.data];
    const tokenPrice = traded?.price ?? about?.price ?? backing?.price;
    const gap = gapOf({
      price: tokenPrice,
      navPerShare: traded?.navPerShare ?? backing?.navPerShare,
      premium: traded?.premium ?? backing?.premium,
    });
    const page = url.answer?.data;
    const mint = about?.mint ?? traded?.mint ?? project.mint;
    const pages = links([
      { to: 'site', website: page, slug, mint },
      { to: 'token', mint, slug },
      { to: 'chart', mint, slug },
    ]);
    return reply({
      subject: omitUndefined({ name: project.name, url: pages[0]?.url }),
      finding: [
        { strong: `${project.name}${project.symbol === undefined ? '' : ` (${project.symbol})`}` },
        tokenPrice === undefined ? ': no price published' : `: ${price(tokenPrice)}`,
        gap.percent === undefined ? '' : `, ${premium(gap.percent)}`,
      ],
      blocks: [
        ...(about?.description === undefined ? [] : [line(about.description)]),
        figures('market', market, [
          ['Market cap', usd(traded?.marketCap)],
          ['FDV', usd(traded?.fdv)],
          ['24 h', percent(traded?.change24h)],
          ['7 d', percent(traded?.change7d)],
          ['24 h volume', usd(traded?.volume)],
          ['liquidity', usd(traded?.liquidity)],
          ['since ICO', times(traded?.sinceIco)],
        ]),
        figures('treasury', treasury, [
          ['NAV', usd(backing?.netAssetValue)],
          ['NAV/share', price(traded?.navPerShare ?? backing?.navPerShare)],
          ['runway', months(backing?.runway)],
          ['allowance', allowance(backing?.allowance ?? dao.answer?.data.allowance)],
        ]),
        figures('token', overview, [
          ['Circulating', amount(about?.circulating)],
          ['total supply', amount(about?.totalSupply)],
          ['ICO price', price(about?.icoPrice)],
        ]),
        ...premiumCheck(gap),
        ...parameters(dao.answer?.data.parameters ?? []),
        line(...dotted(covered(timeline.answer?.data ?? {}, now), page === undefined || httpsUrl(page) ? undefined : page)),
        ...doubtful(backing?.doubts ?? []),
      ],
      links: pages,
      actions: [...commandActions(slug, 'treasury', 'premium', 'supply', 'proposals', 'growth', 'launches', 'watch')],
      ...ages(overview.answer, market.answer, treasury.answer, dao.answer, timeline.answer, url.answer),
    });
  },
});

const answersFor = async (slug: Slug, { analytics, signal }: Pick<Context, 'analytics' | 'signal'>) =>
  Promise.all([
    optional(analytics.call(projectOverview, { slug }, { signal })),
    optional(analytics.call(marketMetrics, { slug }, { signal })),
    optional(analytics.call(treasuryOverview, { slug }, { signal })),
    optional(analytics.call(daoOverview, { slug }, { signal })),
    optional(analytics.call(projectTimeline, { slug }, { signal })),
    optional(analytics.call(projectUrl, { project: slug }, { signal })),
  ]);

const onlyLaunched = ({ name, symbol, slug }: Project): Reply =>
  reply({
    finding: [{ strong: `${name}${symbol === undefined ? '' : ` (${symbol})`}` }, ': only its launches are tracked so far'],
    actions: [...commandActions(slug, 'launches', 'watch')],
  });

const figures = (name: string, from: OptionalAnswer<unknown>, all: readonly (readonly [label: string, value: string])[]): BlockDraft =>
  figuresOf(from.answer === undefined ? [[name, missingText(from)]] : all.map(([label, value]) => [label, value]));

const allowance = (value: Decimal | undefined): string => (value === undefined ? 'n/a' : `${usd(value)} a month`);

/** Words for the parameter names that the service uses. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'team sponsored pass threshold bps': 'team-sponsored pass threshold bps',
  'seconds per proposal': 'proposal length seconds',
  'twap start delay seconds': 'TWAP window opens after seconds',
  'base to stake': 'stake to launch a proposal',
};

const parameters = (all: readonly Labelled[]): readonly BlockDraft[] =>
  all.length === 0 ? [] : [{ kind: 'figures', items: all.slice(0, MAX_PARAMETERS).map(parameter) }];

function parameter({ label: name, value }: Labelled, index: number): { label: string; value: string } {
  const known = PARAMETERS[name] ?? name;
  const label = index === 0 ? capitalised(known) : known;
  if (/\bseconds\b/u.test(label))
    return { label: label.replace(/\s*\bseconds\b\s*/u, ' ').trim(), value: duration(Number(value) * 1_000, 2) };
  if (/\bbps$/u.test(label)) return { label: label.replace(/\s*bps$/u, ''), value: percent(divide(value, BASIS_POINTS)) };
  return { label, value: exact(value) };
}

function covered({ from, to }: { readonly from?: Instant; readonly to?: Instant }, now: Instant): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `Data until ${date(to, now)}`;
  return to === undefined ? `Data since ${date(from, now)}` : `Data from ${date(from, now)} to ${date(to, now)}`;
}
