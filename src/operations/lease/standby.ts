/** The routes of a standby, which say that it stands by and which process is active. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { SECOND } from '../../base/clock.js';
import { guard, type Hosts, type Routes } from '../../base/http.js';
import { remedyOf, type SharedEngine } from '../../store/store.js';
import { LEASE_TTL } from './lease.js';

export interface StandbyDeps {
  readonly shared: Pick<SharedEngine, 'holder'>;
  /** The name of this process in the lease. */
  readonly holder: string;
  readonly hosts: Hosts;
  /** The pages for operators. */
  readonly routes: readonly Routes[];
}

/** Describes the standby. `active` is undefined while no process holds the lease. */
export function standbySentence({ holder, active }: { readonly holder: string; readonly active: string | undefined }): string {
  return active === undefined
    ? `Navwatch on ${holder} stands by, and takes over in a moment: no process is active.`
    : `Navwatch on ${holder} stands by: ${active} is active, and this process takes over when it ends.`;
}

/** Answers all other requests with an error, so that platforms repeat their updates until the active process takes them. */
export function standbyRoutes({ shared, holder, hosts, routes }: StandbyDeps): Hono {
  const app = new Hono();
  for (const one of routes) app.route(one.path, one.app);
  app.use('/healthz', guard(hosts));
  app.get('/healthz', async (c) => {
    try {
      const active = await shared.holder();
      return c.json({ ok: true, store: true, role: 'standby', active: active?.holder ?? null });
    } catch (cause) {
      return c.json({ ok: false, store: false, role: 'standby', problem: remedyOf(cause) }, 503);
    }
  });
  app.use('/', guard(hosts));
  app.get('/', async (c) => {
    const sentence = await shared.holder().then(
      (active) => standbySentence({ holder, active: active?.holder }),
      (cause: unknown) => `Navwatch on ${holder} stands by, and cannot see who is active. ${remedyOf(cause)}`,
    );
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <meta charset="utf-8" /><title>Navwatch stands by</title>
          <p>${sentence}</p>
        </html>`,
    );
  });
  const refusal = { error: 'This process stands by. Ask the active one, which /healthz here names.', role: 'standby' };
  app.all('*', (c) => c.json(refusal, 503, { 'retry-after': String(LEASE_TTL / SECOND) }));
  return app;
}
