import { expect, test } from 'vitest';
import { backendName, backendProblem, readObject, toWritten } from './stored-action.ts';

test('a stored action loses its moments and no other key', () => {
  const written = {
    identifier: 'a',
    trigger: { type: 'automation' },
    invocationMethod: { type: 'KAFKA' },
    icon: 'Bot',
  };
  const stored = { ...written, id: 'x', createdAt: '', createdBy: '', updatedAt: '', updatedBy: '' };
  expect(toWritten(stored as never)).toEqual(written);
});

test('a backend is told in words, and what is none says so', () => {
  expect(backendName({ type: 'WEBHOOK', url: 'https://x/v1/agent/scribe/invoke?use_mcp=true' })).toContain('agent');
  expect(backendName({ type: 'WEBHOOK', url: 'https://x/v1/agents' })).toBe('Webhook');
  expect(backendProblem({ type: 'KAFKA' })).toBeUndefined();
  for (const none of [null, [], {}, { type: 'toString' }]) expect(backendProblem(none)).toContain('WEBHOOK');
  expect(readObject('[]', 'An action')).toEqual({ problem: 'An action is an object' });
  expect(readObject('{', 'An action')).toHaveProperty('problem');
});
