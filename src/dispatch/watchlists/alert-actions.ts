/** The words of `/alerts` that say what to do with an entry or a kind. */
import { PRESETS } from '../../alerts/rules/presets.js';

export const ALERT_ACTIONS = [
  ...PRESETS,
  'undo',
  'on',
  'silent',
  'off',
  'usual',
  'only',
  'remove',
  'age',
  'mention',
  'test',
  'backtest',
  'preview',
] as const;
