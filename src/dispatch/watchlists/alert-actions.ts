/** The words of `/alerts` that say what to do with a kind; any other text is a rule. */
export const ALERT_ACTIONS = ['on', 'off', 'everything', 'usual', 'only', 'remove', 'age', 'mention', 'test'] as const;
