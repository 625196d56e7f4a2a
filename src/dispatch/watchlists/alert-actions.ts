/** Action words of `/alerts`. */
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
