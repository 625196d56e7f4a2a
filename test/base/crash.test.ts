import { expect, test } from 'vitest';
import { crashText } from '../../src/base/crash.js';
import { redactor } from '../../src/base/redact.js';

const SECRET = 'planted-secret-of-a-token';

test('what broke is shown with its place and causes, and without a secret in messages, stacks, fields and headers', () => {
  const cause = Object.assign(new Error(`refused ${SECRET}`), {
    request: { url: `https://x.example/bot${encodeURIComponent(SECRET)}/send` },
  });
  const error = Object.assign(new TypeError(`no ${SECRET}`, { cause }), { headers: { authorization: `Basic ${btoa(`u:${SECRET}`)}` } });
  const text = crashText(error, redactor([SECRET]));
  expect(text).toContain('TypeError: no [redacted]');
  expect(text).toContain('crash.test.ts');
  expect(text).toContain('[cause]');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(btoa(`u:${SECRET}`).slice(4, 24));
});
