/** Response to a failed request. */
import type { ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Log } from '../../base/log.js';
import { remedyOf, StoreError } from '../../store/store.js';

const isAborted = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE'));

export const errorResponse =
  (log: Log): ErrorHandler =>
  (error, c) => {
    const { path } = c.req;
    if (error instanceof HTTPException) return error.getResponse();
    if (isAborted(error)) {
      log.info('console.body-aborted', { path });
      // The client has left.
      return c.json({ error: 'The request ended before its body was complete.' }, 400);
    }
    log.error('console.request-failed', { path, error });
    const remedy = error instanceof StoreError ? remedyOf(error) : 'The log says why. Try again in a minute.';
    return c.json({ error: `Nothing was read or saved. ${remedy}` }, 503);
  };
