/**
 * The words of the field and their concepts. A concept is written with @ in front; a word may have several.
 * Phrases of commands use ordinary words: with this list "disc", "cheap" and "below NAV" match the same phrases.
 */

const CONCEPTS: Readonly<Record<string, string>> = {
  premium: 'premium prem premia prm overvalued rich richer pricey basis aufschlag prime agio premio pramie',
  discount:
    'discount disc dsc cheap cheaper cheapest cheaply undervalued bargain sale decote abschlag desconto descuento rabatt favourable favorable underpriced',
  expensive: 'expensive overpriced overpaying overvalued dear costly',
  nav: 'nav nave navps book intrinsic asset assets backing backed backs real fair pnav',
  price: 'price px prices cost costs trade trades trading value worth quote quotes kurs prix preco precio cours preis',
  cap: 'mcap mcaps cap caps marketcap marketcaps capitalization capitalisation fdv valuation microcap microcaps smallcap',
  treasury:
    'treasury tsy tresury treasuries vault reserve reserves savings bank coffers piggy war-chest warchest patrimony pockets chest kitty tresorerie vermogen tesouraria tesouro tesoreria kasse stash',
  money: 'money cash funds dollar dollars usd bucks $$ geld dinero dinheiro argent',
  runway: 'runway broke bankrupt insolvent survive last lasts longer suffice suffices reichweite',
  holding: 'holdings holding holds hold bag bags inside contains contain own owns possess',
  split:
    'class classes split allocation allocated breakdown composition share proportion stable stables stablecoin stablecoins percentage mix',
  proposal:
    'proposal proposals prop props vote votes voting voted ballot referendum motion governance poll motion motions resolution resolutions proposition propositions vorschlag vorschlage proposta propostas propuesta propuestas votacao votacion abstimmung scrutin ballots',
  market: 'market markets mkt mkts',
  odds: 'odds passing winning chance chances probability passes likely margin',
  live: 'live open ongoing active current currently running now rn actual pending',
  past: 'past old previous former history historical earlier before',
  launch:
    'launch launches launching launched raise raises raising ico icos sale sales crowdfunding crowdfundings presale tge ido offering offerings lancamento lanzamiento',
  failed: 'failed dead died graveyard rugged refunded ended unsuccessful ded flopped flop',
  completed: 'completed finished successful filled complete done funded consummated fulfilled concluded',
  investor: 'investor investors invested invest backer backers contributor contributors vc vcs participated participants aped',
  supply: 'supply float circulating circulation outstanding emission issuance inflation inflating dilution dilute diluted',
  mint: 'mint mints minted minting print printed printing issued create created creates',
  burn: 'burn burns burned burnt burning buyback buybacks destroyed destroy destroys torched',
  unlock: 'unlock unlocks unlocked unlocking cliff cliffs vest vests vested vesting tranche tranches',
  team: 'team founder founders insiders insider devs dev',
  holder: 'holder holders hodler hodlers owners owner whales shareholders',
  concentration: 'concentrated concentration distribution distributed spread concentrate decentralized decentralised',
  spend: 'spend spends spending spent expense expenses cost costs opex outgoings bills expenditure expenditures',
  earn: 'earn earns earned earning revenue revenues rev income earnings profit profits sales',
  payment:
    'payment payments movement movements transaction transactions tx txs transfer transfers outflow outflows inflow inflows outgoing incoming paid pay pays disbursement disbursements payout payouts virement virements pagamento pagamentos pago pagos zahlung zahlungen',
  payee:
    'counterparty counterparties payee payees vendor vendors contractor contractors supplier suppliers partner partners parties recipient recipients',
  account: 'account accounts acct accts acc custody custodian multisig multisigs konto konten conta contas cuenta cuentas compte comptes',
  growth:
    'users user fees growth growing usage tvl volume active adoption metrics traction customers wachstum crescimento crecimiento croissance',
  legal:
    'legal documents docs papers entity entities company incorporated registered jurisdiction lawyer law contracts agreement paperwork juridically juridical',
  wallet: 'wallet wallets address addy whale portfolio carteira cartera portefeuille',
  flow: 'flow buying selling bought sold buy sell dumping accumulating dump accumulate buys sells bidding shorting',
  alert:
    'alert alerts alarm notify notification notifications notice ping pings warn warning warnings inform lmk shout buzz wake tell remind signal heads-up headsup heads alarme alerta avisar aviso nudge flag trigger announce scream advise reminder reminders',
  follow: 'watch follow track monitor observe subscribe add keep eye following watching tracking survey observation coverage radar surveil',
  stop: 'stop unfollow unwatch unsubscribe remove drop delete untrack kill cancel quit cease halt deregister unregister discontinue',
  mute: 'mute silence snooze shush quiet silent pause hush sleep',
  unmute: 'unmute resume unpause unsnooze unsilence unhush',
  digest: 'digest summary recap resume summaries newsletter roundup summry briefing',
  why: 'why y reason how-come grounds prompted',
  list: 'list watchlist',
  compare: 'compare vs versus comparison against difference differences side-by-side better than or',
  top: 'top best biggest largest highest most greatest deepest big rank ranking ranked max fattest heavyweights',
  low: 'lowest worst smallest least shortest bottom fewest weakest min',
  chart: 'chart graph picture plot graphic visual diagram curve',
  csv: 'csv excel spreadsheet download export json machine-readable sheet',
  up: 'up green gainer gainers winner winners pumped pumping climbed rising rose gained risen mooning ripping',
  down: 'down red loser losers dumped fell falling fallen dropped lost decliners bleeding tank tanks tanked nuke nukes plunge plunged tumbled slid',
  drop: 'drops drop falls fall dips dip goes sinks slips crosses hits reaches gets rises breaks flips dropped exceeds jumps moves changes becomes slides tanks nukes plunges plummets tumbles loses tops',
  below: 'narrow narrows narrowed narrower below under less lower beneath < <= ≤ sub smaller deeper fewer inferior underneath',
  above:
    'widen widens widened wider above over more greater higher > >= ≥ exceeding bigger exceeds larger superior beyond exceed tops topping',
  when: 'when wen once whenever if soon',
  help: 'help commands command cmds cmd instructions manual',
  setting: 'settings setting timezone tz zone clock',
  status: 'status health alive stale lagging lag delayed working broken down broke',
  sound: 'sound silent silently noise ringing ring buzz quietly vibration',
  everything: 'everything all every firehose',
  ignore:
    'please pls plz the a an of to me my i can could you u for in on at it its is are be do does did has have so just kindly ser sir bot hey hi yo ok um uh like btw this that there whichever would may might im ive id we us our your am been being were',
  ask: 'what whats which who whos whose where wheres how hows show give display see view get list check look gimme open pull bring find curious interested examine inspect identify summarise summarize wonder wondering',
  mean: 'mean means meaning define definition explain explanation eli5 signify understand wtf',
  opinion: 'should shall advise advice recommend think opinion trust scam rug rugpull honest legit ponzi safe worth',
  future: 'will gonna going predict prediction forecast tomorrow next future pump moon 10x 100x target rich',
  greet: 'hello hi hey gm gn morning night evening yo sup hallo hola bye goodbye cya later welcome',
  thanks: 'thanks thank thx ty danke merci gracias cheers tysm appreciated appreciate thanx tks',
  insult: 'stupid idiot dumb useless trash garbage suck sucks shit fuck crap moron stfu worthless annoying hate',
  praise: 'nice great awesome cool love bravo perfect amazing based good excellent wow lol haha lmao congratulations congrats',
};

/** Common abbreviations and misspellings, with the words that they stand for. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wat: 'what',
    wats: 'what',
    wht: 'what',
    whyd: 'why',
    wdym: 'mean',
    arent: 'not',
    smth: 'something',
    idc: 'not',
    whats: 'what',
    wut: 'what',
    u: 'you',
    ur: 'your',
    r: 'are',
    n: 'and',
    w: 'with',
    wo: 'without',
    abt: 'about',
    bout: 'about',
    b4: 'before',
    cuz: 'because',
    doin: 'doing',
    gimme: 'give',
    gonna: 'going',
    hows: 'how',
    hw: 'how',
    shud: 'should',
    shld: 'should',
    dont: 'not',
    doesnt: 'not',
    didnt: 'not',
    isnt: 'not',
    wont: 'not',
    cant: 'not',
    wen: 'when',
    whens: 'when',
    wheres: 'where',
    whos: 'who',
    hv: 'have',
    has: 'have',
    ppl: 'people',
    rly: 'really',
    thru: 'through',
    til: 'until',
    till: 'until',
    tmrw: 'tomorrow',
    tmr: 'tomorrow',
    tdy: 'today',
    wk: 'week',
    yr: 'year',
    hr: 'hour',
    hrs: 'hour',
    mkt: 'market',
    mkts: 'market',
  }),
);

const byWord = new Map<string, string[]>();
for (const [concept, words] of Object.entries(CONCEPTS))
  for (const word of words.split(' ')) {
    const key = stemOf(word);
    const there = byWord.get(key) ?? [];
    if (!there.includes(concept)) byWord.set(key, [...there, concept]);
  }

/** Returns the concepts of a stem, without @. */
export const conceptsOf = (stem: string): readonly string[] => byWord.get(stem) ?? [];

export const lexiconStems = (): Iterable<string> => byWord.keys();

/** Cuts the usual endings, so that "mints", "minted" and "minting" have one stem. The stem need not be a word. */
export function stemOf(word: string): string {
  const spelled = SPELLINGS.get(word);
  if (spelled !== undefined) return stemOf(spelled);
  if (word.length < 5 || !/^[a-z]+$/u.test(word)) return word;
  const plural = word
    .replace(/ies$/u, 'y')
    .replace(/(?<=sh|ch|x)es$/u, '')
    .replace(/(?<![suiy])s$/u, '');
  const cut = plural.replace(/(?<=[a-z]{3})(?:ing|ed)$/u, '');
  const bare = cut === plural ? plural : cut.replace(/([bdgmnprt])\1$/u, '$1');
  return bare.length > 4 ? bare.replace(/e$/u, '') : bare;
}

/** Fillers have no meaning of their own, so they never count as not understood. */
export const isFiller = (stem: string): boolean => conceptsOf(stem).includes('ignore') || conceptsOf(stem).includes('ask');
