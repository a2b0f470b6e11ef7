import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Actor, openedFor } from '../actor.ts';
import { AppError, notFound } from '../errors.ts';
import { callTool } from './call-tool.ts';
import { createToolRegistry } from './registry.ts';
import { type ToolContext, tool } from './tool.ts';

const actor: Actor = {
  orgId: 'o',
  kind: 'machine',
  id: 'c',
  model: 'blueprints',
  roles: [],
  teamKeys: [],
  datasource: '',
  origin: 'AI',
};

function buildRegistry(run: (context: ToolContext, input: { text: string; count: number }) => Promise<unknown>) {
  const input = z.strictObject({ text: z.string(), count: z.number().default(1) });
  return createToolRegistry([
    tool({
      name: 'echo',
      title: '',
      description: '',
      effect: 'read',
      audience: 'developer',
      aliases: ['old_echo'],
      input,
      run,
    }),
  ]);
}
const context = { actor, signal: new AbortController().signal };

test('gives what the tool returns, with defaults filled in, also by alias', async () => {
  const registry = buildRegistry(async (_context, input) => input);
  expect(await callTool(registry, 'old_echo', { text: 'a' }, context)).toEqual({
    isError: false,
    content: { text: 'a', count: 1 },
  });
});

test('lists everything that is wrong with the arguments', async () => {
  const outcome = await callTool(
    buildRegistry(async () => 1),
    'echo',
    { count: 'x', other: 1 },
    context,
  );
  expect(outcome).toMatchObject({
    isError: true,
    content: {
      error: 'invalid_request',
      details: [{ path: '/text' }, { path: '/count' }, { path: '/other' }],
    },
  });
});

test('an unknown tool is a tool error', async () => {
  expect(
    await callTool(
      buildRegistry(async () => 1),
      'nope',
      {},
      context,
    ),
  ).toMatchObject({
    isError: true,
    content: { error: 'not_found' },
  });
});

test('an AppError keeps its words, anything else is bland and reported', async () => {
  const refused = buildRegistry(async () => {
    throw notFound('Blueprint', 'x');
  });
  expect(await callTool(refused, 'echo', { text: '' }, context)).toMatchObject({
    content: { error: 'not_found', message: 'Blueprint with identifier "x" was not found' },
  });
  const reported: unknown[] = [];
  const broken = buildRegistry(async () => {
    throw new Error('password=hunter2');
  });
  const outcome = await callTool(broken, 'echo', { text: '' }, context, {
    onUnexpected: (error) => reported.push(error),
  });
  expect(outcome).toEqual({ isError: true, content: { error: 'internal_error', message: 'echo failed inside' } });
  expect(reported).toHaveLength(1);
});

test('a tool that throws before its first await is an outcome too', async () => {
  const registry = buildRegistry(() => {
    throw new Error('at once');
  });
  expect(await callTool(registry, 'echo', { text: '' }, context)).toMatchObject({ isError: true });
});

test('a tool over its deadline is abandoned and told to stop', async () => {
  let seen: AbortSignal | undefined;
  const registry = buildRegistry(({ signal }) => {
    seen = signal;
    return new Promise(() => {});
  });
  expect(await callTool(registry, 'echo', { text: '' }, context, { deadlineMs: 10 })).toMatchObject({
    content: { error: 'service_unavailable', message: 'echo did not answer within 0.01 s' },
  });
  expect(seen?.aborted).toBe(true);
});

test('a cancelled call ends at once', async () => {
  const stop = new AbortController();
  const registry = buildRegistry(() => new Promise(() => {}));
  const outcome = callTool(registry, 'echo', { text: '' }, { actor, signal: stop.signal });
  stop.abort();
  expect(await outcome).toMatchObject({ content: { error: 'invocation_cancelled' } });
});

test('a secret that a call opened is in nothing that the call came to', async () => {
  const value = 'kT9vQ2mXw7Lp4RzB';
  const registry = buildRegistry(async ({ actor: caller }, { text }) => {
    openedFor(caller).add(value);
    if (text === 'fail') throw new AppError('mcp_server_failed', `it said ${value}`, { details: { value } });
    return { said: [`it is ${value}`] };
  });
  expect(await callTool(registry, 'echo', { text: 'a' }, context)).toEqual({
    isError: false,
    content: { said: ['it is ******'] },
  });
  expect(await callTool(registry, 'echo', { text: 'fail' }, context)).toMatchObject({
    isError: true,
    content: { message: 'it said ******', details: { value: '******' } },
  });
});
