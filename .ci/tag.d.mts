export interface Section {
  readonly version: string | undefined;
  readonly date: string | undefined;
  readonly notes: string;
}
export function sectionsOf(changelog: string): readonly Section[];
export function faultsOf(state: {
  readonly version: string;
  readonly locked: readonly string[];
  readonly sections: readonly Section[];
  readonly today: string;
  readonly status: string;
  readonly tags: readonly string[];
}): readonly string[];
export function wishOf(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { readonly wish?: 'tag' | 'dry-run' | 'notes'; readonly fault?: string };
