/** Serves supply rows (§4.2, §2.2): decimal strings, newest first, with only `totalItems` in `meta`. */
import { human, jsonNumber, valueOf } from '../world/amounts.js';
import { changeOf, type LedgerEntry } from '../world/supply.js';
import { iso, many, one, projectOf, type RouteRequest } from '../route.js';

export const supplyOverview = one((ask) => {
  const who = projectOf(ask);
  const ledger = ask.world.supply.ledger(who, ask.at);
  return {
    totalMint: human(ledger.minted),
    totalBurn: human(ledger.burned),
    resultingSupply: human(ledger.supply),
    netChange: human(ledger.netChange),
    symbol: who.symbol,
    publicKey: ask.world.mint(who.slug),
  };
});

function linked(entry: LedgerEntry, ask: RouteRequest): unknown {
  const who = projectOf(ask);
  const { roll } = ask.world.scene;
  // Computed on demand, because most rows are not linked to a proposal.
  const known = () => ask.world.proposals.list(who, ask.at);
  if (entry.proposal !== undefined) {
    const found = known().find((one) => one.publicKey === entry.proposal);
    return found ? { id: found.id, title: found.title, publicKey: found.publicKey } : { publicKey: entry.proposal };
  }
  if (entry.type === 'Burn' || roll('linked', entry.id) > 0.6) return null;
  const passed = known().find((one) => one.outcome === 'passed' && one.endsAt <= entry.at);
  if (passed === undefined) return null;
  return roll('titled', entry.id) < 0.25
    ? { id: passed.id, title: '' }
    : { id: passed.id, title: passed.title, publicKey: passed.publicKey };
}

export const supplyEvents = many({
  meta: ['totalItems'],
  items: (ask) => ask.world.supply.ledger(projectOf(ask), ask.at).entries.toReversed(),
  show(entry, ask) {
    const { scene, price } = ask.world;
    const priceAtTime = price(projectOf(ask), entry.at);
    return {
      id: entry.id,
      timestamp: iso(entry.at),
      type: entry.type,
      amount: human(entry.amount),
      resultingSupply: human(entry.supplyAfter),
      change: changeOf(entry),
      priceAtTime,
      usdValue: valueOf(entry.amount, priceAtTime),
      signature: scene.roll('recorded', entry.id) < 0.06 ? null : scene.keys.signature('supply', entry.id),
      proposal: linked(entry, ask),
    };
  },
});

export const supplyChart = many({
  items: (ask) => ask.world.supply.daily(projectOf(ask), ask.at),
  show: ({ at, circulating }) => ({ period: iso(at), supply: jsonNumber(human(circulating)), interval: 'day' }),
});
