/** Names and buttons of accounts. */
import type { ActionDraft } from '../chat/reply.js';
import { looksLikeKey, shortKey } from '../domain/wallet.js';
import { commandLine } from './command-line.js';

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
