/** How old an event may be that a correction is still shown for. */
import { DAY } from '../../base/clock.js';

export const CORRECTED_FOR = 7 * DAY;
