/** Planted mistakes about values that must last, as in `list.mjs`. */
export const CONDITION_MUTANTS = [
  {
    name: 'lasting-not-reset',
    says: 'a value that came back inside the threshold goes on lasting',
    patches: [
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: 'const seen: RuleState = { ...released(state), last: now,',
        to: 'const seen: RuleState = { ...(MUTATED ? state : released(state)), last: now,',
      },
    ],
  },
  {
    name: 'lasting-unchanged',
    says: 'a value that stays the same does not last',
    patches: [
      {
        file: 'src/alerts/evaluation/evaluate.ts',
        from: 'boolean => state?.held !== undefined || isInCooldown(state, at);',
        to: 'boolean => (!MUTATED && state?.held !== undefined) || isInCooldown(state, at);',
      },
    ],
  },
  {
    name: 'lasting-at-once',
    says: 'a value that must last alerts when it crosses',
    patches: [
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: 'if (held !== undefined && at < held.due)',
        to: 'if (!MUTATED && held !== undefined && at < held.due)',
      },
    ],
  },
];
