/** This module narrows a check's subject to the feed's scope. It throws if the subject is of another scope. */
import type { Project } from '../domain/project.js';
import type { WalletAddress } from '../domain/wallet.js';
import type { Subject } from './feed.js';

export function projectOf(subject: Subject): Project {
  if (subject !== 'all' && 'slug' in subject) return subject;
  throw new Error('feeds: a per-project feed was asked to check something else');
}

export function walletOf(subject: Subject): WalletAddress {
  if (subject !== 'all' && 'address' in subject) return subject.address;
  throw new Error('feeds: a per-wallet feed was asked to check something else');
}
