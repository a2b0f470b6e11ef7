import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { expect, test } from 'vitest';
import { type App, buildApp } from '../src/app.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase } from '../src/platform/db/database.ts';
import { createOutgoing } from '../src/platform/outgoing/outgoing.ts';
import { blueprintBody } from './catalog-fixtures.ts';
import { createTestDatabase, onlyOn } from './database.ts';
import { followLive as follow } from './live-reader.ts';

onlyOn('postgres', 'the embedded engine has one process', () => {
  test('what one replica changes is told on the others, and a replica that is drained or stops says so', async () => {
    const database = await createTestDatabase();
    const outgoing = createOutgoing({ allowsPrivateNetwork: false });
    const replica = (engine: typeof database.engine): App =>
      buildApp(
        {
          masterKey: Buffer.alloc(32, 7).toString('base64'),
          operatorToken: 'operator-token-of-the-test',
          model: { provider: 'built-in' },
          publicUrl: () => 'http://127.0.0.1:3000',
        },
        {
          database: createDatabase(engine, database.options),
          clock: systemClock,
          log: pino({ level: 'silent' }) as FastifyBaseLogger,
          outgoing,
        },
      );
    const [here, there] = [replica(database.engine), replica(await database.openReplica())];
    try {
      const credentials = { clientId: 'client', clientSecret: 'a secret of the client' };
      await here.identity.createFirstOrganization(
        { name: 'Test', model: 'blueprints', credentials },
        async () => undefined,
      );
      const send = (method: 'POST', url: string, token: string | undefined, payload: object) =>
        here.http.inject({ method, url, payload, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) });
      const { accessToken: token } = (await send('POST', '/v1/auth/access_token', undefined, credentials)).json();
      await send('POST', '/v1/blueprints', token, blueprintBody('open'));
      const address = await there.http.listen({ port: 0, host: '127.0.0.1' });
      const sentAway = await follow(address, token);
      there.setDraining(true);
      expect(await sentAway.next()).toMatchObject({ event: 'end', data: '{"reason":"restart"}' });
      there.setDraining(false);
      const reader = await follow(address, token);
      await send('POST', '/v1/blueprints/open/entities', token, { identifier: 'far' });
      expect(await reader.until('far')).toMatchObject({ event: 'entity.created' });
      const closed = there.close();
      expect(await reader.next()).toMatchObject({ event: 'end', data: '{"reason":"restart"}' });
      await closed;
    } finally {
      await here.close();
      await there.close();
      await outgoing.close();
      await database.drop();
    }
  });
});
