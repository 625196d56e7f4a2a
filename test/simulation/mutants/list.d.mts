export interface Mutant {
  readonly name: string;
  readonly says: string;
  readonly patches: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}
export const MUTANTS: readonly Mutant[];
