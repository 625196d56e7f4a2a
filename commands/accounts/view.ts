/** View of a project's accounts. */
import { commandLine, type ProjectView, type ProjectViewDeps } from '../../src/reply/index.js';
import type { ActionDraft } from '../../src/chat/reply.js';
import { looksLikeKey, shortKey } from '../../src/domain/wallet.js';

export interface AccountViewDeps extends ProjectViewDeps {
  readonly find?: string | undefined;
  readonly entity?: string | undefined;
  readonly state?: 'open' | 'retired' | undefined;
}

export type AccountView = (deps: AccountViewDeps) => ReturnType<ProjectView>;

interface Called {
  readonly id?: string;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
}

export const addressText = (address: string | undefined): string =>
  address === undefined ? '' : looksLikeKey(address) ? shortKey(address) : address;

export const accountName = ({ id, name, address }: Called): string =>
  name ?? (address === undefined ? (id === undefined ? 'unnamed' : `account ${id}`) : addressText(address));

const MAX_BUTTONS = 5;

export const accountButtons = (accounts: readonly (Called & { readonly id: string })[]): readonly ActionDraft[] =>
  accounts.slice(0, MAX_BUTTONS).map((one) => ({ label: accountName(one), line: commandLine('accounts', `account:${one.id}`) }));
