/** How long a run may take. */
export interface Scale {
  /** About a minute for everything, on smaller numbers. */
  readonly quick: boolean;
  readonly repetitions: number;
}
