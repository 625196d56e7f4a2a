// A drawing thread that answers with what it was asked and how often, and does as the title says: die, throw, refuse, stay silent, or lie.
import { parentPort, threadId } from 'node:worker_threads';
import process from 'node:process';

let drawn = 0;
const told = process.env.SECRET === undefined ? '' : ' and knows a secret';

parentPort.on('message', ({ id, chart: { title }, theme, form }) => {
  if (title === 'die') process.exit(3);
  if (title === 'throw') throw new Error('out of paint');
  if (title === 'silent') return;
  if (title === 'lie') return parentPort.postMessage('done', []);
  if (title === 'refuse') return parentPort.postMessage({ kind: 'refused', id, because: 'too odd' }, []);
  drawn += 1;
  const text = `${title} ${theme} ${form} by thread ${threadId}, its ${drawn}.${told}`;
  parentPort.postMessage({ kind: 'done', id, bytes: new TextEncoder().encode(text) }, []);
});
