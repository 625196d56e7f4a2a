/**
 * Which of several classes a text belongs to, by a linear model over the features of its words. The weights are fitted when the bot
 * starts, to the phrases that the commands state, always in the same order: the same phrases give the same weights.
 */

export interface Example {
  readonly features: readonly string[];
  readonly label: number;
}

export interface Model {
  /** A probability for each class; they add up to 1. Features that no example has count for nothing. */
  classify(features: readonly string[]): Float64Array;
}

const EPOCHS = 20;
const RATE = 1.2;
/** The steps become smaller, so that the last examples count no more than the first. */
const SLOWING = 0.12;
/** A smaller error of a class changes nothing that could be seen. */
const NEGLIGIBLE = 0.002;
/** Visits every example once in an epoch, in another order than they are written, class by class. Prime. */
const STRIDE = 7_919;
/** In every visit an example lacks this part of its features, so that no reading depends on a single word. */
const LEFT_OUT = 0.25;

export interface ModelOptions {
  readonly examples: readonly Example[];
  readonly classes: number;
  /** Lets others run between epochs, each of which takes some milliseconds. */
  readonly pause: () => Promise<void>;
}

interface Row {
  readonly label: number;
  /** Of its features, each once. */
  readonly ids: Uint32Array;
}

/** What was learned: the weight of each feature for each class, feature by feature. */
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

/** By a hash and not by chance: the same phrases give the same weights. */
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

/** A pair of words that only one phrase has tells nothing of others, and most pairs are such. */
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

/** One step of logistic regression: each class's weights move by its error. */
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

/** Writes the belief in each class: the softmax of the sums of the features' weights. */
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
