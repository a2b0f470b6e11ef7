import { describe, expect, test } from 'vitest';
import { ignoredInvokeFields, parseExecutionMode, parseInvokeBody } from './assistant.ts';

function parseIssues(body: unknown) {
  const parsed = parseInvokeBody(body);
  return parsed.ok ? [] : parsed.issues;
}

describe('parseInvokeBody', () => {
  test('reads the documented fields as they are', () => {
    const body = {
      userPrompt: ' Which services have no owner? ',
      systemPrompt: 'Be short.',
      executionMode: 'Automatic',
      tools: ['^list_.*'],
      labels: { team: 'a', count: 1, deep: { x: [true, null] } },
    };
    expect(parseInvokeBody(body)).toEqual({
      ok: true,
      request: { ...body, userPrompt: 'Which services have no owner?' },
      ignoredFields: [],
    });
  });

  test.each(['userPrompt', 'prompt', 'query', 'message'])('takes the question from %s', (name) => {
    expect(parseInvokeBody({ [name]: 'hi' })).toEqual({ ok: true, request: { userPrompt: 'hi' }, ignoredFields: [] });
  });

  test('takes instructions and mode from their other names', () => {
    const parsed = parseInvokeBody({ prompt: 'hi', userSystemPrompt: 'x', execution_mode: 'approval_required' });
    expect(parsed).toMatchObject({ request: { systemPrompt: 'x', executionMode: 'Manual Approval' } });
  });

  test('an agent has instructions of its own, and its question is called query', () => {
    expect(parseInvokeBody({ query: 'hi', systemPrompt: 'x' }, { endpoint: 'agent', agent: 'guide' })).toEqual({
      ok: true,
      request: { userPrompt: 'hi', agent: 'guide' },
      ignoredFields: ['systemPrompt'],
    });
    expect(parseInvokeBody({}, { endpoint: 'agent', agent: 'guide' })).toMatchObject({
      issues: [{ path: '/query', message: 'is required' }],
    });
  });

  test.each(['agent_id', 'agentIdentifier', 'agent'])('the router takes the agent from %s', (name) => {
    expect(parseInvokeBody({ query: 'hi', [name]: 'guide' }, { endpoint: 'router' })).toMatchObject({
      request: { agent: 'guide' },
      ignoredFields: [],
    });
    expect(parseInvokeBody({ query: 'hi', [name]: 7 }, { endpoint: 'router' })).toMatchObject({
      issues: [{ path: `/${name}`, message: 'must be a string' }],
    });
    expect(parseInvokeBody({ query: 'hi', [name]: 'other' }, { endpoint: 'agent', agent: 'guide' })).toMatchObject({
      code: 'conflicting_fields',
      issues: [{ path: `/${name}` }],
    });
    expect(parseInvokeBody({ query: 'hi', [name]: 'guide' })).toEqual({
      ok: true,
      request: { userPrompt: 'hi' },
      ignoredFields: [name],
    });
  });

  test('an empty list of tools stays an empty list; null and absent stay absent', () => {
    expect(parseInvokeBody({ prompt: 'hi', tools: [] })).toMatchObject({ request: { tools: [] } });
    expect(parseInvokeBody({ prompt: 'hi', tools: null, labels: null, systemPrompt: null })).toEqual({
      ok: true,
      request: { userPrompt: 'hi' },
      ignoredFields: [],
    });
  });

  test('two names of one field may agree, and are in conflict otherwise', () => {
    expect(parseInvokeBody({ userPrompt: 'hi', query: 'hi ' })).toMatchObject({ ok: true });
    expect(
      parseInvokeBody({ prompt: 'hi', executionMode: 'Manual Approval', execution_mode: 'APPROVAL_REQUIRED' }),
    ).toMatchObject({ ok: true });
    expect(parseInvokeBody({ userPrompt: 'hi', query: 'ho' })).toEqual({
      ok: false,
      code: 'conflicting_fields',
      issues: [{ path: '/query', message: 'differs from userPrompt, which means the same; send one' }],
    });
  });

  test('what a stock workflow node sends is accepted, its extras named', () => {
    const parsed = parseInvokeBody({
      userPrompt: 'hi',
      tools: ['^(list|get|search|track|describe|count|run_*)_.*'],
      provider: 'openai',
      model: 'claude-sonnet-4-20250514',
      executionMode: 'Approval Required',
      context: {},
    });
    expect(parsed).toMatchObject({
      ok: true,
      request: { executionMode: 'Manual Approval', provider: 'openai', model: 'claude-sonnet-4-20250514' },
      ignoredFields: ['provider', 'model'],
    });
  });

  test('context is an object of up to 16 KiB, and an empty one is none', () => {
    const context = { entity: { blueprint: 'service', identifier: 'cart' } };
    expect(parseInvokeBody({ prompt: 'hi', context })).toMatchObject({ ok: true, request: { context } });
    expect(parseInvokeBody({ prompt: 'hi', context: {} })).toEqual(parseInvokeBody({ prompt: 'hi' }));
    expect(parseInvokeBody({ prompt: 'hi', context: null })).toEqual(parseInvokeBody({ prompt: 'hi' }));
    expect(parseIssues({ prompt: 'hi', context: 7 })).toEqual([{ path: '/context', message: 'must be an object' }]);
    expect(parseIssues({ prompt: 'hi', context: { a: 'é'.repeat(9_000) } })).toEqual([
      { path: '/context', message: 'is larger than 16384 bytes' },
    ]);
  });

  test.each(ignoredInvokeFields)('%s is known whatever it holds', (name) => {
    expect(parseInvokeBody({ prompt: 'hi', [name]: 7 })).toMatchObject({ ok: true, ignoredFields: [name] });
  });

  test('a field outside the list is heard with its path, unless leniency is asked for', () => {
    expect(parseIssues({ userPromt: 'hi', 'a/b': 1 })).toEqual([
      { path: '/userPromt', message: 'is not a known field' },
      { path: '/a~1b', message: 'is not a known field' },
      { path: '/userPrompt', message: 'is required' },
    ]);
    expect(parseInvokeBody({ prompt: 'hi', userPromt: 'x' }, { lenient: true })).toMatchObject({
      ok: true,
      ignoredFields: ['userPromt'],
    });
  });

  test.each([
    [null, ''],
    ['text', ''],
    [[], ''],
    [{}, '/userPrompt'],
    [{ prompt: '' }, '/prompt'],
    [{ prompt: '  ' }, '/prompt'],
    [{ prompt: 5 }, '/prompt'],
    [{ prompt: 'é'.repeat(32 * 1024 + 1) }, '/prompt'],
    [{ prompt: 'hi', systemPrompt: 'x'.repeat(16 * 1024 + 1) }, '/systemPrompt'],
    [{ prompt: 'hi', executionMode: 'Never' }, '/executionMode'],
    [{ prompt: 'hi', executionMode: true }, '/executionMode'],
    [{ prompt: 'hi', tools: '^list_' }, '/tools'],
    [{ prompt: 'hi', tools: ['a', 5] }, '/tools/1'],
    [{ prompt: 'hi', tools: ['x'.repeat(1001)] }, '/tools/0'],
    [{ prompt: 'hi', tools: Array(51).fill('a') }, '/tools'],
    [{ prompt: 'hi', labels: [] }, '/labels'],
    [{ prompt: 'hi', labels: 'a=b' }, '/labels'],
    [{ prompt: 'hi', labels: Object.fromEntries(Array.from({ length: 65 }, (_, key) => [key, 1])) }, '/labels'],
    [{ prompt: 'hi', labels: { a: 'x'.repeat(16 * 1024) } }, '/labels'],
  ])('refuses %j at %s', (body, path) => {
    expect(parseIssues(body).map((issue) => issue.path)).toContain(path);
  });

  test('every issue is listed, also that a pattern is invalid', () => {
    const parsed = parseInvokeBody(
      { prompt: 'hi', tools: ['ok', '('], labels: 1 },
      { patternProblem: (pattern) => (pattern === '(' ? 'missing )' : undefined) },
    );
    expect(parsed).toEqual({
      ok: false,
      code: 'invalid_request',
      issues: [
        { path: '/labels', message: 'must be an object' },
        { path: '/tools/1', message: 'is not a valid regular expression: missing )' },
      ],
    });
  });
});

test.each([
  ['Automatic', 'Automatic'],
  ['automatic', 'Automatic'],
  ['Manual Approval', 'Manual Approval'],
  ['manual_approval', 'Manual Approval'],
  ['MANUAL APPROVAL', 'Manual Approval'],
  ['Approval Required', 'Manual Approval'],
  ['approval_required', 'Manual Approval'],
  ['auto', undefined],
])('the mode %s is %s', (text, mode) => {
  expect(parseExecutionMode(text)).toBe(mode);
});
