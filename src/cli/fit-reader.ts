/** A build step: trains the plain-language reader on the commands' phrases and writes its model file. */
import { openReader } from '../dispatch/plain-words.js';
import { loadCommands } from '../dispatch/registry.js';

const commands = await loadCommands();
await openReader(commands.map(({ command: { name, phrases } }) => ({ name, phrases, options: [] })));
