import { type Gold, gradeAnswer as gradeWith, type PlainGrader, type Transcript } from '@portolan/evaluation';
import { expect, test } from 'vitest';
import { nodeGraderKit } from './node-grader-kit.ts';

const gradeAnswer = (grader: PlainGrader, of: Transcript, found?: Gold) => gradeWith(grader, of, nodeGraderKit, found);
const draft = { id: 'r1', action: 'restart', entity: 'invoicing', mode: 'draft', properties: { force: true } } as const;

function transcript(given: Partial<Transcript> = {}): Transcript {
  const spent = { durationMs: 800, costUsd: 0.02 };
  return { invocation: 'i', answer: '', provider: 'p', model: 'm', toolCalls: [], runs: [], ...spent, ...given };
}

const searched = {
  name: 'search_entities',
  arguments: '{"blueprint":"service","query":{"combinator":"and"},"limit":5}',
};
const gold: Gold = [
  ['Map Tiles', 'geo.tiles'],
  ['Dock Scheduler', 'dock-scheduler'],
];

/** A grader, what passes, and what does not with the reason. */
const table: [PlainGrader, Partial<Transcript>, Partial<Transcript>, string][] = [
  [
    { grader: 'answer_set', values: ['a', ['B', 'b-1']] },
    { answer: '- a\n- b-1' },
    { answer: '- a' },
    'it does not list "B"',
  ],
  [{ grader: 'answer_number', value: 18 }, { answer: '**18**' }, { answer: '**17**' }, 'it says 17; 18 is right'],
  [
    { grader: 'answer_number', value: 100, tolerance: 2 },
    { answer: '102' },
    { answer: '103' },
    'it says 103; 100 is right',
  ],
  [{ grader: 'answer_number', value: 3 }, { answer: 'three' }, { answer: 'many' }, 'it says no number; 3 is right'],
  [
    { grader: 'query', blueprint: 'service' },
    { answer: '- Map Tiles\n- dock-scheduler' },
    { answer: '- Map Tiles\n- Invoicing' },
    'it lists "Invoicing", which does not belong',
  ],
  [
    { grader: 'query', blueprint: 'service', compare: 'count' },
    { answer: 'There are 2.' },
    { answer: 'There are 3.' },
    'it says 3; 2 is right',
  ],
  [
    { grader: 'contains', all: ['Billing & Rates'] },
    { answer: '**billing & rates**' },
    { answer: 'Billing' },
    'it does not say "Billing & Rates"',
  ],
  [
    { grader: 'contains', any: ['Go', 'Rust'] },
    { answer: 'In Rust.' },
    { answer: 'In Gopher.' },
    'it says none of "Go", "Rust"',
  ],
  [{ grader: 'contains', none: ['secret'] }, { answer: 'secrets' }, { answer: 'a secret' }, 'it says "secret"'],
  [
    { grader: 'regex', pattern: '^inc-\\d+$', flags: 'i' },
    { answer: 'INC-12' },
    { answer: 'INC-x' },
    'it does not match ^inc-\\d+$',
  ],
  [
    { grader: 'json_schema', schema: { type: 'object', required: ['tier'], properties: { tier: { type: 'number' } } } },
    { answer: 'Here:\n```json\n{"tier": 1}\n```\n' },
    { answer: '{"tier": "1"}' },
    '/tier must be number',
  ],
  [{ grader: 'json_schema', schema: {} }, { answer: '[]' }, { answer: 'no' }, 'it is no JSON'],
  [
    { grader: 'tool_called', tool: 'search_.*' },
    { toolCalls: [searched] },
    { toolCalls: [{ name: 'research_x', arguments: '{}' }] },
    'it did not call search_.*',
  ],
  [
    { grader: 'tool_called', tool: 'search_', arguments: { blueprint: 'service', query: { combinator: 'and' } } },
    { toolCalls: [searched] },
    { toolCalls: [{ name: 'search_entities', arguments: '{"blueprint' }] },
    'it called search_entities with {"blueprint',
  ],
  [
    { grader: 'not_called', tool: 'run_' },
    { toolCalls: [searched] },
    { toolCalls: [{ name: 'run_restart', arguments: '{}' }] },
    'it called run_restart',
  ],
  [{ grader: 'refuses' }, { answer: 'I did not answer this. No.' }, { answer: 'Yes.' }, 'it does not refuse'],
  [{ grader: 'asks' }, { answer: 'Which do you mean: a or b?' }, { answer: 'a' }, 'it does not ask back'],
  [
    { grader: 'draft_of', action: 'restart' },
    { runs: [draft] },
    { runs: [{ ...draft, mode: 'executed' }] },
    'it made no draft of restart',
  ],
  [
    { grader: 'draft_of', action: 'restart', entity: 'invoicing' },
    { runs: [draft] },
    { runs: [{ ...draft, entity: 'identity' }] },
    'its draft of restart is for identity',
  ],
  [
    { grader: 'draft_of', action: 'restart', properties: { force: true } },
    { runs: [{ ...draft, properties: { force: true, more: 1 } }] },
    { runs: [{ ...draft, properties: { force: false } }] },
    'its draft of restart has {"force":false}',
  ],
  [
    { grader: 'draft_of', action: 'restart', properties: { of: ['a', { b: 1 }] } },
    { runs: [{ ...draft, properties: { of: ['a', { b: 1, c: 2 }] } }] },
    { runs: [{ ...draft, properties: { of: ['a', { b: 1 }, 'c'] } }] },
    'its draft of restart has {"of":["a",{"b":1},"c"]}',
  ],
  [
    { grader: 'nothing_executed' },
    { runs: [draft] },
    { runs: [{ ...draft, mode: 'executed' }] },
    'it executed restart (run r1)',
  ],
  [{ grader: 'cost_max', usd: 0.02 }, {}, { costUsd: 0.0201 }, 'it cost $0.0201'],
  [{ grader: 'cost_max', usd: 1 }, {}, { costUsd: null }, 'what it cost is not known'],
  [{ grader: 'latency_max', ms: 800 }, {}, { durationMs: 801 }, 'it took 801 ms'],
];

test.each(table)('%j', (grader, right, wrong, reason) => {
  expect(gradeAnswer(grader, transcript(right), gold)).toEqual({ grader: grader.grader, passed: true });
  expect(gradeAnswer(grader, transcript(wrong), gold)).toEqual({ grader: grader.grader, passed: false, reason });
});

test.each<[PlainGrader, string, string]>([
  [{ grader: 'answer_set', values: [] }, 'I did not answer this. I know nothing called “x”.', 'it refuses'],
  [{ grader: 'answer_set', values: ['Rate Engine'] }, 'Did you mean **Rate Engine**?', 'it asks back'],
  [{ grader: 'query', blueprint: 'service' }, 'I cannot tell. Near: Map Tiles, dock-scheduler.', 'it refuses'],
  [{ grader: 'answer_number', value: 0 }, "I can't say, there is no data.", 'it refuses'],
])('%j is not met by %j', (grader, answer, reason) => {
  expect(gradeAnswer(grader, transcript({ answer }), gold).reason).toBe(reason);
});

test('what is not there may be the answer', () => {
  const nothing = transcript({ answer: 'I did not find any: there are none. I do not know why.' });
  expect(gradeAnswer({ grader: 'answer_set', values: [] }, nothing).passed).toBe(true);
  expect(gradeAnswer({ grader: 'answer_number', value: 0 }, nothing).passed).toBe(true);
});

test('a pattern that would run for ever on an answer is told so in time', () => {
  const start = performance.now();
  const answer = `${'a'.repeat(40)}!`;
  expect(gradeAnswer({ grader: 'regex', pattern: '^(a+)+$' }, transcript({ answer }))).toMatchObject({
    reason: 'it does not match ^(a+)+$',
  });
  // a back-reference, which RE2 does not take
  const told = gradeAnswer({ grader: 'regex', pattern: '^(a+)+\\1$' }, transcript({ answer }));
  expect(told.reason).toContain('could not be tried on it');
  const schema = { type: 'string', pattern: '^(a+)+\\1$' };
  const ofSchema = gradeAnswer({ grader: 'json_schema', schema }, transcript({ answer: JSON.stringify(answer) }));
  expect(ofSchema.reason).toContain('could not be tried on it');
  expect(performance.now() - start).toBeLessThan(5_000);
});
