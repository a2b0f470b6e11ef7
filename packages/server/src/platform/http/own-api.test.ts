import { invokeAssistant } from '@portolan/contract/assistant-operations';
import { createAccessToken } from '@portolan/contract/auth';
import { listBlueprints } from '@portolan/contract/blueprints';
import { createApp } from '@portolan/contract/credentials';
import type { Operation } from '@portolan/contract/operation';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../actor.ts';
import type { AppError } from '../errors.ts';
import { mask } from '../secrets/secret-scope.ts';
import type { Gate } from './operation.ts';
import { createOwnApi } from './own-api.ts';
import { noteSecretAnswer } from './secret-answers.ts';

let app = Fastify();
let own = createOwnApi(() => 'http://127.0.0.1:3000');
beforeEach(() => {
  app = Fastify();
  own = createOwnApi(() => 'http://127.0.0.1:3000');
  own.bind(app);
});
afterEach(() => app.close());

async function call(path: string, operation: Operation, headers: Readonly<Record<string, string>> = {}) {
  const { body } = await own.api.call({
    path,
    method: 'GET',
    operation,
    headers,
    actor: { ...systemActor('org_1'), id: 'a run' },
    asker: async () => ({ ...systemActor('org_1'), id: 'who asked' }),
    signal: AbortSignal.timeout(5_000),
  });
  return JSON.parse(body);
}

describe('a call of our own API', () => {
  test('reaches the operation that it was let through for, and no other', async () => {
    const outside = { authenticate: async () => ({ ...systemActor('org_1'), id: 'from outside' }) } as unknown as Gate;
    const gate = own.guard(outside);
    const serve = (path: string, operation: Operation) =>
      app.get(path, async ({ headers }) => {
        try {
          return { who: (await gate.authenticate(headers.authorization, '', operation)).id };
        } catch (error) {
          return { refused: (error as AppError).code };
        }
      });
    serve('/named', listBlueprints);
    serve('/other', createAccessToken);
    serve('/asked', invokeAssistant);
    expect(await call('/named', listBlueprints)).toEqual({ who: 'a run' });
    expect(await call('/other', listBlueprints)).toEqual({ refused: 'missing_permissions' });
    expect(await call('/asked', invokeAssistant)).toEqual({ who: 'who asked' });
    expect(await call('/named', listBlueprints, { authorization: 'Bearer theirs' })).toEqual({ who: 'from outside' });
  });

  test('is answered without what the contract marks as a secret', async () => {
    app.get('/made', async (_request, reply) => {
      noteSecretAnswer(createApp, reply.raw);
      return { ok: true, app: { name: 'Fresh', secret: 'kT9vQ2mXw7Lp4RzB' } };
    });
    expect(await call('/made', createApp)).toEqual({ ok: true, app: { name: 'Fresh', secret: mask } });
  });
});
