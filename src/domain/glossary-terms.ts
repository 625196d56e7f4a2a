/** The terms of the glossary, each explained in a sentence. */

export interface GlossaryTerm {
  readonly id: string;
  readonly title: string;
  /** Other words for the term, in lower case. */
  readonly names: readonly string[];
  readonly says: string;
  /** The figure in the list of projects that shows the term. */
  readonly figure?: 'premium' | 'discount' | 'nav' | 'runway' | 'cap' | 'treasury' | 'supply' | 'allowance' | 'fdv';
  /** The name is also an ordinary word, so it is the term only where nothing else is asked for: "what is a check". */
  readonly isCommonWord?: true;
  /** A command line that shows the term; {project} stands for a project. */
  readonly line: string;
}

type Details = Pick<GlossaryTerm, 'says' | 'line'> & Partial<Pick<GlossaryTerm, 'title' | 'names' | 'figure' | 'isCommonWord'>>;

function term(id: string, { title, names = [], ...more }: Details): GlossaryTerm {
  const spoken = id.replaceAll('-', ' ');
  return {
    id,
    title: title ?? `${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}`,
    names: [...new Set([spoken, id, ...names])],
    ...more,
  };
}

/** A longer name stands before one that it contains, because the first match wins. */
export const glossaryTerms: readonly GlossaryTerm[] = [
  term('nav-per-share', {
    title: 'NAV per share',
    names: ['nav share', 'nav per token', 'nav/share'],
    says: 'NAV divided by the tokens that count as shares: what the treasury holds for each token, in USD.',
    figure: 'nav',
    line: '/treasury {project} nav',
  }),
  term('pass-edge', {
    names: ['pass margin'],
    says: "By how many percent the time-weighted price of a proposal's pass market exceeds that of its fail market.",
    line: '/proposal {project} threshold',
  }),
  term('flip', {
    names: ['flips', 'market flip'],
    says: 'A decision market flips when it goes from passing to failing, or back: its margin crosses 0.',
    line: '/alerts {project} proposals flip',
  }),
  term('margin', {
    says: 'By how many points the pass edge of a proposal is above the threshold that it needs to pass. Negative is failing.',
    line: '/proposal {project} threshold',
  }),
  term('decision-market', {
    names: ['decision markets', 'prediction market', 'prediction markets', 'futarchy', 'conditional market', 'conditional markets'],
    says: 'A market that decides a proposal: traders price the token for the case that it passes and for the case that it fails, and the higher average price wins.',
    line: '/markets',
  }),
  term('conditional-token', {
    names: ['conditional tokens', 'pass token', 'fail token'],
    says: "A token that is worth something only if a proposal passes, or only if it fails. Trading it sets the proposal's pass and fail prices.",
    line: '/proposal {project} price',
  }),
  term('ownership-coin', {
    names: ['ownership coins', 'ownership token', 'ownership tokens'],
    says: 'A token whose holders govern a project and own its treasury through it.',
    line: '/overview',
  }),
  term('governance-token', {
    names: ['governance tokens', 'governance'],
    says: 'A token whose holders decide on proposals. Here they decide by trading in decision markets.',
    line: '/proposals',
  }),
  term('quiet-hours', {
    says: 'Hours in which alerts of this chat wait. They come as one summary afterwards.',
    line: '/settings quiet',
  }),
  term('market-cap', {
    names: ['mcap', 'market capitalization', 'market capitalisation'],
    says: 'The price times the circulating tokens, in USD.',
    figure: 'cap',
    line: '/project {project}',
  }),
  term('fdv', {
    title: 'FDV',
    names: ['fully diluted valuation', 'fully diluted'],
    says: 'Fully diluted valuation, which is the price times all tokens, in USD.',
    figure: 'fdv',
    line: '/project {project}',
  }),
  term('live-message', {
    names: ['live messages'],
    says: 'The one message of a proposal or a launch in a chat, which is edited as it goes on.',
    line: '/alerts',
  }),
  term('z-score', {
    names: ['zscore'],
    says: 'How many standard deviations a value is from its average of the past year: 2 or more is unusual.',
    line: '/alerts {project} premium z>2 backtest',
  }),
  term('twap', {
    title: 'TWAP',
    names: ['twaps'],
    says: 'Time-weighted average price. A proposal is decided by the TWAPs of its two markets, so a short spike counts little.',
    line: '/proposal {project} threshold',
  }),
  term('runway', {
    names: ['runways'],
    says: 'How many months the treasury lasts at the present spending.',
    figure: 'runway',
    line: '/treasury {project} runway',
  }),
  term('price-target', {
    names: ['price targets'],
    says: 'A price that the token must reach, as a TWAP, before a tranche of the team unlocks.',
    line: '/vesting {project} tranches',
  }),
  term('tranche', {
    names: ['tranches'],
    says: "A part of a team's tokens with its own cliff and price target. It unlocks when both are reached.",
    line: '/vesting {project} tranches',
  }),
  term('cliff', {
    names: ['cliffs'],
    says: 'The date before which nothing of a tranche can unlock.',
    line: '/vesting {project} unlocks',
  }),
  term('vesting', {
    names: ['vest', 'unlock', 'unlocks'],
    says: 'The team gets its tokens over time, in tranches that unlock after a cliff and at price targets.',
    line: '/vesting {project}',
  }),
  term('backtest', {
    names: ['backtests', 'backtesting'],
    says: 'What a rule would have alerted in the past, computed with the same rule over the recorded history.',
    line: '/alerts {project} premium below -10 backtest',
  }),
  term('hysteresis', {
    names: ['band', 're-arm', 're-arms', 'rearm'],
    says: 'How far a value must come back over a threshold before the rule can alert again, so that it does not alert at every wiggle.',
    line: '/alerts {project} premium below -10 band 2',
  }),
  term('threshold', {
    names: ['thresholds'],
    says: 'A fixed value, such as a discount of 10%. A rule alerts when it is crossed. A proposal has one too: the pass edge it must reach.',
    line: '/alerts {project} premium',
  }),
  term('preset', {
    names: ['presets'],
    says: 'A ready choice of alerts for an entry: Important, Most, Everything, or only in the digest.',
    line: '/alerts {project}',
  }),
  term('digest', {
    names: ['digests'],
    says: 'A daily or weekly message with what changed.',
    line: '/digest',
  }),
  term('watchlist', {
    names: ['watchlists'],
    says: 'What this chat gets alerts about: projects, wallets, all projects or all launches.',
    line: '/watchlist',
  }),
  term('correction', {
    names: ['corrections'],
    says: 'A note that an earlier alert was wrong, because the service changed its figure. The earlier message is edited.',
    line: '/history',
  }),
  term('snapshot', {
    names: ['snapshots'],
    says: 'The holdings of a wallet as they were last read. Refreshing the wallet makes a new one.',
    line: '/wallet',
  }),
  term('opco', {
    title: 'OpCo',
    names: ['op co', 'op-co', 'operating company'],
    says: 'The operating company of a project, which employs people and pays bills. The DAO is the organisation that the holders govern.',
    line: '/accounts {project} list entity:OpCo',
  }),
  term('dao', {
    title: 'DAO',
    names: ['daos'],
    says: 'The organisation of a project that its token holders govern, with its own treasury.',
    line: '/accounts {project} list entity:DAO',
  }),
  term('dilution', {
    names: ['dilute', 'diluted', 'inflation'],
    says: 'New tokens make each token a smaller share of the treasury.',
    line: '/supply {project} events',
  }),
  term('mint', {
    names: ['mints', 'minting', 'minted'],
    says: 'New tokens are made. Each token is then a smaller share of the treasury, unless money came in for them.',
    line: '/supply {project} events',
  }),
  term('burn', {
    names: ['burns', 'burning', 'burned', 'buyback', 'buybacks'],
    says: 'Tokens are destroyed for good. Those that remain are each a larger share of the treasury.',
    line: '/supply {project} events',
  }),
  term('launch', {
    names: ['launches', 'ico', 'icos', 'raise', 'raises', 'token sale'],
    says: 'The sale in which a project first sells its token and fills its treasury.',
    line: '/launches',
  }),
  term('liquidity', {
    names: ['lp', 'liquidity position'],
    says: 'Tokens and dollars that a treasury has put into a trading pool, so that others can trade. They count towards NAV without the own tokens.',
    line: '/treasury {project} allocation',
  }),
  term('stablecoin', {
    names: ['stablecoins', 'stables'],
    says: 'A token that is worth one dollar, such as USDC.',
    line: '/treasury {project} allocation',
  }),
  term('supply', {
    names: ['circulating supply', 'total supply', 'float'],
    says: 'How many tokens there are: circulating ones can be traded, the total includes locked ones.',
    figure: 'supply',
    line: '/supply {project}',
  }),
  term('allowance', {
    says: 'What the team may spend of the treasury each month, as its holders decided.',
    figure: 'allowance',
    line: '/treasury {project}',
  }),
  term('conviction', {
    says: "How much of their money traders put on one side of a proposal's market.",
    line: '/proposal {project} conviction',
  }),
  term('proposal', {
    names: ['proposals', 'vote', 'votes'],
    says: "A decision put to a project's markets: it passes if the token is priced higher for that case than for the other.",
    line: '/proposals',
  }),
  term('counterparty', {
    names: ['counterparties'],
    says: 'Who a project pays or gets paid by.',
    line: '/counterparties {project}',
  }),
  term('movement', {
    names: ['movements'],
    says: 'A payment into or out of a treasury.',
    line: '/movements {project}',
  }),
  term('revenue', {
    says: 'What a project earned in a period. Other money that came into its treasury, such as from a sale of tokens, is no revenue.',
    line: '/finances {project} revenue',
  }),
  term('own-tokens', {
    names: ['own token', 'native', 'native tokens'],
    says: "A project's own token in its own treasury. It does not count towards NAV.",
    line: '/treasury {project} native',
  }),
  term('discount', {
    names: ['discounts'],
    says: 'The token trades below NAV per share: you pay less than the treasury holds for it. It is a negative premium.',
    figure: 'discount',
    line: '/premium {project}',
  }),
  term('premium', {
    names: ['premiums'],
    says: 'How far the price is above NAV per share, in percent. A negative premium is a discount.',
    figure: 'premium',
    line: '/premium {project}',
  }),
  term('treasury', {
    names: ['treasuries'],
    says: 'What a project holds: money, other tokens and liquidity. It backs the token.',
    figure: 'treasury',
    line: '/treasury {project}',
  }),
  term('nav', {
    title: 'NAV',
    names: ['net asset value', 'book value', 'backing'],
    says: "Net asset value, which is what the treasury is worth in USD without the project's own token.",
    figure: 'treasury',
    line: '/treasury {project} nav',
  }),
  term('cooldown', {
    names: ['cooldowns', 'cool down', 'cool-down'],
    says: 'The hour after an alert of a threshold rule in which that rule does not alert again, unless its value reaches a new extreme.',
    line: '/alerts {project} premium',
  }),
  term('watermark', {
    names: ['watermarks'],
    says: 'What was already seen of a project or wallet. A check alerts only what is beyond it, so nothing is alerted twice or missed.',
    line: '/status',
  }),
  term('receipt', {
    names: ['receipts'],
    says: 'The record of how an alert ended: sent, maybe sent, refused, expired or dropped, and why.',
    line: '/history',
  }),
  term('measurement', {
    names: ['measurements'],
    says: 'The value of a measure, such as the premium, at a time. It is an alert only where a rule says so.',
    line: '/alerts {project} premium',
  }),
  term('suppression', {
    names: ['suppressions', 'suppressed alert', 'suppressed alerts'],
    says: 'A mute or quiet hours that keep an alert back. Suppressed alerts wait and come as one summary.',
    line: '/mute',
  }),
  term('sweep', {
    names: ['sweeps'],
    says: "One reading of a list of all projects. It tells which projects to check, and alerts nothing before a project's own data confirms it.",
    line: '/status',
  }),
  term('ping-role', {
    names: ['ping roles', 'notification role', 'notification roles'],
    says: 'A role of a Discord server that members give themselves to be mentioned in some alerts.',
    line: '/pings',
  }),
  term('adjusted-supply', {
    says: 'The tokens that count as shares in NAV per share. Those that the service does not count as shares are left out.',
    line: '/supply {project}',
  }),
  term('standby', {
    names: ['standby process', 'active process'],
    says: 'A second process of the bot on the same database. It checks and sends only once the active one has stopped.',
    line: '/status',
  }),
  term('lease', {
    says: 'The right of one process of the bot to check and to send. It lasts 15 seconds and is renewed every 5.',
    line: '/status',
  }),
  term('epoch', {
    names: ['epochs'],
    says: 'The number of a lease, one more each time another process takes it. Writes with an earlier number are refused.',
    line: '/status',
  }),
  term('event', {
    names: ['events'],
    isCommonWord: true,
    says: 'Something that happened, such as a mint, a proposal or a payment. An alert is what a chat gets about it.',
    line: '/history',
  }),
  term('check', {
    names: ['checks'],
    isCommonWord: true,
    says: "One reading of a project's data for one kind of alert. It is compared with what was seen before.",
    line: '/status',
  }),
  term('delivery', {
    names: ['deliveries'],
    isCommonWord: true,
    says: 'One message with its alerts. Its content is the same at every attempt, so that a repeat can be recognised.',
    line: '/history',
  }),
  term('exception', {
    names: ['exceptions'],
    isCommonWord: true,
    says: 'A project that is treated differently from the others under /watch all: muted, left out, or with its own rules.',
    line: '/watchlist',
  }),
  term('entry', {
    names: ['entries'],
    isCommonWord: true,
    says: 'One line of a watchlist: a project, a wallet, one proposal, a screen, all projects or all launches.',
    line: '/watchlist',
  }),
  term('stage', {
    names: ['stages'],
    isCommonWord: true,
    says: 'A step of a proposal or launch, such as live, ending or resolved, that an alert can be limited to.',
    line: '/alerts {project} proposals',
  }),
  term('return', {
    names: ['alert return', 'return of an alert'],
    isCommonWord: true,
    says: 'The value of a threshold alert is back by the re-arm distance, so the alert is over and its message says so.',
    line: '/history',
  }),
  term('trust', {
    isCommonWord: true,
    says: "How far a list of all projects is believed, by how often projects' own data agreed with it.",
    line: '/status',
  }),
  term('confirmation', {
    names: ['confirm', 'confirmed'],
    isCommonWord: true,
    says: "A project's own data is read because a list showed a change there. Only what that shows is an alert.",
    line: '/status',
  }),
  term('source', {
    names: ['sources'],
    isCommonWord: true,
    says: 'What a reply was made of: the operations that were asked, the age of their data, exact values and formulas.',
    line: '/sources',
  }),
];
