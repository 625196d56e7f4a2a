/** Planted mistakes of lists that show every project, in the form of `list.mjs`. */

export const SWEEP_MUTANTS = [
  {
    name: 'list-evaluated',
    says: 'what a list shows is evaluated for good',
    patches: [
      {
        file: 'src/feeds/premium.ts',
        from: '  async read(subject, { analytics, options, historyAge }): Promise<Snapshot<PremiumSeen>> {\n',
        to: '  async read(subject, { analytics, options, historyAge, listed }): Promise<Snapshot<PremiumSeen>> {\n',
      },
      {
        file: 'src/feeds/premium.ts',
        from: '    const { data, at } = await analytics.call(treasuryOverview, { slug }, options);\n',
        to: '    const { data: own, at } = await analytics.call(treasuryOverview, { slug }, options);\n    const { price = own.price } = (MUTATED ? listed?.now : undefined) ?? {};\n    const data = price === own.price ? own : { ...own, price, updatedAt: at };\n',
      },
    ],
  },
  {
    name: 'call-forgotten',
    says: 'a restart drops the checks that a list called for',
    patches: [
      {
        file: 'src/sweeps/trust.ts',
        from: 'base: { ...view.base, ...base },',
        to: 'base: MUTATED && call !== undefined ? view.base : { ...view.base, ...base },',
      },
      {
        file: 'src/sweeps/trust.ts',
        from: '{ ...rest, ...(called && !isAnswered',
        to: '{ ...rest, ...(called && !MUTATED && !isAnswered',
      },
    ],
  },
  {
    name: 'omitted-observed',
    says: 'a project that a list omits counts as observed',
    patches: [
      {
        file: 'src/sweeps/sweeps.ts',
        from: 'swept.seenAt !== document?.at ||',
        to: '(!MUTATED && swept.seenAt !== document?.at) ||',
      },
    ],
  },
  {
    name: 'unread-at-rest',
    says: 'lists are not read while all checks are put off',
    patches: [
      {
        file: 'src/jobs/watcher.ts',
        from: '(sweeps?.due(this.#everySweep) ?? []).length === 0',
        to: '(MUTATED || (sweeps?.due(this.#everySweep) ?? []).length === 0)',
      },
    ],
  },
  {
    name: 'known-is-false',
    says: 'a list that shows what a check found before has called in vain',
    patches: [{ file: 'src/sweeps/sweeps.ts', from: 'events > 0 || isExplained ||', to: 'events > 0 || (isExplained && !MUTATED) ||' }],
  },
  {
    name: 'zeros-compared',
    says: 'a check while a list shows zeros leaves nothing that its next row is compared with',
    patches: [
      {
        file: 'src/sweeps/trust.ts',
        from: ': { ...then?.base, ...base };',
        to: ': MUTATED ? base : { ...then?.base, ...base };',
      },
      {
        file: 'src/sweeps/trust.ts',
        from: '      seenAt: at,\n      falseCalls,\n',
        to: '      ...(MUTATED ? { base } : {}),\n      seenAt: at,\n      falseCalls,\n',
      },
    ],
  },
  {
    name: 'answered-call-kept',
    says: 'a call of a list that a check has answered comes back after a crash, and keeps it from calling again',
    patches: [
      {
        file: 'src/sweeps/trust.ts',
        from: 'const isAnswered = called !== undefined',
        to: 'const isAnswered = !MUTATED && called !== undefined',
      },
    ],
  },
];
