/** Planted mistakes about exceptions of the entry for all projects. */
export const EXCEPTION_MUTANTS = [
  {
    name: 'exception-sounds',
    says: 'the mute of a project under the entry for all projects is ignored',
    patches: [
      {
        file: 'src/alerts/queue/suppression.ts',
        from: "['project', exception?.mutedUntil],",
        to: "['project', MUTATED ? undefined : exception?.mutedUntil],",
      },
    ],
  },
  {
    name: 'exception-begins',
    says: 'what is different for a project begins the watch of it anew',
    patches: [
      {
        file: 'src/alerts/watchlist/exceptions.ts',
        from: 'return after === entry ? before : withChoices(before, differences(all, after), before);',
        to: 'return after === entry ? before : { ...withChoices(before, differences(all, after), before), ...(MUTATED ? { since: about.now } : {}) };',
      },
    ],
  },
  {
    name: 'exclusion-forgotten',
    says: 'an excluded project alerts like any other',
    patches: [
      {
        file: 'src/alerts/watchlist/exceptions.ts',
        from: 'return exception.excluded === true ? undefined : excepted(entry, about.project, exception);',
        to: 'return exception.excluded === true && !MUTATED ? undefined : excepted(entry, about.project, exception);',
      },
    ],
  },
  {
    name: 'exception-of-all',
    says: 'a project that comes back alerts what happened while it was excluded',
    patches: [
      {
        file: 'src/alerts/watchlist/exceptions.ts',
        from: '(excluded === undefined ? before : { ...before, since: about.now }));',
        to: '(MUTATED || excluded === undefined ? before : { ...before, since: about.now }));',
      },
    ],
  },
];
