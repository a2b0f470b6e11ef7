import { operation } from '@portolan/contract/operation';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openedFor, systemActor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { route } from './route.ts';
import { createHttpServer } from './server.ts';

const value = 'kT9vQ2mXw7Lp4RzB';
const answer = z.object({ ok: z.literal(true), said: z.string() });
const declared = (id: string) =>
  operation({
    id,
    method: 'GET',
    path: `/v1/${id}`,
    tag: 'x',
    summary: 'x',
    access: 'token',
    scope: null,
    answer,
    errors: [],
  });

const http = createHttpServer({
  log: pino({ level: 'silent' }) as FastifyBaseLogger,
  gate: { authenticate: async () => systemActor('org_1'), authenticateOperator: () => undefined },
  routes: [
    route(declared('answers'), async (_input, { actor }) => {
      openedFor(actor).add(value);
      return { said: `it is ${Buffer.from(value).toString('hex')}` };
    }),
    route(declared('refuses'), async (_input, { actor }) => {
      openedFor(actor).add(value);
      throw new AppError('invalid_request', `not ${value}`, { details: [{ path: '/x', message: value }] });
    }),
    route(declared('knows-nothing'), async () => ({ said: value })),
  ],
});
beforeAll(() => http.ready());
afterAll(() => http.close());

const get = async (id: string) => (await http.inject({ url: `/v1/${id}`, headers: { authorization: 'x' } })).json();

test('an answer does not hold a secret that was opened for it', async () => {
  expect(await get('answers')).toEqual({ ok: true, said: 'it is ******' });
});

test('nor does a refusal', async () => {
  const details = [{ path: '/x', message: '******' }];
  expect(await get('refuses')).toMatchObject({ ok: false, message: 'not ******', details });
});

test('what was opened for one request is not masked in another', async () => {
  await get('answers');
  expect(await get('knows-nothing')).toEqual({ ok: true, said: value });
});
