/** Planted mistakes of reminders, in the form of `list.mjs`. */

export const REMINDER_MUTANTS = [
  {
    name: 'reminder-not-moved',
    says: 'a reminder keeps to the end that was known first',
    patches: [
      {
        file: 'src/alerts/checks/check-records.ts',
        from: 'date === undefined ? [] : [{ ...about, at: date,',
        to: 'date === undefined ? [] : [{ ...about, at: (MUTATED ? before.find((one) => one.topic === about.topic && one.what === about.what)?.at : undefined) ?? date,',
      },
    ],
  },
  {
    name: 'reminder-after-end',
    says: 'a reminder that waited is sent after the end',
    patches: [
      {
        file: 'src/alerts/queue/batch.ts',
        from: '(reminderOf(event)?.at ?? Infinity) <= now)',
        to: '!MUTATED && (reminderOf(event)?.at ?? Infinity) <= now)',
      },
      {
        file: 'src/alerts/queue/batch.ts',
        from: '(reminderOf(event)?.at ?? Infinity) - now);',
        to: '(MUTATED ? Infinity : (reminderOf(event)?.at ?? Infinity)) - now);',
      },
    ],
  },
  {
    name: 'reminder-forgotten',
    says: 'after a crash a reminder that was sent is sent again',
    patches: [
      {
        file: 'src/jobs/reminders.ts',
        from: 'pending: [...document.pending, ...events], reminded });',
        to: 'pending: [...document.pending, ...(MUTATED ? events.map((event) => ({ ...event, id: `${event.id}/${event.detectedAt}` })) : events)], ...(MUTATED ? {} : { reminded }) });',
      },
    ],
  },
];
