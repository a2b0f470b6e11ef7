import { expect, test } from 'vitest';
import { aiBackend, freshBackend, parseQuestion, valueAt, withQuestion, withValueAt } from './backends.ts';

const home = 'https://portal.example';

test('a question to an agent is a webhook to our own address, and is read back', () => {
  const asked = { agent: 'incident scribe', prompt: 'What of {{ .event }}?', usesMcp: true, labels: { a: '1' } };
  const backend = withQuestion(aiBackend(home, 'event'), home, asked);
  expect(backend).toMatchObject({
    type: 'WEBHOOK',
    url: `${home}/v1/agent/incident%20scribe/invoke?use_mcp=true`,
    body: { prompt: asked.prompt, labels: { a: '1' } },
  });
  expect(backend['body']).not.toHaveProperty('userPrompt');
  expect(parseQuestion(backend)).toEqual(asked);
  const assistant = withQuestion(backend, home, { ...asked, agent: undefined, labels: null });
  expect(assistant).toMatchObject({ url: `${home}/v1/ai/invoke`, body: { userPrompt: asked.prompt } });
  expect(parseQuestion(assistant)).toMatchObject({ agent: undefined, usesMcp: true });
});

test('the old way of asking is told apart, and what else was written stays', () => {
  const old = {
    type: 'WEBHOOK',
    url: 'http://elsewhere:3000/v1/agent/a%/invoke?use_mcp=false',
    body: { prompt: 'x', model: 'm' },
  } as const;
  expect(parseQuestion(old)).toMatchObject({ agent: 'a%', usesMcp: false });
  expect(withQuestion(old, home, { ...parseQuestion(old), agent: 'b', usesMcp: true })).toMatchObject({
    url: 'http://elsewhere:3000/v1/agent/b/invoke?use_mcp=true',
    body: { prompt: 'x', model: 'm' },
  });
});

test('values are written where they stand, and taken away', () => {
  const backend = withValueAt(freshBackend('UPSERT_ENTITY', 'event'), ['mapping', 'title'], 'X');
  expect(valueAt(backend, ['mapping', 'title'])).toBe('X');
  expect(withValueAt(backend, ['mapping', 'title'], undefined)['mapping']).not.toHaveProperty('title');
  expect(valueAt(freshBackend('KAFKA', 'form'), ['mapping', 'title'])).toBeUndefined();
});
