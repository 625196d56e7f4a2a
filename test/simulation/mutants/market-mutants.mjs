/** Planted mistakes about moves, and about rules on decision markets, as in `list.mjs`. */
export const MARKET_MUTANTS = [
  {
    name: 'nav-since-last',
    says: 'a move of NAV is measured from the last value instead of the last alerted one',
    patches: [
      {
        file: 'src/alerts/evaluation/position.ts',
        from: '(anchor) => isMovedBy(rule, anchor, value))',
        to: '(anchor) => isMovedBy(rule, MUTATED && state !== undefined ? state.last.value : anchor, value))',
      },
    ],
  },
  {
    name: 'flip-twice',
    says: 'a flip that was alerted does not count as the side that a market is on',
    patches: [
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: '      anchor: { ...now, side: beyond, ...since },\n      last: now,\n      alertedAt: now.at,',
        to: "      anchor: MUTATED && rule.when === 'flip' ? state.anchor : { ...now, side: beyond, ...since },\n      last: now,\n      alertedAt: now.at,",
      },
    ],
  },
  {
    name: 'flip-unwritten',
    says: 'the states of rules are durable before the alerts that they say were given',
    patches: [
      {
        file: 'src/alerts/evaluation/route-measurements.ts',
        from: '    if (commit !== undefined) await rules.commit(key, commit);\n',
        to: "    if (MUTATED && commit?.crossed !== undefined && key.startsWith('proposals/')) {\n      await rules.commit(key, { ...commit, crossed: undefined, members: new Map() });\n      await new Promise((resolve) => setTimeout(resolve, 60_000));\n    }\n    if (commit !== undefined) await rules.commit(key, commit);\n",
      },
    ],
  },
  {
    name: 'market-of-another',
    says: "a rule's state of one market is used for another of its project",
    patches: [
      {
        file: 'src/alerts/checks/check-records.ts',
        from: "=> event.id.slice(0, event.id.lastIndexOf('/'));",
        to: "=> (MUTATED && event.feed === 'proposals' ? `proposals/${event.project}` : event.id.slice(0, event.id.lastIndexOf('/')));",
      },
    ],
  },
  {
    name: 'back-at-once',
    says: 'an alert is said to be over before the value is back by the hysteresis',
    patches: [
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: 'if (!armed || furthest === undefined) return { state: { ...seen, armed }, reason };',
        to: 'if ((!armed && !MUTATED) || furthest === undefined) return { state: { ...seen, armed }, reason };',
      },
    ],
  },
  {
    name: 'back-although-off',
    says: 'a chat that wants nothing said of the end of an alert learns of it',
    patches: [
      {
        file: 'src/alerts/queue/returns.ts',
        from: "if (way === 'off') return [];",
        to: "if (way === 'off' && !MUTATED) return [];",
      },
    ],
  },
  {
    name: 'back-forgotten',
    says: 'after a further value the alert is no longer known to last, so that its end is never shown',
    patches: [
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: '  const { furthest, ...over } = seen;\n',
        to: '  const { furthest: kept, ...over } = seen;\n  const furthest = MUTATED ? undefined : kept;\n',
      },
    ],
  },
  {
    name: 'mute-of-one-ignored',
    says: 'the mute of one proposal or launch is ignored',
    patches: [
      {
        file: 'src/alerts/queue/suppression.ts',
        from: "['topic', chat.mutedTopics?.[marketOf(id) ?? '']],",
        to: "['topic', MUTATED ? undefined : chat.mutedTopics?.[marketOf(id) ?? '']],",
      },
    ],
  },
  {
    name: 'follow-ends-early',
    says: 'a followed proposal or launch counts as decided once it is live',
    patches: [
      {
        file: 'src/alerts/evaluation/route.ts',
        from: 'filter(({ feed, stage }) => isResult(feed, stage))',
        to: "filter(({ feed, stage }) => (MUTATED ? stage === 'live' : isResult(feed, stage)))",
      },
    ],
  },
  {
    name: 'follow-of-others',
    says: 'a followed proposal alerts the others of its project as well',
    patches: [
      {
        file: 'src/alerts/watchlist/match.ts',
        from: "if (target.kind === 'market') return target.topic === marketIn(event);",
        to: "if (target.kind === 'market') return target.topic === marketIn(event) || (MUTATED && event.feed === 'proposals');",
      },
      {
        file: 'src/alerts/watchlist/subscribers.ts',
        from: 'eachOnce(keysFor(event).flatMap(',
        to: "eachOnce([...keysFor(event), ...(MUTATED ? [...members.keys()].filter((key) => key.startsWith('market/')) : [])].flatMap(",
      },
    ],
  },
];
