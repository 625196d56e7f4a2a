/** Position that hides the least. */
export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Place = readonly [x: number, y: number];

const OVERLAP = 1_000;

export function bestPosition(spots: readonly LabelBox[], points: readonly Place[], taken: readonly LabelBox[] = []): LabelBox | undefined {
  const costs = spots.map(
    (spot) => points.filter((point) => covers(spot, point)).length + OVERLAP * taken.filter((other) => overlap(spot, other)).length,
  );
  return spots[costs.indexOf(Math.min(...costs))];
}

export function dense(line: readonly (Place | undefined)[]): readonly Place[] {
  return line.flatMap((point, index) => {
    const next = line[index + 1];
    if (point === undefined) return [];
    if (next === undefined) return [point];
    const steps = Math.min(MAX_STEPS, Math.max(1, Math.ceil(Math.hypot(next[0] - point[0], next[1] - point[1]) / STEP)));
    return Array.from({ length: steps }, (_, step): Place => {
      const part = step / steps;
      return [point[0] + (next[0] - point[0]) * part, point[1] + (next[1] - point[1]) * part];
    });
  });
}

const STEP = 6;
const MAX_STEPS = 200;

const AIR = 4;
const covers = ({ left, top, width, height }: LabelBox, [x, y]: Place): boolean =>
  x >= left - AIR && x <= left + width + AIR && y >= top - AIR && y <= top + height + AIR;

const overlap = (a: LabelBox, b: LabelBox): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
