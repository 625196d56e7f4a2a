/** Fits the reader of plain words to the phrases of the commands and writes its model beside it, as a step of the build. */
import { openReader } from '../dispatch/plain-words.js';
import { loadCommands } from '../dispatch/registry.js';

const commands = await loadCommands();
await openReader(commands.map(({ command: { name, phrases } }) => ({ name, phrases, options: [] })));
