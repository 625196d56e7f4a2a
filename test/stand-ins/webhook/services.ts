/** Strict stand-ins of the chat services that take webhooks, after their public documentation. They refuse what the service would refuse. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';

export interface Shown {
  readonly id: string;
  text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type ServiceName = 'slack' | 'discord' | 'ntfy' | 'apprise' | 'matrix';

export interface ChatService {
  /** What a person types into the form. */
  readonly url: string;
  readonly shown: Shown[];
  readonly requests: readonly string[];
  /** Instead of accepting, for the next request. */
  next(answer: Answer): void;
  close(): Promise<void>;
}

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
const slackText = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1).max(3_000),
  style: z.strictObject({ bold: z.boolean().optional(), code: z.boolean().optional() }).optional(),
});
const slackElement = z.union([slackText, z.strictObject({ type: z.literal('link'), url: z.url(), text: z.string() })]);
const slackBody = z.strictObject({
  text: z.string().min(1).max(4_000),
  unfurl_links: z.boolean(),
  unfurl_media: z.boolean(),
  blocks: z
    .array(
      z.strictObject({
        type: z.literal('rich_text'),
        elements: z
          .array(
            z.union([
              z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(slackElement).min(1) }),
              z.strictObject({ type: z.literal('rich_text_preformatted'), elements: z.array(slackText).min(1) }),
            ]),
          )
          .min(1),
      }),
    )
    .max(50),
});
// https://docs.discord.com/developers/resources/webhook#execute-webhook
const discordBody = z.strictObject({
  content: z.string().trim().min(1).max(2_000),
  flags: z.union([z.literal(4), z.literal(4_100)]),
  allowed_mentions: z.strictObject({ parse: z.array(z.string()).max(0) }),
});
// https://docs.ntfy.sh/publish/#publish-as-json
const ntfyBody = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/u),
  title: z.string().optional(),
  message: z.string().min(1),
  priority: z.int().min(1).max(5).optional(),
  click: z.url().optional(),
  actions: z
    .array(z.strictObject({ action: z.literal('view'), label: z.string().min(1), url: z.url() }))
    .max(3)
    .optional(),
  sequence_id: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/u),
});
// https://github.com/caronc/apprise-api#api-details
const appriseBody = z.strictObject({
  title: z.string().optional(),
  body: z.string().min(1),
  type: z.enum(['info', 'success', 'warning', 'failure']),
  format: z.literal('text'),
});
// https://spec.matrix.org/v1.11/client-server-api/#mroommessage-msgtypes
const matrixContent = z.strictObject({
  msgtype: z.enum(['m.text', 'm.notice']),
  body: z.string().min(1),
  format: z.literal('org.matrix.custom.html').optional(),
  formatted_body: z.string().optional(),
  'm.mentions': z.strictObject({}),
});
const matrixBody = matrixContent.extend({
  'm.new_content': matrixContent.optional(),
  'm.relates_to': z
    .union([
      z.strictObject({ rel_type: z.literal('m.replace'), event_id: z.string().startsWith('$') }),
      z.strictObject({ 'm.in_reply_to': z.strictObject({ event_id: z.string().startsWith('$') }) }),
    ])
    .optional(),
});

const textOfSlack = ({ blocks }: z.infer<typeof slackBody>): string =>
  blocks.flatMap(({ elements }) => elements.flatMap((row) => row.elements.map(({ text }) => text))).join('');

const OK: Answer = { status: 200, body: 'ok' };
const TOKEN = 'hush-hush-token';

/** What each service does with a request; `shown` is what people see. */
const HANDLERS: Readonly<Record<ServiceName, { readonly path: string; readonly handle: (asked: Asked, shown: Shown[]) => Answer }>> = {
  slack: {
    path: `/services/T01/B01/${TOKEN}`,
    handle({ method, url, body }, shown) {
      const parsed = slackBody.safeParse(body);
      if (method !== 'POST' || url.pathname !== `/services/T01/B01/${TOKEN}`) return { status: 404, body: 'no_service' };
      if (!parsed.success) return { status: 400, body: 'invalid_blocks' };
      shown.push({ id: String(shown.length + 1), text: textOfSlack(parsed.data), body: parsed.data });
      return OK;
    },
  },
  discord: {
    path: `/api/webhooks/123/${TOKEN}`,
    handle({ method, url, body }, shown) {
      const [, message] = new RegExp(`^/api/webhooks/123/${TOKEN}(?:/messages/(\\d+))?$`, 'u').exec(url.pathname) ?? [];
      const parsed = discordBody.safeParse(body);
      if (!url.pathname.startsWith(`/api/webhooks/123/${TOKEN}`))
        return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } };
      if (!parsed.success) return { status: 400, body: { message: 'Invalid Form Body', code: 50_035 } };
      if (message === undefined && method === 'POST' && url.searchParams.get('wait') === 'true') {
        const id = String(1_000 + shown.length);
        shown.push({ id, text: parsed.data.content, body: parsed.data });
        return { status: 200, body: { id } };
      }
      const known = shown.find(({ id }) => id === message);
      if (method !== 'PATCH' || known === undefined) return { status: 404, body: { message: 'Unknown Message', code: 10_008 } };
      known.text = parsed.data.content;
      return { status: 200, body: { id: known.id } };
    },
  },
  ntfy: {
    path: `/${TOKEN}`,
    handle({ method, url, body }, shown) {
      const parsed = ntfyBody.safeParse(body);
      if (method !== 'POST' || url.pathname !== '/' || !parsed.success) return { status: 400, body: { code: 40_024 } };
      const { sequence_id: id, title = '', message, topic } = parsed.data;
      const known = shown.find((one) => one.id === id);
      if (known === undefined) shown.push({ id, text: `${title}\n${message}`, body: parsed.data });
      else known.text = `${title}\n${message}`;
      return { status: 200, body: { id: 'hwQ2YpKdmg', event: 'message', topic, sequence_id: id } };
    },
  },
  apprise: {
    path: `/notify/${TOKEN}`,
    handle({ method, url, body }, shown) {
      const parsed = appriseBody.safeParse(body);
      if (method !== 'POST' || url.pathname !== `/notify/${TOKEN}`) return { status: 204, body: '' };
      if (!parsed.success) return { status: 400, body: { error: 'bad' } };
      shown.push({ id: String(shown.length + 1), text: `${parsed.data.title ?? ''}\n${parsed.data.body}`, body: parsed.data });
      return { status: 200, body: { error: '' } };
    },
  },
  matrix: {
    path: `/!room:example.com?access_token=${TOKEN}`,
    handle({ method, url, headers, body }, shown) {
      if (headers['authorization'] !== `Bearer ${TOKEN}`) return { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } };
      const [, txn] = /^\/_matrix\/client\/v3\/rooms\/!room%3Aexample\.com\/send\/m\.room\.message\/([\w%-]+)$/u.exec(url.pathname) ?? [];
      const parsed = matrixBody.safeParse(body);
      if (method !== 'PUT' || txn === undefined || url.search !== '') return { status: 404, body: { errcode: 'M_UNRECOGNIZED' } };
      if (!parsed.success) return { status: 400, body: { errcode: 'M_BAD_JSON' } };
      const event_id = `$${decodeURIComponent(txn).replaceAll('$', '')}`;
      const relation = parsed.data['m.relates_to'];
      const replaced = relation !== undefined && 'event_id' in relation ? shown.find(({ id }) => id === relation.event_id) : undefined;
      if (replaced !== undefined) replaced.text = parsed.data['m.new_content']?.body ?? '';
      else if (!shown.some(({ id }) => id === event_id)) shown.push({ id: event_id, text: parsed.data.body, body: parsed.data });
      return { status: 200, body: { event_id } };
    },
  },
};

export async function startChatService(name: ServiceName): Promise<ChatService> {
  const { path, handle } = HANDLERS[name];
  const shown: Shown[] = [];
  const requests: string[] = [];
  const queue: Answer[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      requests.push(`${request.method} ${url.pathname}`);
      const isJson = request.headers['content-type'] === 'application/json';
      const asked = { method: request.method ?? '', url, headers: request.headers, body: isJson ? JSON.parse(text) : undefined };
      const { status, body } = queue.shift() ?? handle(asked, shown);
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('chat service: no port');
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    shown,
    requests,
    next: (answer) => void queue.push(answer),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
