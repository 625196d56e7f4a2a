/** Delivering in the tests of `deliver`: until the end, or what is due now. */
import { deliver } from '../../src/alerts/deliver.js';
import { burn, CHAT, openDesk, TIDE } from './desk.js';

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Everything that is due now. */
export const now = async ({ context, signal }: Desk): Promise<void> => deliver(CHAT, context, signal);

/** Turns the clock from one due moment to the next until nothing waits any more. */
export async function toTheEnd(desk: Desk): Promise<void> {
  for (let due = desk.due(); due !== undefined; due = desk.due()) {
    await desk.clock.advance(Math.max(0, due - desk.clock.now()));
    await now(desk);
  }
}

export const count = (many: number): number[] => Array.from({ length: many }, (_, index) => index + 1);

export async function watching(many = 0, options: Parameters<typeof openDesk>[0] = {}): Promise<Desk> {
  const desk = await openDesk(options);
  await desk.watch(TIDE);
  await desk.announce(...count(many).map((amount) => burn(amount, desk.clock.now())));
  return desk;
}
