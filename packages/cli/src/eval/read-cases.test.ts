import type { Issue } from '@portolan/contract/errors';
import { graderNames } from '@portolan/contract/evaluation';
import { examplesFor, toCase } from '@portolan/evaluation';
import { expect, test } from 'vitest';
import { nodeGraderKit } from './node-grader-kit.ts';

type Properties = Parameters<typeof toCase>[0]['properties'];

function issuesOf(properties: object, relations = {}): Issue[] {
  const issues: Issue[] = [];
  const whole = { question: 'Why?', expect: [{ grader: 'refuses' }], ...properties } as Properties;
  toCase({ identifier: 'mine', properties: whole, relations }, nodeGraderKit, issues);
  return issues;
}

const gradersWrittenRight: object[] = [
  { grader: 'answer_set', values: ['a', ['B', 'b']], partial: true },
  { grader: 'answer_number', value: 3, tolerance: 0.5 },
  { grader: 'query', blueprint: 'service', query: { combinator: 'and', rules: [] }, compare: 'count' },
  { grader: 'contains', any: ['a'] },
  { grader: 'regex', pattern: '^(?=a)', flags: 'is' },
  { grader: 'json_schema', schema: { type: 'object' } },
  { grader: 'tool_called', tool: '(search|list)_.*', arguments: { blueprint: 'service' } },
  { grader: 'not_called', tool: 'run_' },
  { grader: 'refuses', phrases: ['no idea'] },
  { grader: 'asks' },
  { grader: 'draft_of', action: 'restart', entity: 'a', properties: { force: true } },
  { grader: 'nothing_executed' },
  { grader: 'judge', rubric: 'Is it polite?', provider: 'openai', model: 'gpt' },
  { grader: 'cost_max', usd: 0.1 },
  { grader: 'latency_max', ms: 1_000 },
];

test('every grader can be written', () => {
  expect(gradersWrittenRight.map((each) => (each as { grader: string }).grader).sort()).toEqual(
    [...graderNames].sort(),
  );
  expect(issuesOf({ expect: gradersWrittenRight })).toEqual([]);
});

test('the examples are written right', () => {
  for (const { properties } of examplesFor(new Set(['service']))) expect(issuesOf(properties)).toEqual([]);
  expect(examplesFor(new Set())).toHaveLength(1);
});

const there = graderNames.join(', ');

test.each<[object | null, string, string]>([
  [{ grader: 'taste' }, 'grader', `"taste" is no grader; there are ${there}`],
  [{ grader: 'judge' }, 'rubric', 'must be of type string'],
  [{ grader: 'judge', rubric: 'r', model: 'gpt' }, 'model', 'and "provider" go together'],
  [{}, 'grader', `must name a grader; there are ${there}`],
  [null, 'grader', `must name a grader; there are ${there}`],
  [{ grader: 'answer_set' }, 'values', 'must be of type array'],
  [{ grader: 'answer_number', value: '3' }, 'value', 'must be of type number'],
  [{ grader: 'asks', loudly: true }, '', 'has unknown members: loudly'],
  [{ grader: 'contains' }, '', 'must have "all", "any" or "none"'],
  [
    { grader: 'query', blueprint: 'service', compare: 'count', partial: true },
    'partial',
    'has no meaning where numbers are compared',
  ],
])('the grader %j is told with case, index and path', (grader, path, message) => {
  const at = path === '' ? 'mine/expect/1' : `mine/expect/1/${path}`;
  expect(issuesOf({ expect: [{ grader: 'asks' }, grader] })).toEqual([{ path: at, message }]);
});

test.each<[object, string, RegExp]>([
  [{ grader: 'regex', pattern: '(' }, 'pattern', /^is not a usable pattern: /],
  [{ grader: 'not_called', tool: '[' }, 'tool', /^is not a usable pattern: /],
  [{ grader: 'json_schema', schema: { type: 'thing' } }, 'schema', /^is no usable schema: /],
  [{ grader: 'json_schema', schema: { pattern: '(' } }, 'schema', /^is no usable schema: /],
  [{ grader: 'query', blueprint: 'a b' }, 'blueprint', /^may hold letters/],
  [
    { grader: 'query', blueprint: 'a', query: { combinator: 'and', rules: [{ property: 'x', operator: 'like' }] } },
    'query/rules/0/operator',
    /./,
  ],
])('what does not compile in %j is told too', (grader, path, message) => {
  expect(issuesOf({ expect: [grader] })).toEqual([
    { path: `mine/expect/0/${path}`, message: expect.stringMatching(message) },
  ]);
});

test('the rest of a case is checked, and every issue told', () => {
  expect(issuesOf({ question: ' ', expect: [], setup: { turns: [], tools: 'all' } })).toEqual([
    { path: 'mine/question', message: 'must be a question' },
    { path: 'mine/expect', message: 'must hold at least one grader: without one every answer would be right' },
    { path: 'mine/setup/tools', message: 'must be of type array' },
    { path: 'mine/setup', message: 'has unknown members: turns' },
  ]);
  expect(issuesOf({ setup: { systemPrompt: 'Be brief.' } }, { agent: 'guide' })).toEqual([
    { path: 'mine/setup/systemPrompt', message: 'has no effect: the agent that is asked has a prompt of its own' },
  ]);
});
