/**
 * Classifies a text by a linear model over the features of its words. The weights are fitted when the bot
 * starts, to the phrases that the commands state, always in the same order: the same phrases give the same weights.
 */

export interface Example {
  readonly features: readonly string[];
  readonly label: number;
}

export interface Model {
  /** Returns a probability for each class; they add up to 1. Features that no example has are ignored. */
  classify(features: readonly string[]): Float64Array;
}

const EPOCHS = 20;
const RATE = 1.2;
/** Decay of the learning rate, so that the last examples do not count more than the first. */
const SLOWING = 0.12;
/** Errors below this are skipped: their updates would have no visible effect. */
const NEGLIGIBLE = 0.002;
/** The step between visited examples, so that classes are mixed. A prime, so that an epoch visits each example once. */
const STRIDE = 7_919;
/** The share of features that each visit leaves out (dropout), so that no reading depends on a single word. */
const LEFT_OUT = 0.25;

export interface ModelOptions {
  readonly examples: readonly Example[];
  readonly classes: number;
  /** Called between epochs, each of which takes some milliseconds, so that other work can run. */
  readonly pause: () => Promise<void>;
}

interface Row {
  readonly label: number;
  /** The ids of the example's features, each once. */
  readonly ids: Uint32Array;
}

/** The fitted weights: one for each feature and class, ordered by feature. */
export interface Fitted {
  readonly features: readonly string[];
  readonly classes: number;
  readonly weights: Float32Array;
}

export async function fitModel({ examples, classes, pause }: ModelOptions): Promise<Fitted> {
  const ids = idsOf(examples);
  const rows = examples.map(({ features, label }): Row => {
    const own = Uint32Array.from([...new Set(features)].flatMap((feature) => ids.get(feature) ?? []));
    return { label, ids: own };
  });
  const weights = new Float32Array(ids.size * classes);
  const beliefs = new Float64Array(classes);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const rate = RATE / (1 + SLOWING * epoch);
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[(at * STRIDE + epoch) % rows.length];
      if (row !== undefined) learn({ ...row, ids: row.ids.filter((id) => isKept(id, at, epoch)) }, { weights, beliefs, classes, rate });
    }
    await pause();
  }
  return { features: [...ids.keys()], classes, weights };
}

/** Uses a hash instead of a random number, so that the same phrases give the same weights. */
const isKept = (id: number, at: number, epoch: number): boolean =>
  ((Math.imul(id, 0x9e37_79b1) + Math.imul(at, 40_503) + Math.imul(epoch, 69_069)) >>> 0) % 1_000 >= LEFT_OUT * 1_000;

export function modelOf({ features: known, classes, weights }: Fitted): Model {
  const ids = new Map(known.map((feature, id) => [feature, id]));
  return {
    classify(features) {
      const own = Uint32Array.from([...new Set(features)].flatMap((feature) => ids.get(feature) ?? []));
      const beliefs = new Float64Array(classes);
      believe(own, { weights, beliefs, classes });
      return beliefs;
    },
  };
}

/** Leaves out word pairs that only one phrase has. Most pairs are such, and they do not help with other phrases. */
function idsOf(examples: readonly Example[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { features } of examples) for (const feature of new Set(features)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const kept = [...counts].filter(([feature, count]) => count > 1 || !/^[bp]:/u.test(feature));
  return new Map(kept.map(([feature], id) => [feature, id]));
}

interface Learning {
  readonly weights: Float32Array;
  readonly beliefs: Float64Array;
  readonly classes: number;
  readonly rate: number;
}

/** Does one step of logistic regression: moves the weights of each class by its error. */
function learn({ ids, label: own }: Row, { weights, beliefs, classes, rate }: Learning): void {
  if (ids.length === 0) return;
  believe(ids, { weights, beliefs, classes });
  const step = rate / Math.sqrt(ids.length);
  for (let label = 0; label < classes; label += 1) {
    const error = (label === own ? 1 : 0) - (beliefs[label] ?? 0);
    if (Math.abs(error) < NEGLIGIBLE) continue;
    for (let index = 0; index < ids.length; index += 1) {
      const place = (ids[index] ?? 0) * classes + label;
      weights[place] = (weights[place] ?? 0) + step * error;
    }
  }
}

/** Writes the probability of each class to `beliefs`: the softmax of the summed weights. */
function believe(ids: Uint32Array, { weights, beliefs, classes }: Omit<Learning, 'rate'>): void {
  beliefs.fill(0);
  for (let index = 0; index < ids.length; index += 1) {
    const from = (ids[index] ?? 0) * classes;
    for (let label = 0; label < classes; label += 1) beliefs[label] = (beliefs[label] ?? 0) + (weights[from + label] ?? 0);
  }
  const scale = 1 / Math.sqrt(Math.max(1, ids.length));
  let most = Number.NEGATIVE_INFINITY;
  for (let label = 0; label < classes; label += 1) most = Math.max(most, (beliefs[label] ?? 0) * scale);
  let sum = 0;
  for (let label = 0; label < classes; label += 1) {
    const part = Math.exp((beliefs[label] ?? 0) * scale - most);
    beliefs[label] = part;
    sum += part;
  }
  for (let label = 0; label < classes; label += 1) beliefs[label] = (beliefs[label] ?? 0) / sum;
}
