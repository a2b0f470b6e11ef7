import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { answers } from '../../../../../test/planner-world.ts';
import { recordsUnder } from '../../../../platform/tools/tool-records.ts';
import { buildHistory, contextPart, type EarlierTurn } from '../../loop/history.ts';
import { createRecall } from '../../loop/recall.ts';
import { createRecordNumbers } from '../../receipts/number-records.ts';
import { createPlanner } from './planner.ts';

const entity = (identifier: string, title: string, blueprint = 'service') => ({
  identifier,
  title,
  blueprint,
  team: ['payments'],
});
const three = [
  entity('billing-api', 'Billing API'),
  entity('mail-relay', 'Mail Relay'),
  entity('geo.tiles', 'Map Tiles'),
];

function turn(question: string, answer: string, entities: readonly object[], total = entities.length): EarlierTurn {
  const recall = createRecall(
    createRecordNumbers({ recordsOf: () => recordsUnder({ entities: 'entity' }), now: () => new Date(0) }),
  );
  recall.call('c', 'search_entities', '{"blueprint":"service"}');
  recall.result('c', JSON.stringify({ total, entities }), false);
  return { id: question, question, answer, calls: recall.calls() };
}

const listed = turn(
  'Which services are there?',
  'Services: **3**\n\n- **Billing API** (`billing-api`)\n- **Mail Relay** (`mail-relay`)\n- **Map Tiles** (`geo.tiles`)',
  three,
);

/** Asks after these turns; resolves to the searches that it made, and the answer. */
async function ask(question: string, turns: readonly EarlierTurn[]) {
  const history = buildHistory(turns, { tokens: 12_000, ratio: 0.3, fenceMark: 'abcdef0123456789' });
  const prompt: LanguageModelV3Prompt = [
    { role: 'system', content: 'Context\nThe organization is Acme.' },
    ...history.messages.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
    {
      role: 'user',
      content: [
        { type: 'text', text: question },
        { type: 'text', text: contextPart(history, turns.length, '2026-03-02') },
      ],
    },
  ];
  const tools: LanguageModelV3FunctionTool[] = Object.keys(answers).map((name) => ({
    type: 'function',
    name,
    inputSchema: { type: 'object' },
  }));
  const planner = createPlanner('planner-1');
  const searches: unknown[] = [];
  for (let step = 0; step < 8; step += 1) {
    const { content } = await planner.doGenerate({ prompt, tools });
    const [part] = content;
    if (part?.type === 'text') return { searches, text: part.text };
    if (part?.type !== 'tool-call') break;
    const args = JSON.parse(part.input);
    if (part.toolName !== 'list_blueprints') searches.push(args);
    const value = JSON.stringify(answers[part.toolName]?.(args));
    prompt.push(
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: part.toolCallId, toolName: part.toolName, input: args }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            output: { type: 'text', value },
          },
        ],
      },
    );
  }
  throw new Error('no answer');
}

test.each([
  ['Which of those are written in Go?', { property: 'language', operator: '=', value: 'Go' }],
  ['and which of these have no owner?', { property: '$team', operator: 'isEmpty' }],
  ['Which of those services have tier 1?', { property: 'tier', operator: '=', value: 1 }],
])('“%s” asks only about what the answer before named', async (question, rule) => {
  const { searches, text } = await ask(question, [listed]);
  const given = { property: '$identifier', operator: 'in', value: ['billing-api', 'mail-relay', 'geo.tiles'] };
  expect(JSON.stringify(searches)).toContain(JSON.stringify(given));
  expect(JSON.stringify(searches)).toContain(JSON.stringify(rule));
  expect(text).toContain('of the 3 before');
});

test.each([
  ['Who owns the first one?', 'Owner of Billing API'],
  ['and who owns the second one?', 'Owner of Mail Relay'],
  ['What is the language of number 1?', 'Language of Billing API'],
  ['Who owns the first service?', 'Owner of Billing API'],
])('“%s” means the record at that place of the answer', async (question, words) => {
  expect((await ask(question, [listed])).text).toContain(words);
});

test('“it” means the one thing that was named, and is not guessed among several', async () => {
  const one = turn('Who owns billing-api?', 'Owner of Billing API (Service): **Payments**.', [three[0] as object]);
  expect((await ask('What is its language?', [listed, one])).text).toContain('Language of Billing API');
  expect((await ask('Who owns it?', [listed])).text).toMatch(/named 3; say which one “it” is/);
});

test('says what it does not know instead of guessing', async () => {
  const some = turn(
    'Which services are there?',
    `Services: **40**\n\n- \`billing-api\`\n- \`mail-relay\`\n- … and 38 more`,
    three.slice(0, 2),
    40,
  );
  const none = turn('How many services are there?', 'Services: **40**.', [], 40);
  expect((await ask('Which of those are written in Go?', [some])).text).toMatch(
    /about 40, of which I know only the first 2/,
  );
  expect((await ask('Which of those are written in Go?', [none])).text).toMatch(/named no records/);
  expect((await ask('Who owns the ninth one?', [listed])).text).toMatch(
    /named 3, so I do not know what “the ninth one”/,
  );
});

test('a question that points at nothing is answered as ever', async () => {
  const { text } = await ask('How many services are there?', [listed]);
  expect(text).not.toContain('before');
});
