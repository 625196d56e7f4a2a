/** The invented event of a test. */
import { MINUTE, later } from '../../base/clock.js';
import type { DeliveredEvent } from '../../chat/notifier.js';
import { reply, type Reply } from '../../chat/reply.js';
import { decimal, slug, type Instant } from '../../domain/scalars.js';

const HEADLINE = [{ strong: 'Sample Project minted 486,210 SMPL' }, ' (3.77% of supply, $402.6K)'] as const;

export const sampleReply = (now: Instant): Reply => reply({ tone: 'up', finding: ['Test from Navwatch: ', ...HEADLINE], asOf: now });

export const sampleEvent = (now: Instant): DeliveredEvent => ({
  id: 'sample/supply',
  feed: 'supply',
  stage: 'mint',
  topic: 'sample/supply',
  project: slug('sample'),
  occurredAt: later(now, -MINUTE),
  detectedAt: now,
  headline: HEADLINE,
  links: [],
  size: { usd: decimal('402581.88'), percent: decimal('3.769'), amount: decimal('486210'), symbol: 'SMPL' },
  facts: { name: 'Sample Project', symbol: 'SMPL', type: 'Mint', amount: '486210', supplyAfter: '13386144', usd: '402581.88' },
});
