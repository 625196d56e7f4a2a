/** Replies as the commands and feeds say them, for looking at the page and for checking what it shows. */
import { HOUR, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';

export const premium = (now: Instant) =>
  reply({
    finding: [{ strong: 'TIDE trades 17.2% below NAV' }, ', wider than on 91% of the days of the last year'],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'price', value: '$0.8280' },
          { label: 'NAV/share', value: '$1.0000' },
          { label: 'low (Aug 23)', value: '−30.5%' },
          { label: 'mean', value: '−5.0%' },
          { label: 'high (Aug 24)', value: '+12.0%' },
        ],
      },
    ],
    actions: [
      { label: '1D', line: '/premium tide 1D' },
      { label: '1W', line: '/premium tide 1W' },
      { label: '1M', line: '/premium tide 1M' },
      { label: '3M', line: '/premium tide 3M', on: true },
      { label: 'ALL', line: '/premium tide ALL' },
      { label: 'Watch', line: '/watch tide' },
    ],
    asOf: later(now, -2 * MINUTE),
  });

export const treasury = (now: Instant) =>
  reply({
    finding: [{ strong: 'Tidewater’s treasury covers 57.7 months' }, ', $5.77M net asset value'],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'NAV/share', value: '$0.6977' },
          { label: 'price', value: '$0.6289 (9.9% below)' },
          { label: 'allowance', value: '$100,000 a month' },
          { label: 'runway without LP', value: '54.2 months' },
        ],
      },
      {
        kind: 'table',
        columns: [
          { title: 'holding' },
          { title: 'amount', align: 'right' },
          { title: 'value', align: 'right' },
          { title: 'share', align: 'right' },
        ],
        rows: [
          ['USDC', '4.9M', '$4.90M', '85%'],
          ['TIDE/USDC liquidity', '1', '$870.0K', '15%'],
          ['TIDE, not in NAV', '3.2M', '$2.01M', 'n/a'],
        ],
        more: 2,
      },
    ],
    actions: [
      { label: 'Supply', line: '/supply tide' },
      { label: 'Premium', line: '/premium tide' },
      { label: 'Watch', line: '/watch tide' },
    ],
    asOf: later(now, -22 * MINUTE),
    stale: 'The analytics service is not answering.',
  });

export const launches = (now: Instant) =>
  reply({
    finding: [{ strong: '2 live' }, ', 1 ends today'],
    blocks: [
      {
        kind: 'list',
        items: [
          {
            tone: 'live',
            line: [{ strong: 'Heron Flats (HERN)' }, ' $960,000 of $750,000 minimum (128%)'],
            detail: ['9.8× oversubscribed · ends ', { at: later(now, 5 * HOUR) }, ' · open to any wallet'],
          },
          {
            tone: 'live',
            line: [{ strong: 'Salt Marsh (MARSH)' }, ' $410,000 of $1,000,000 (41%)'],
            detail: ['ends ', { at: later(now, 75 * HOUR) }, ' · allow-listed'],
          },
          {
            tone: 'over',
            line: ['recently complete: ', { strong: 'Alder Works (ALDR)' }, ' raised $3.00M of $15.5M committed'],
            detail: ['1.2× since ICO'],
          },
        ],
        more: 4,
      },
    ],
    actions: [
      { label: 'Completed', line: '/launches completed' },
      { label: 'Graveyard', line: '/launches graveyard' },
      { label: 'Next page', line: '/launches page:2' },
      { label: 'Watch launches', line: '/watch launches' },
    ],
    asOf: later(now, -40_000),
  });

export const mint = (now: Instant) =>
  reply({
    tone: 'up',
    finding: [{ strong: 'Tidewater minted 486,210 TIDE' }, ' (+3.77% of supply, $402,582 at $0.828)'],
    blocks: [
      { kind: 'line', line: ['supply 12,899,934 → 13,386,144 · for proposal “Raise the allowance” · ', { at: later(now, -40_000) }] },
    ],
    actions: [
      { label: 'Supply', line: '/supply tide' },
      { label: 'Proposal', line: '/proposals tide' },
      { label: 'Mute this chat 24 h', line: '/mute 24h' },
      { label: 'Why?', line: '/why d-1033' },
    ],
  });

export const live = (now: Instant) =>
  reply({
    tone: 'live',
    finding: ['Live: ', { strong: '“Fund the second audit”' }, ' (Tidewater)'],
    blocks: [
      {
        kind: 'line',
        line: [
          'TWAP window opened ',
          { at: later(now, -24 * HOUR) },
          ' · pass edge ',
          { strong: '+2.1%' },
          ' against +1.5% needed · ends ',
          { at: later(now, 11 * HOUR) },
        ],
      },
    ],
    actions: [{ label: 'Why?', line: '/why d-1034' }],
  });

export const fell = () =>
  reply({
    tone: 'down',
    finding: [{ strong: 'TIDE fell below your −10% line: 17.2% below NAV' }, ' (was 9.1% yesterday)'],
    blocks: [{ kind: 'line', line: ['what moved it: price −6.0 points, treasury −2.1, supply 0 · z-score −2.1 of its year'] }],
    actions: [{ label: 'Why?', line: '/why d-1035' }],
  });

export const unknownProject = () =>
  reply({
    tone: 'warning',
    finding: ['No project called “tidewtaer”. Did you mean ', { strong: 'tide' }, ' (Tidewater) or ', { strong: 'tideway' }, '?'],
    blocks: [{ kind: 'line', line: [{ code: '/search tidew' }, ' looks further.'] }],
    audience: 'asker',
  });

export const rules = () =>
  reply({
    finding: [{ strong: 'Tidewater: what is alerted of its supply' }, ', at least $10,000 each'],
    blocks: [{ kind: 'line', line: ['Everything that is minted or burned counts; a smaller one is kept and can be asked for.'] }],
    fields: [
      {
        kind: 'menu',
        label: 'Kind of events',
        options: [
          { label: 'Supply', hint: 'mints and burns', line: '/alerts tide supply', on: true },
          { label: 'Premium', hint: 'where the price stands against NAV per share', line: '/alerts tide premium' },
          { label: 'Treasury', line: '/alerts tide treasury' },
        ],
      },
      {
        kind: 'menu',
        label: 'Stages of a proposal that are alerted',
        options: [
          { label: 'created', line: '/alerts tide proposals stages:live,resolved', on: true },
          { label: 'live', line: '/alerts tide proposals stages:created,resolved', on: true },
          { label: 'resolved', line: '/alerts tide proposals stages:created,live' },
        ],
      },
      {
        kind: 'text',
        label: 'At least so many US dollars',
        hint: '0 to 1,000,000,000, for example 10000',
        line: '/alerts tide supply least:{}',
      },
      { kind: 'text', label: 'Mute until', line: '/mute tide {}' },
    ],
    actions: [
      { label: 'Everything', line: '/alerts tide supply all' },
      { label: 'Off', line: '/alerts tide supply off' },
    ],
  });

/** A question before something that cannot be undone, and the button that most people want. */
export const confirmed = () =>
  reply({
    tone: 'warning',
    finding: [{ strong: 'Replace the whole watchlist?' }, " This can't be undone."],
    actions: [
      { label: 'Import', line: '/watchlist import', emphasis: 'primary' },
      { label: 'Replace all', line: '/watchlist replace', emphasis: 'danger' },
      { label: 'Chosen', line: '/watchlist', on: true },
    ],
  });

/** What a stranger may put into a name: markup, control and direction characters, a mention, and far too much of it. */
export const HOSTILE =
  '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">"\'&amp; \u202Egnp.exe\u0000\u001b[31m @everyone';
export const hostile = () =>
  reply({
    tone: 'warning',
    finding: [HOSTILE, { strong: `${HOSTILE}${'W'.repeat(10_000)}` }],
    blocks: [
      { kind: 'line', line: [{ code: HOSTILE }, 'x'.repeat(10_000)] },
      { kind: 'figures', items: [{ label: HOSTILE, value: 'y'.repeat(500) }] },
      { kind: 'list', items: [{ tone: 'up', line: [HOSTILE], detail: ['z'.repeat(3_000)] }] },
      { kind: 'table', columns: [{ title: HOSTILE }, { title: 'v', align: 'right' }], rows: [['q'.repeat(2_000), HOSTILE]] },
    ],
    actions: [{ label: `"><script>window.hacked=1</script>${'b'.repeat(400)}`, line: `/x "${HOSTILE}` }],
    fields: [
      { kind: 'menu', label: HOSTILE, options: [{ label: `${HOSTILE}${'o'.repeat(500)}`, hint: HOSTILE, line: `/x "${HOSTILE}` }] },
      { kind: 'text', label: 'l'.repeat(500), hint: `${HOSTILE}${'h'.repeat(500)}`, line: `/x {} "${HOSTILE}` },
    ],
    stale: HOSTILE,
    asOf: instant(8.7e15),
  });
