/** Explanations whose events are recorded as sources of the reply. */
import type { Explanation, Why } from '../alerts/explanation/explain.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Recorder } from '../sources/recorder.js';

export const recordedWhy = (why: Why, recorder: Pick<Recorder, 'add'>): Why => ({
  ...why,
  async ofDelivery(address, id) {
    const explanations = await why.ofDelivery(address, id);
    for (const { event, crossings } of explanations ?? [])
      recorder.add({
        record: omitUndefined({ what: `event ${event.id}`, at: event.detectedAt, dataAt: event.occurredAt }),
        data: { facts: givenIn(event.facts), crossings: crossings.map(earlierIn) },
      });
    return explanations;
  },
});

const COMPUTED: ReadonlySet<string> = new Set(['gap', 'zScore']);

const givenIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(givenIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (COMPUTED.has(name) ? [] : [[name, givenIn(part)]])));
};

const earlierIn = ({ was, since, year }: Explanation['crossings'][number]) => ({ was, since, year });
