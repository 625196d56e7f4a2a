/** Planted mistakes of saved screens, in the form of `list.mjs`. */

export const SCREEN_MUTANTS = [
  {
    name: 'screen-flaps',
    says: 'a project leaves a screen at the threshold itself',
    patches: [
      {
        file: 'src/domain/screen.ts',
        from: "holds(test, value, before === 'in');",
        to: "holds(test, value, !MUTATED && before === 'in');",
      },
    ],
  },
  {
    name: 'screen-forgotten',
    says: 'who is in a screen is not stored with the events',
    patches: [
      {
        file: 'src/jobs/screens.ts',
        from: 'withEvents(before, { source, watermark, events: found })',
        to: 'withEvents(before, { source, watermark: MUTATED && before !== undefined ? before.watermark : watermark, events: found.map((event) => (MUTATED ? { ...event, id: `${event.id}/${now}` } : event)) })',
      },
    ],
  },
];
