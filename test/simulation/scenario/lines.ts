/** What people type for what they ask, and how an answer that says yes reads. */
import type { Ask, Followed } from './scenario.js';

const two = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const lasting = ({ lasts, and }: Extract<Ask, { kind: 'rule' }>): string =>
  `${and === undefined ? '' : ` and runway above ${and.level} band ${and.band}`}${lasts === undefined ? '' : ` for ${lasts}min`}`;

const nameOf = ({ of, key }: Followed): string => `${of} on ${key}`;

export function lineOf(ask: Ask): string {
  switch (ask.kind) {
    case 'watch':
    case 'unwatch':
      return `/${ask.kind} ${ask.project}`;
    case 'follow':
      return `/watch ${nameOf(ask.one)}`;
    case 'unfollow':
      return `/unwatch ${ask.one.key}`;
    case 'wallet':
      return `/watch ${ask.wallet} fund`;
    case 'preset':
      return `/alerts ${ask.project} ${ask.preset}`;
    case 'filter':
      return `/alerts ${ask.project} supply usd>${ask.usd}`;
    case 'token':
      return `/alerts ${ask.project} movements only ${ask.token}`;
    case 'mode':
      return `/alerts ${ask.project} ${ask.feed} ${ask.on ? 'on' : 'off'}`;
    case 'rule':
      return ask.measure !== 'runway'
        ? `/alerts ${ask.project} ${ask.measure} above ${ask.level} band ${ask.band}${lasting(ask)}`
        : `/alerts ${ask.project} treasury runway below ${ask.level} band ${ask.band}${lasting(ask)}`;
    case 'back':
      return `/alerts ${ask.project} ${ask.measure === 'runway' ? 'treasury' : 'premium'} back:${ask.way}`;
    case 'move':
      return `/alerts ${ask.project} treasury nav move ${ask.percent}`;
    case 'trade':
      return `/alerts ${ask.project} proposals trade>${ask.usd}`;
    case 'screen':
      return `/watch screen price>${ask.level}`;
    case 'mute':
      if (ask.one !== undefined) return `/mute ${nameOf(ask.one)} ${ask.minutes}m`;
      return ask.project === undefined ? `/mute ${ask.minutes}m` : `/mute ${ask.project} ${ask.minutes}m`;
    case 'unmute':
      if (ask.one !== undefined) return `/unmute ${nameOf(ask.one)}`;
      return ask.project === undefined ? '/mute off' : `/mute ${ask.project} off`;
    case 'quiet':
      return `/settings quiet ${two(ask.from)}-${two(ask.to)}`;
    case 'age':
      return `/alerts ${ask.project} age ${ask.hours}h`;
    case 'digest':
      return `/digest daily ${two(ask.hour)}`;
    case 'timezone':
      return `/settings timezone ${ask.zone}`;
    case 'remind':
      return `/remind ${ask.minutes}min`;
    case 'import':
      return '/watchlist import';
    case 'hostile':
      return ask.line;
  }
}

/** A refusal is asked again, unless it says that nothing is to be done. */
export const saysYes = (ask: Ask, tone: string, finding: string): boolean =>
  ask.kind === 'hostile' ||
  tone !== 'warning' ||
  (ask.kind !== 'watch' && /does not watch|Nothing is watched|is excluded from/u.test(finding));
