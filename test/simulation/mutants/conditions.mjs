/** Planted mistakes about values that must last and conditions that are joined, as in `list.mjs`. */
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
  {
    name: 'joined-by-or',
    says: 'one of several conditions is enough',
    patches: [
      {
        file: 'src/alerts/evaluation/position.ts',
        from: 'if (!all.every((one) => isMet(one.condition, one.value)))',
        to: 'if (MUTATED ? !all.some((one) => isMet(one.condition, one.value)) : !all.every((one) => isMet(one.condition, one.value)))',
      },
    ],
  },
  {
    name: 'joined-stale',
    says: 'the values of other conditions are those of the measurement before',
    patches: [
      {
        file: 'src/feeds/premium.ts',
        from: 'others: omitUndefined({ nav, runway, allowance }),',
        to: 'others: omitUndefined({ nav, runway: MUTATED ? (before?.last?.runway ?? runway) : runway, allowance }),',
      },
    ],
  },
  {
    name: 'joined-by-its-first',
    says: 'only the first condition arms the rule again',
    patches: [
      {
        file: 'src/alerts/evaluation/position.ts',
        from: 'const back = all.some((one) => isBack(one.condition, one.value));',
        to: 'const back = all.slice(0, MUTATED ? 1 : all.length).some((one) => isBack(one.condition, one.value));',
      },
    ],
  },
];
