import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { expect } from 'vitest';
import { fenceOutput } from '../src/modules/assistant/loop/tool-output.ts';
import { createPlanner } from '../src/modules/assistant/model/built-in/planner.ts';

/** A small catalog as its tools answer it, and the planner over it. */
const blueprints = [
  {
    identifier: 'service',
    title: 'Service',
    description: 'Software that runs.',
    properties: {
      language: { type: 'string', title: 'Language', enum: ['Go', 'Java'] },
      tier: { type: 'number', title: 'Tier' },
      isPublic: { type: 'boolean', title: 'Public' },
      framework: { type: 'string', title: 'Framework' },
      tags: { type: 'array', title: 'Tags' },
      runbook: { type: 'string', title: 'Runbook' },
    },
    relations: { domain: { target: 'domain', many: false, title: 'Domain' } },
  },
  { identifier: 'domain', title: 'Business Domain', properties: {}, relations: {} },
  {
    identifier: 'incident',
    title: 'Incident',
    properties: {
      status: { type: 'string', title: 'Status', enum: ['open', 'resolved'] },
      severity: { type: 'string', title: 'Severity', enum: ['SEV1', 'SEV2'] },
      openedAt: { type: 'string', title: 'Opened', format: 'date-time' },
      resolvedAt: { type: 'string', title: 'Resolved', format: 'date-time' },
    },
    relations: {},
  },
  { identifier: 'pullRequest', title: 'Pull Request', properties: {}, relations: {} },
  { identifier: '_team', title: 'Team', properties: {}, relations: {} },
];
export const billing = {
  identifier: 'billing-api',
  title: 'Billing API',
  blueprint: 'service',
  team: ['payments'],
  properties: { language: 'Go', tier: 1, runbook: null },
  relations: { domain: 'money' },
};
export const mail = {
  identifier: 'mail-relay',
  title: 'Mail Relay',
  blueprint: 'service',
  team: [],
  properties: {},
  relations: {},
};

const money = { identifier: 'money', title: 'Money', blueprint: 'domain', team: [], properties: {}, relations: {} };
const payments = { identifier: 'payments', title: 'Payments', blueprint: '_team', team: [], properties: {} };

interface Rules {
  readonly combinator?: 'and' | 'or';
  readonly rules?: readonly Rules[];
  readonly property?: string;
  readonly value?: unknown;
}

/** A look-up by parts of a title or an identifier, as the search answers it. */
function isFound(
  entity: { identifier: string; title: string },
  { combinator, rules, property, value }: Rules,
): boolean {
  if (rules)
    return combinator === 'or'
      ? rules.some((rule) => isFound(entity, rule))
      : rules.every((rule) => isFound(entity, rule));
  const text = property === '$title' ? entity.title : entity.identifier;
  return text.toLowerCase().includes(String(value).toLowerCase());
}

export type Answers = Record<string, (args: Record<string, unknown>) => unknown>;
export const answers: Answers = {
  list_blueprints: () => ({ blueprints }),
  get_blueprint: () => ({ blueprint: blueprints[0] }),
  search_entities: ({ query }) => {
    const [visible, asked] = (query as { rules: Rules[] } | undefined)?.rules ?? [];
    const isLookUp = visible?.property === '$blueprint' && asked !== undefined;
    const all = isLookUp ? [mail, billing, money, payments].filter((entity) => isFound(entity, asked)) : [mail];
    return { total: all.length, entities: all };
  },
  get_entity: () => ({ entity: billing }),
  describe_user_details: () => ({
    user: { identifier: 'a@x', title: 'Ann' },
    organization: { name: 'Acme' },
    teams: ['payments'],
    roles: ['Admin'],
  }),
};

/** Answers a look-up as the others do, and the question for the titles of teams. */
export const titleOfPayments: Answers[string] = (args) =>
  args['blueprint'] === '_team' ? { total: 1, entities: [payments] } : answers['search_entities']?.(args);

/** Calls the planner until it answers; returns its calls and the answer. */
export async function ask(
  question: string,
  offered: Answers = answers,
  schemas: Record<string, object> = {},
  descriptions: Record<string, string> = {},
) {
  const planner = createPlanner('planner-1');
  const tools: LanguageModelV3FunctionTool[] = Object.keys(offered).map((name) => ({
    type: 'function',
    name,
    description: descriptions[name] ?? `about ${name}`,
    inputSchema: schemas[name] ?? { type: 'object' },
  }));
  const prompt: LanguageModelV3Prompt = [
    { role: 'system', content: 'Context\nToday is 2026-03-02 (UTC). The organization is Acme.' },
    { role: 'user', content: [{ type: 'text', text: question }] },
  ];
  const calls: { name: string; args: Record<string, unknown> }[] = [];
  for (let step = 0; step < 8; step++) {
    const { content, providerMetadata } = await planner.doGenerate({ prompt, tools });
    const metadata = providerMetadata?.['built-in'];
    expect(metadata).toMatchObject({ isLanguageModel: false });
    const [part] = content;
    if (part?.type === 'text') return { calls, text: part.text, outcome: metadata?.['outcome'] };
    expect(metadata).not.toHaveProperty('outcome');
    if (part?.type !== 'tool-call') break;
    const answer = offered[part.toolName];
    expect(answer, `${part.toolName} was not offered`).toBeDefined();
    const args = JSON.parse(part.input);
    calls.push({ name: part.toolName, args });
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
            output: { type: 'text', value: fenceOutput(JSON.stringify(answer!(args)), 'k3y') },
          },
        ],
      },
    );
  }
  throw new Error('no answer');
}
