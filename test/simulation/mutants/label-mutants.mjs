/** Planted mistakes of filters on names, in the form of `list.mjs`. */

export const LABEL_MUTANTS = [
  {
    name: 'token-of-another',
    says: 'a filter on tokens lets every token pass',
    patches: [
      {
        file: 'src/alerts/rules/filter.ts',
        from: "  if (label === 'tokens' || label === 'projects') return whole === part;",
        to: "  if (label === 'tokens' || label === 'projects') return MUTATED || whole === part;",
      },
    ],
  },
  {
    name: 'unknown-token',
    says: 'a movement whose token is not known is left out by a filter on tokens',
    patches: [
      {
        file: 'src/alerts/rules/filter.ts',
        from: 'wanted === undefined || own.length === 0 ||',
        to: 'wanted === undefined || (!MUTATED && own.length === 0) ||',
      },
    ],
  },
];
