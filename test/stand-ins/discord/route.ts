/** The shape of a route: what is asked, and what is answered. */
import type { ContractName } from './contract.js';
import type { Payload } from './request.js';

export interface Call {
  /** A part of the path by its name; empty text for one that the route has not. */
  param(name: string): string;
  readonly query: Readonly<Record<string, string>>;
  readonly payload: Payload;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** What the published contract says of the answer, where it says it; of each entry, for a list. */
  readonly contract?: ContractName;
  /** What the stand-in itself did wrong. */
  readonly breach?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** By a token in the path: needs no authorization, and the global limit does not count it. */
  readonly byToken?: true;
  handle(call: Call): Answer | Promise<Answer>;
}

export const ok = (body: unknown, contract?: ContractName): Answer => ({ status: 200, body, ...(contract && { contract }) });
export const NO_CONTENT: Answer = { status: 204 };
