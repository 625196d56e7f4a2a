/** Planted mistakes. Each replaces a text that must stand in its file exactly once. `MUTATED` is whether this one is chosen now: one child process holds them all. */
import { EXCEPTION_MUTANTS } from './exceptions.mjs';
import { LABEL_MUTANTS } from './label-mutants.mjs';
import { REMINDER_MUTANTS } from './reminders.mjs';
import { SCREEN_MUTANTS } from './screen-mutants.mjs';
import { SWEEP_MUTANTS } from './sweep-mutants.mjs';
import { TRADE_MUTANTS } from './trade-mutants.mjs';
import { MARKET_MUTANTS } from './market-mutants.mjs';
import { CONDITION_MUTANTS } from './conditions.mjs';

export const MUTANTS = [
  {
    name: 'watermark-first',
    says: 'the watermark is written before the events that it covers',
    patches: [
      {
        file: 'src/jobs/check.ts',
        from: '  await watermarks.set(key, document);\n',
        to: '  if (MUTATED) await watermarks.set(key, { ...document, pending: [] }).then(async () => context.clock.sleep(2_000));\n  await watermarks.set(key, document);\n',
      },
    ],
  },
  {
    name: 'nonce-per-attempt',
    says: 'each attempt of a delivery has an id of its own',
    patches: [
      {
        file: 'src/alerts/delivery/deliver.ts',
        from: 'const delivery = {\n      id,\n',
        to: 'const delivery = {\n      id: MUTATED ? `${id}-${sending.attempts}` : id,\n',
      },
    ],
  },
  {
    name: 'not-sealed',
    says: 'a message that may have arrived is grouped again with later events',
    patches: [
      {
        file: 'src/alerts/delivery/deliver.ts',
        from: "state === 'sealed' && mayHaveArrived !== true && isOutdated(sealed, chat, now);",
        to: "state === 'sealed' && (MUTATED ? mayHaveArrived === true : mayHaveArrived !== true && isOutdated(sealed, chat, now));",
      },
      {
        file: 'src/alerts/queue/queue.ts',
        from: "if (open?.id !== id || open.state !== 'sealed' || open.mayHaveArrived === true) return queue;",
        to: "if (open?.id !== id || open.state !== 'sealed' || (!MUTATED && open.mayHaveArrived === true)) return queue;",
      },
      {
        file: 'src/alerts/delivery/deliver.ts',
        from: '      reply: chart === undefined ? reply : { ...reply, chart },\n',
        to: '      ...(MUTATED ? { id: `${id}-${sending.sealedAt}` } : {}),\n      reply: chart === undefined ? reply : { ...reply, chart },\n',
      },
    ],
  },
  {
    name: 'watermark-of-away',
    says: 'a watermark is deleted when the last chat that watches is away',
    patches: [
      {
        file: 'src/jobs/unwatched.ts',
        from: 'const revision = watchlists.kept.revision();',
        to: 'const revision = (MUTATED ? watchlists.here : watchlists.kept).revision();',
      },
      {
        file: 'src/jobs/unwatched.ts',
        from: 'const { watched } = watchlists.kept;',
        to: 'const { watched } = MUTATED ? watchlists.here : watchlists.kept;',
      },
      {
        file: 'src/jobs/unwatched.ts',
        from: '[...watchlists.kept.groups()]',
        to: '[...(MUTATED ? watchlists.here : watchlists.kept).groups()]',
      },
    ],
  },
  {
    name: 'never-run-last',
    says: 'checks that never ran wait for those that are late',
    patches: [
      {
        file: 'src/jobs/check-slots.ts',
        from: '      const firstCheck = this.#nextFirst(canAfford);\n',
        to: '      const firstCheck = MUTATED && this.#nextLate(canAfford) !== undefined ? undefined : this.#nextFirst(canAfford);\n',
      },
    ],
  },
  {
    name: 'hysteresis',
    says: 'a rule is not armed again exactly at the end of its hysteresis',
    patches: [
      {
        file: 'src/domain/threshold-rule.ts',
        from: ': compare(value, backLevel(condition)) <= 0;',
        to: ': compare(value, backLevel(condition)) <= (MUTATED ? -1 : 0);',
      },
    ],
  },
  {
    name: 'cooldown',
    says: 'an alert that comes too soon begins the cooldown again',
    patches: [
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: "if (soon) return { state: waiting, reason: 'too soon after the last alert' };",
        to: "if (soon) return { state: { ...waiting, ...(MUTATED ? { alertedAt: at } : {}) }, reason: 'too soon after the last alert' };",
      },
    ],
  },
  {
    name: 'budget-after',
    says: 'a call is booked after it was made',
    patches: [
      {
        file: 'src/analytics/requests.ts',
        from: '      const booking = await budget.book(row.id, priorityOf(shared));\n',
        to: '      let booking = MUTATED ? undefined : await budget.book(row.id, priorityOf(shared));\n',
      },
      {
        file: 'src/analytics/requests.ts',
        from: '        const done = { row: row.id,',
        to: '        if (MUTATED) booking = await budget.book(row.id, priorityOf(shared));\n        const done = { row: row.id,',
      },
    ],
  },
  {
    name: 'edit-lost',
    says: 'an edit counts as made before it is sent',
    patches: [
      {
        file: 'src/alerts/delivery/edits-of-sent.ts',
        from: '      const outcome = await edit(notifier, {\n',
        to: "      if (MUTATED) await settleEdit(address, { edit: due, live, outcome: { kind: 'edited' }, context });\n      const outcome = await edit(notifier, {\n",
      },
      {
        file: 'src/alerts/delivery/edits-of-sent.ts',
        from: '      await settleEdit(address, { edit: due, live, outcome, context });\n',
        to: '      if (!MUTATED) await settleEdit(address, { edit: due, live, outcome, context });\n',
      },
    ],
  },
  {
    name: 'eleventh',
    says: 'a message does not count the first event that it leaves out',
    patches: [
      {
        file: 'src/alerts/delivery/event-list.ts',
        from: 'more: parts.slice(MAX_IN_FULL).reduce(',
        to: 'more: parts.slice(MUTATED ? MAX_IN_FULL + 1 : MAX_IN_FULL).reduce(',
      },
    ],
  },
  {
    name: 'why-by-new-rules',
    says: 'what the rules of its time kept away is explained by the rules of today',
    patches: [
      {
        file: 'src/alerts/explanation/disposition.ts',
        from: 'if (former !== undefined && !former.matched)',
        to: 'if (!MUTATED && former !== undefined && !former.matched)',
      },
    ],
  },
  {
    name: 'launch-forgotten',
    says: 'a launch that moves to the list of completed ones loses its project',
    patches: [
      {
        file: 'src/feeds/launches.ts',
        from: "const slug = launch.slug ?? old?.slug ?? slugOf.get(launch.mint ?? '');",
        to: "const slug = MUTATED ? launch.slug : (launch.slug ?? old?.slug ?? slugOf.get(launch.mint ?? ''));",
      },
    ],
  },
  {
    name: 'growth-restated',
    says: 'a restated day of growth counts as known',
    patches: [
      {
        file: 'src/feeds/growth.ts',
        from: 'if (value === undefined || was === value ||',
        to: 'if (value === undefined || was === value || (MUTATED && was !== undefined) ||',
      },
    ],
  },
  {
    name: 'cliff-of-tranche',
    says: 'a tranche that changes when its cliff has passed is not alerted',
    patches: [
      {
        file: 'src/feeds/vesting.ts',
        from: 'if (state !== undefined && known.state !== undefined &&',
        to: 'if (!(MUTATED && now.past === true) && state !== undefined && known.state !== undefined &&',
      },
    ],
  },
  {
    name: 'dropped-uncounted',
    says: 'what a chat did not keep while the bot was away is not counted',
    patches: [
      {
        file: 'src/alerts/queue/dropped-away.ts',
        from: 'sum + (newest >= since ? count : 0)',
        to: 'sum + (!MUTATED && newest >= since ? count : 0)',
      },
    ],
  },
  {
    name: 'corrected-at-once',
    says: 'corrections of one value are not spaced out',
    patches: [
      {
        file: 'src/feeds/restatements.ts',
        from: 'now - last.at >= backoff(PAUSE, last.times)',
        to: 'now - last.at >= (MUTATED ? 0 : backoff(PAUSE, last.times))',
      },
    ],
  },
  {
    name: 'restated-in-pause',
    says: 'a value that is restated within the pause between two corrections counts as reported',
    patches: [
      {
        file: 'src/feeds/growth.ts',
        from: '      metrics.set(metric.id, newest(now));\n',
        to: '      metrics.set(metric.id, newest(MUTATED ? { ...now, ...Object.fromEntries(metric.days.map(({ day, value }) => [day, value])) } : now));\n',
      },
    ],
  },
  {
    name: 'amount-kept',
    says: 'a restated amount of a launch is not compared with the one that was alerted',
    patches: [
      {
        file: 'src/feeds/launches.ts',
        from: '    if (was === undefined) return [];\n',
        to: '    if (was === undefined || MUTATED) return [];\n',
      },
    ],
  },
  {
    name: 'never-too-old',
    says: 'the maximum age of an entry is not kept',
    patches: [
      {
        file: 'src/alerts/queue/batch.ts',
        from: 'if (!isKept(one) || ageLeft(one, event, now) >= 0) return undefined;',
        to: 'if (MUTATED || !isKept(one) || ageLeft(one, event, now) >= 0) return undefined;',
      },
    ],
  },
  {
    name: 'age-anew',
    says: 'the maximum age counts anew when a message is sealed',
    patches: [
      {
        file: 'src/alerts/delivery/sealing.ts',
        from: 'maxAge: Math.max(...all.map(({ one, event }) => ageLeft(one, event, now))),',
        to: 'maxAge: Math.max(...all.map(({ one, entry, event }) => (MUTATED ? maxAgeOf(entry) : ageLeft(one, event, now)))),',
      },
    ],
  },
  {
    name: 'posted-under-mute',
    says: 'a live message that people deleted is posted again while the chat is muted',
    patches: [
      {
        file: 'src/alerts/queue/batch.ts',
        from: 'if (suppressed !== undefined) return [{ due: later(suppressed.until, GATHER) }];',
        to: 'if (suppressed !== undefined && !MUTATED) return [{ due: later(suppressed.until, GATHER) }];',
      },
    ],
  },
  {
    name: 'second-digest',
    says: 'another timezone has a digest of its own on a day that had one',
    patches: [
      {
        file: 'src/alerts/digest/schedule.ts',
        from: 'return ({ day, dueAt }) => unit(day) > lastHere &&',
        to: 'return ({ day, dueAt }) => (MUTATED && !isSameZone) || unit(day) > lastHere &&',
      },
    ],
  },
  {
    name: 'refreshed-at-start',
    says: 'each start refreshes the wallets, however young their snapshots are',
    patches: [
      {
        file: 'src/jobs/refresh.ts',
        from: 'maxAge: Math.max(maxAge,',
        to: 'maxAge: MUTATED && this.#deps.clock.now() - this.#openedAt < 30_000 ? 0 : Math.max(maxAge,',
      },
    ],
  },
  {
    name: 'dropped-corrected',
    says: 'an alert that was dropped is corrected like one that was sent',
    patches: [
      {
        file: 'src/alerts/queue/who-was-alerted.ts',
        from: "(end === 'sent' || end === 'maybe sent')",
        to: "(MUTATED || end === 'sent' || end === 'maybe sent')",
      },
    ],
  },
  {
    name: 'late-row-forgotten',
    says: 'a call that finds nothing moves the base, so that a late row is never called for again',
    patches: [
      {
        file: 'src/sweeps/trust.ts',
        from: 'base: isFalse ? (then?.base ?? newest) : newest,',
        to: 'base: isFalse && !MUTATED ? (then?.base ?? newest) : newest,',
      },
    ],
  },
  {
    name: 'moved-unmarked',
    says: 'an alert that may have arrived in a group waits in its supergroup as if it had never been tried',
    patches: [
      {
        file: 'src/alerts/queue/queue.ts',
        from: '  queue.open?.mayHaveArrived === true ? unsealed(queue)',
        to: '  queue.open?.mayHaveArrived === true && !MUTATED ? unsealed(queue)',
      },
    ],
  },
  ...EXCEPTION_MUTANTS,
  ...LABEL_MUTANTS,
  ...MARKET_MUTANTS,
  ...CONDITION_MUTANTS,
  ...REMINDER_MUTANTS,
  ...SCREEN_MUTANTS,
  ...SWEEP_MUTANTS,
  ...TRADE_MUTANTS,
];
