/** undici's HTTP client alone: its fetch, caches, mocks and web sockets, which nothing here uses, take 3 MB. */
import api from 'undici/lib/api/index.js';
import errors from 'undici/lib/core/errors.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import DecoratorHandler from 'undici/lib/handler/decorator-handler.js';
// Its agent then carries every `fetch`, before another version of undici, such as that of discord.js, sets its own.
import 'undici/lib/global.js';

// As the package does when all of it is loaded.
Dispatcher.prototype.request = api.request;

export { Agent, DecoratorHandler, errors, type Dispatcher };
