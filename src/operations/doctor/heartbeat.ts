/** Whether the host of HEARTBEAT_URL takes a connection. It is not called: that would say that the bot runs. */
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { once } from 'node:events';
import { SECOND } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';

const PATIENCE = 10 * SECOND;

/** Never rejects. The address is a secret: only its host is shown. */
export async function examineHeartbeat(address: string): Promise<Finding> {
  const about = 'heartbeat';
  const { protocol, hostname, port, host } = new URL(address);
  const bare = hostname.replaceAll(/[[\]]/gu, '');
  let socket: Socket | undefined;
  try {
    socket =
      protocol === 'https:'
        ? connectSecurely({ host: bare, port: Number(port || 443), ...(isIP(bare) === 0 ? { servername: bare } : {}) })
        : connect({ host: bare, port: Number(port || 80) });
    await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(PATIENCE) });
    return { mark: 'ok', about, says: `${host} takes connections; it is called each minute by the bot while all is well, and not now` };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
    return {
      mark: 'fail',
      about,
      says: `${host} takes no connection (${code}), so its alarm will sound; check HEARTBEAT_URL, the network and the certificate`,
    };
  } finally {
    socket?.destroy();
  }
}
