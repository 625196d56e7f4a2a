/** Identifies the series of a measurement. */
import type { Measurement } from '../../feeds/feed.js';

/** The id without its moment: `premium/tide`, `wallet/<address>/<token>`. */
export const seriesOf = ({ event }: Pick<Measurement, 'event'>): string => event.id.slice(0, event.id.lastIndexOf('/'));
