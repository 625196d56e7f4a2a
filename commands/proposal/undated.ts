/** What the service says of a proposal that trades ends with its market: afterwards its data is as old as that and not late. */
import type { Analytics } from '../../src/analytics/analytics.js';

/** The service, with answers whose age is that of the answer alone. */
export const undated = (analytics: Analytics): Analytics => ({
  ...analytics,
  async call(row, input, options) {
    const { dataAt: _ended, ...answer } = await analytics.call(row, input, options);
    return answer;
  },
});
