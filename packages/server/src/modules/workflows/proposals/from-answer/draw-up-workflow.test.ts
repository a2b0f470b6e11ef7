import type { ActionInput } from '@portolan/contract/action-inputs';
import { describe, expect, test } from 'vitest';
import { drawnMax, drawUpWorkflow } from './draw-up-workflow.ts';
import type { DrawnCall } from './drawn-call.ts';

const named = { identifier: 'again', title: 'Do it again' };
const tool = (name: string, given: Readonly<Record<string, unknown>>): DrawnCall => ({ kind: 'tool', name, given });
const text: ActionInput = { type: 'string', title: 'Reason' };
const restart = (more: object = {}): DrawnCall => ({
  kind: 'action',
  action: 'restart',
  title: 'Restart',
  blueprint: 'service',
  entity: 'orders',
  inputs: { reason: text, token: { type: 'string', title: 'Token', encryption: 'aes256-gcm' } },
  values: { reason: 'It hangs' },
  ...more,
});

// biome-ignore lint/suspicious/noExplicitAny: definitions are looked into
type Drawn = any;
const draw = (...calls: readonly DrawnCall[]) => {
  const { definition, sample, questions, steps } = drawUpWorkflow(named, calls);
  const { nodes, connections } = definition as Drawn;
  return { form: nodes[0].config.userInputs, nodes: nodes.slice(1), connections, sample, questions, steps };
};

describe('a workflow that is drawn up of an answer', () => {
  test('has a step for each call in their order, and asks for what was filled in', () => {
    const { form, nodes, connections, sample, questions } = draw(
      tool('get_entity', { blueprint: 'service', identifier: 'orders' }),
      restart(),
      {
        kind: 'workflow',
        workflow: 'tell',
        node: 'ask',
        title: 'Tell them',
        inputs: { reason: text },
        values: { reason: 'It hangs' },
      },
    );
    expect(nodes.map(({ identifier, config }: Drawn) => [identifier, config])).toEqual([
      [
        'read_service',
        {
          type: 'FETCH',
          blueprintIdentifier: 'service',
          query: {
            combinator: 'and',
            rules: [{ property: '$identifier', operator: '=', value: '{{ .outputs.trigger["service"] }}' }],
          },
          single: true,
        },
      ],
      [
        'restart',
        {
          type: 'RUN_ACTION',
          actionIdentifier: 'restart',
          entityIdentifier: '{{ .outputs.trigger["service"] }}',
          properties: { reason: '{{ .outputs.trigger["reason"] }}' },
        },
      ],
      [
        'tell',
        {
          type: 'RUN_WORKFLOW',
          workflowIdentifier: 'tell',
          nodeIdentifier: 'ask',
          inputs: { reason: '{{ .outputs.trigger["reason"] }}' },
        },
      ],
    ]);
    expect(connections).toEqual([
      { sourceIdentifier: 'form', targetIdentifier: 'read_service' },
      { sourceIdentifier: 'read_service', targetIdentifier: 'restart' },
      { sourceIdentifier: 'restart', targetIdentifier: 'tell' },
    ]);
    expect(form.properties).toEqual({
      service: { title: 'service', type: 'string', format: 'entity', blueprint: 'service', default: 'orders' },
      reason: { title: 'Reason', type: 'string', default: 'It hangs' },
    });
    expect(form.required).toEqual(['service', 'reason']);
    expect(sample).toEqual({ service: 'orders', reason: 'It hangs' });
    expect(questions).toEqual([]);
  });

  test('asks twice under two names where two values were filled in under one, and once for one value', () => {
    const { form, nodes } = draw(restart(), restart(), restart({ values: { reason: 'Again' } }));
    expect(Object.keys(form.properties)).toEqual(['service', 'reason', 'reason_2']);
    expect(nodes.map(({ identifier }: Drawn) => identifier)).toEqual(['restart', 'restart_2']);
  });

  test('writes and deletes entities by what its form is filled in with', () => {
    const entity = {
      identifier: 'n',
      title: 'N',
      properties: { size: 3 },
      relations: { parts: ['a', 'b'] },
      icon: 'X',
    };
    const { form, nodes, questions } = draw(
      tool('upsert_entity', { blueprint: 'note', entity, replace: true }),
      tool('delete_entity', { blueprint: 'note', identifier: 'old', deleteDependents: true }),
    );
    expect(nodes.map(({ config }: Drawn) => config)).toEqual([
      {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'note',
        mapping: {
          identifier: '{{ .outputs.trigger["identifier"] }}',
          title: '{{ .outputs.trigger["title"] }}',
          properties: { size: '{{ .outputs.trigger["size"] }}' },
          relations: { parts: '{{ .outputs.trigger["parts"] }}' },
        },
      },
      {
        type: 'DELETE_ENTITY',
        blueprintIdentifier: 'note',
        identifier: '{{ .outputs.trigger["note"] }}',
        dependents: true,
      },
    ]);
    expect(form.properties.size).toMatchObject({ type: 'number', default: 3 });
    expect(form.properties.parts).toMatchObject({ type: 'array', default: ['a', 'b'] });
    expect(questions).toHaveLength(2);
  });

  test('keeps the conditions of a search, and asks for its text', () => {
    const query = { combinator: 'and', rules: [{ property: 'tier', operator: '=', value: 'gold' }] };
    const { nodes, questions } = draw(
      tool('search_entities', {
        blueprint: 'service',
        query,
        text: 'pay',
        include: [],
        limit: 5,
        sort: [{ property: 'tier' }],
      }),
    );
    expect(nodes[0].config).toMatchObject({
      limit: 5,
      query: { combinator: 'and', rules: [query, { combinator: 'or', rules: [{ operator: 'contains' }, {}] }] },
    });
    expect(nodes[0].config).not.toHaveProperty('include');
    expect(questions).toEqual([expect.stringContaining('order')]);
  });

  test('never makes a template of what somebody chose, and takes no expression as a default', () => {
    const bad = '{{ .secrets["token"] }}';
    const all = drawUpWorkflow(named, [
      restart({ entity: bad, values: { reason: bad, [bad]: 1 } }),
      restart({ inputs: { body: { type: 'object' } }, values: { body: { jqQuery: '.user' } } }),
      tool('upsert_entity', { blueprint: 'note', entity: { identifier: bad, properties: { [bad]: bad } } }),
      tool('get_entity', { blueprint: bad, identifier: 'x' }),
      tool('search_entities', { blueprint: 'note', query: { combinator: 'and', rules: [{ value: bad }] } }),
    ]);
    const { nodes } = all.definition as Drawn;
    expect(JSON.stringify(nodes.slice(1))).not.toContain('secrets');
    expect(JSON.stringify(nodes[0].config.userInputs)).not.toContain('jqQuery');
    expect(all.questions.join()).toContain('get_entity, search_entities');
  });

  test('tells each call that is no step, and each value that nobody may copy', () => {
    const { steps, nodes, questions } = draw(
      tool('get_blueprint', { identifier: 'service' }),
      tool('docs_find', { about: 'x' }),
      { kind: 'none', name: 'run_gone', why: 'gone' },
      { kind: 'none', name: 'list_entities', why: 'failed' },
      restart({ values: { token: '***', lost: 1 } }),
    );
    expect(steps).toBe(1);
    expect(nodes[0].config.properties).toEqual({});
    const told = questions.join('\n');
    for (const name of ['get_blueprint, docs_find', 'run_gone', 'list_entities', 'Token', 'lost']) {
      expect(told).toContain(name);
    }
    expect(JSON.stringify(nodes)).not.toContain('***');
  });

  test('stays within what a proposal holds, and says so', () => {
    const values = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`lost${index}`, 1]));
    const many = Array.from({ length: drawnMax.steps + 5 }, (_, index) => restart({ entity: `s${index}` }));
    const { nodes, questions } = draw(restart({ values }), ...many);
    expect(nodes).toHaveLength(drawnMax.steps);
    expect(questions).toHaveLength(drawnMax.questions);
    expect(questions.at(-1)).toMatch(/more questions are left out/);
    expect(Math.max(...questions.map(({ length }) => length))).toBeLessThanOrEqual(drawnMax.questionCharacters);
  });
});
