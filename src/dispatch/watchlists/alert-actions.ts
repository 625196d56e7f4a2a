/** The words of `/alerts` that say what to do with a kind. */
export const ALERT_ACTIONS = ['on', 'off', 'everything', 'usual', 'only', 'remove', 'age', 'mention', 'test'] as const;
