import { expect, test } from 'vitest';
import { examineHeartbeat } from '../../../src/operations/doctor/doctor.js';
import { reply, serve } from '../../support/service.js';

test('the host of the heartbeat is connected to and not called, and its path is not shown', async () => {
  const service = await serve((asked) => reply(asked, ''));
  const address = `${service.url}/ping/secret-id`;
  expect(await examineHeartbeat(address)).toMatchObject({ mark: 'ok', says: expect.not.stringContaining('secret-id') });
  expect(service.asked).toEqual([]);
  await service.close();
  expect(await examineHeartbeat(address)).toMatchObject({ mark: 'fail', says: expect.not.stringContaining('secret-id') });
});

test('a host without TLS where https is wanted fails', async () => {
  const service = await serve((asked) => reply(asked, ''));
  expect(await examineHeartbeat(service.url.replace('http:', 'https:'))).toMatchObject({ mark: 'fail' });
});
