import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkflowConnection, WorkflowDefinition, WorkflowNode } from '../../definitions/workflow.ts';
import { type Effect, type PastStep, planRerun, type RerunQuestion } from './plan-rerun.ts';

const ways = ['yes', 'no'];
const effects: Readonly<Record<string, Effect>> = { WEBHOOK: 'outside', UPSERT_ENTITY: 'ours' };
const effect = (type: string): Effect => effects[type] ?? 'none';

function node(identifier: string, type: string, reads: string): WorkflowNode {
  const text = reads === '' ? 'fixed' : `{{ ${reads} }}`;
  const config: Record<string, Record<string, unknown>> = {
    WEBHOOK: { url: 'https://example.com', body: { text } },
    UPSERT_ENTITY: { blueprintIdentifier: 'thing', mapping: { identifier: text } },
    TRANSFORM: { value: text },
    CONDITION: { outlets: ways.map((way) => ({ identifier: way, expression: reads === '' ? 'true' : reads })) },
    INPUT: {
      description: text,
      excludeRequester: identifier.endsWith('1'),
      userInputs: { properties: {}, buttons: ways.map((way) => ({ identifier: way, label: way })) },
      outlets: ways.map((way, index) => ({ identifier: way, evaluationMethod: 'button', numOfResponders: 1 + index })),
    },
  };
  return { identifier, config: { type, ...config[type] } as WorkflowNode['config'] };
}

const types = ['WEBHOOK', 'UPSERT_ENTITY', 'TRANSFORM', 'CONDITION', 'INPUT', 'INPUT'] as const;

/** A graph whose nodes lead to later ones alone, so that it has no circle. */
const graphs = fc
  .array(
    fc.record({
      type: fc.constantFrom(...types),
      reads: fc.constantFrom('', '', '', '', 'trigger', 'run', 'before', 'all'),
      to: fc.tuple(fc.nat(99), fc.nat(99)),
    }),
    { minLength: 4, maxLength: 8 },
  )
  .map((drawn): WorkflowDefinition => {
    const name = (index: number) => `n${index}`;
    const nodes = drawn.map(({ type, reads }, index) => {
      const text = {
        trigger: '.outputs.trigger.a',
        run: '.workflowRun.trigger.by.email',
        before: `.outputs.${name(Math.max(0, index - 1))}.a`,
        all: '.outputs | length',
      }[reads as 'trigger'];
      return node(name(index), type, text ?? '');
    });
    const connections = drawn.flatMap(({ type, to }, index): WorkflowConnection[] => {
      const targets = to.map((each) => index + 1 + (each % 2)).filter((each) => each < drawn.length);
      const source = { sourceIdentifier: name(index) };
      if (type !== 'CONDITION' && type !== 'INPUT') {
        return targets.slice(0, 1).map((each) => ({ ...source, targetIdentifier: name(each) }));
      }
      return targets.map((each, way) => ({
        ...source,
        targetIdentifier: name(each),
        sourceOutletIdentifier: ways[way] as string,
      }));
    });
    return {
      identifier: 'flow',
      nodes: [{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } }, ...nodes],
      connections: [{ sourceIdentifier: 'form', targetIdentifier: 'n0' }, ...connections],
    };
  });

interface World {
  readonly question: RerunQuestion;
  readonly path: readonly PastStep[];
}

const rarely = fc.nat(3).map((drawn) => drawn === 0);

/** A run that went some way, people who pressed, and a question about it. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    before: graphs,
    turns: fc.array(fc.constantFrom('yes', 'no'), { minLength: 10, maxLength: 10 }),
    length: fc.integer({ min: 2, max: 9 }),
    presses: fc.array(fc.array(fc.constantFrom('ada', 'bo', 'cy'), { maxLength: 4 }), { minLength: 10, maxLength: 10 }),
    from: fc.option(fc.nat(3), { freq: 8 }),
    inputsChange: rarely,
    isAnother: rarely,
    asks: fc.constantFrom('bo', 'zoe', 'zoe'),
    changed: fc.oneof(
      { weight: 2, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.record({ at: fc.nat(7), how: fc.constantFrom('text', 'way') }) },
    ),
  })
  .map(({ before, turns, length, presses, from, inputsChange, isAnother, asks, changed }) => {
    const path = walk(before, turns, length);
    const pressed = new Map(
      path.flatMap((step, at) =>
        step.type === 'INPUT'
          ? [[step.id, [...new Set(presses[at])].map((responder) => ({ responder, button: step.outlet ?? '' }))]]
          : [],
      ) as [string, { responder: string; button: string }[]][],
    );
    const now = changed === null ? before : edited(before, changed.at, changed.how);
    const question: RerunQuestion = {
      before,
      now,
      isSameVersion: changed === null,
      triggerNode: 'form',
      steps: path,
      pressed,
      compensated: new Set(),
      inputsChange,
      asking: { names: [asks], isAnother },
      from: from === null ? undefined : path[path.length - 1 - (from % path.length)]?.node,
      effect,
    };
    return { question, path };
  });

function walk(graph: WorkflowDefinition, turns: readonly string[], length: number): PastStep[] {
  const path: PastStep[] = [];
  let at: string | undefined = 'n0';
  while (at !== undefined && path.length < length) {
    const name: string = at;
    const found = graph.nodes.find(({ identifier }) => identifier === name) as WorkflowNode;
    const branches = ['CONDITION', 'INPUT'].includes(found.config.type);
    const outlet = branches ? (turns[path.length] as string) : null;
    path.push({
      id: `wfnr_${path.length}`,
      node: name,
      type: found.config.type,
      phase: 'ENDED',
      result: 'SUCCESS',
      outlet,
      goesOn: false,
    });
    at = graph.connections.find(
      (each) => each.sourceIdentifier === name && (!branches || each.sourceOutletIdentifier === outlet),
    )?.targetIdentifier;
  }
  return path;
}

function edited(graph: WorkflowDefinition, at: number, how: string): WorkflowDefinition {
  const index = 1 + (at % (graph.nodes.length - 1));
  if (how === 'text') {
    const nodes = graph.nodes.map((each, place) => (place === index ? { ...each, title: 'other' } : each));
    return { ...graph, nodes };
  }
  return { ...graph, connections: graph.connections.filter((_each, place) => place === 0 || place !== index) };
}

/** Every way on from a node, whatever its outlets say. */
function waysFrom(graph: WorkflowDefinition, at: string): string[][] {
  const next = graph.connections.filter(({ sourceIdentifier }) => sourceIdentifier === at);
  if (next.length === 0) return [[at]];
  return [
    [at],
    ...next.flatMap(({ targetIdentifier }) => waysFrom(graph, targetIdentifier).map((rest) => [at, ...rest])),
  ];
}

/**
 * Written apart from the plan: follows every way that the re-run may take, and at each effect looks back over the whole
 * way, from the trigger, for a form that stands before it without a decision for these inputs, this version and this
 * requester. Answers the first such form.
 */
function unapprovedEffect(
  { question, path }: World,
  reused: readonly PastStep[],
  startsAt: string,
): string | undefined {
  const { now, pressed, inputsChange, isSameVersion, asking } = question;
  const typeOf = (name: string) => now.nodes.find(({ identifier }) => identifier === name)?.config.type ?? '';
  for (const way of waysFrom(now, startsAt)) {
    const last = way.at(-1) as string;
    if (effect(typeOf(last)) === 'none') continue;
    for (const step of reused) {
      if (step.type !== 'INPUT') continue;
      const people = (pressed.get(step.id) ?? []).map(({ responder }) => responder);
      const isEnough = people.length >= (step.outlet === 'no' ? 2 : 1);
      const config = now.nodes.find(({ identifier }) => identifier === step.node)?.config;
      const isOwn = config?.['excludeRequester'] === true && asking.names.some((name) => people.includes(name));
      const asksWho = asking.isAnother && JSON.stringify(config).includes('workflowRun');
      if (inputsChange || !isSameVersion || !isEnough || isOwn || asksWho) return step.node;
      const isFirst = [
        ...reused.slice(reused.indexOf(step) + 1).map(({ type }) => type),
        ...way.slice(0, -1).map(typeOf),
      ].every((type) => effect(type) === 'none');
      if (isFirst && !path.some(({ node: name }) => name === last)) return step.node;
    }
  }
  return undefined;
}

describe('a re-run', () => {
  test('has no effect behind a form that was not pressed for these inputs, this version and this requester', () => {
    let [taken, guarded] = [0, 0];
    fc.assert(
      fc.property(worlds, (world) => {
        const plan = planRerun(world.question);
        if ('problem' in plan) return;
        if (plan.reused.some(({ type }) => type === 'INPUT')) taken += 1;
        if (plan.moved.length > 0) guarded += 1;
        const bare = unapprovedEffect(world, plan.reused, plan.startsAt.identifier);
        expect(bare, JSON.stringify({ moved: plan.moved, startsAt: plan.startsAt.identifier })).toBeUndefined();
      }),
      { numRuns: 4_000 },
    );
    // both kinds came about, or nothing was tested
    expect(taken).toBeGreaterThan(20);
    expect(guarded).toBeGreaterThan(100);
  });

  test('takes over a beginning of the way that leads to where it starts', () => {
    fc.assert(
      fc.property(worlds, ({ question, path }) => {
        const plan = planRerun(question);
        if ('problem' in plan) return;
        expect([...plan.reused, ...plan.again]).toEqual(path);
        const asked = question.from === undefined ? 0 : path.findIndex(({ node: name }) => name === question.from);
        expect(plan.reused.length).toBeLessThanOrEqual(asked);
        const way = [...plan.reused.map(({ node: name }) => name), plan.startsAt.identifier];
        const leads = way.every((name, index) => {
          const last = plan.reused[index - 1];
          return question.now.connections.some(
            (each) =>
              each.sourceIdentifier === (last?.node ?? 'form') &&
              (each.sourceOutletIdentifier ?? null) === (last?.outlet ?? null) &&
              each.targetIdentifier === name,
          );
        });
        expect(leads).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('takes over nothing that would have come out otherwise', () => {
    fc.assert(
      fc.property(worlds, ({ question }) => {
        const plan = planRerun(question);
        if ('problem' in plan) return;
        for (const { node: name } of plan.reused) {
          const written = JSON.stringify(question.now.nodes.find(({ identifier }) => identifier === name));
          const had = JSON.stringify(question.before.nodes.find(({ identifier }) => identifier === name));
          if (had !== written) {
            expect(written).not.toContain('"outlets"');
            const later = new Set(waysFrom(question.now, name).flat());
            later.delete(name);
            for (const reader of question.now.nodes.filter(({ identifier }) => later.has(identifier))) {
              expect(JSON.stringify(reader)).not.toContain(`.outputs.${name}.`);
              expect(JSON.stringify(reader)).not.toContain('.outputs |');
            }
          }
          if (!question.inputsChange) continue;
          expect(written).not.toContain('.outputs.trigger');
          expect(written).not.toContain('.outputs |');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

const step = (name: string, type: string, more: Partial<PastStep> = {}): PastStep => ({
  id: `wfnr_${name}`,
  node: name,
  type,
  phase: 'ENDED',
  result: 'SUCCESS',
  outlet: null,
  goesOn: false,
  ...more,
});

/** form → n0 (INPUT) → n1 (CONDITION) → n2 (WEBHOOK) or n3 (WEBHOOK). */
function approvedDeploy(more: Partial<RerunQuestion> = {}): RerunQuestion {
  const graph: WorkflowDefinition = {
    identifier: 'flow',
    nodes: [
      { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
      node('n0', 'INPUT', ''),
      node('n1', 'CONDITION', ''),
      node('n2', 'WEBHOOK', ''),
      node('n3', 'WEBHOOK', ''),
    ],
    connections: [
      { sourceIdentifier: 'form', targetIdentifier: 'n0' },
      { sourceIdentifier: 'n0', targetIdentifier: 'n1', sourceOutletIdentifier: 'yes' },
      { sourceIdentifier: 'n1', targetIdentifier: 'n2', sourceOutletIdentifier: 'yes' },
      { sourceIdentifier: 'n1', targetIdentifier: 'n3', sourceOutletIdentifier: 'no' },
    ],
  };
  return {
    before: graph,
    now: graph,
    isSameVersion: true,
    triggerNode: 'form',
    steps: [
      step('n0', 'INPUT', { outlet: 'yes' }),
      step('n1', 'CONDITION', { outlet: 'yes' }),
      step('n2', 'WEBHOOK', { result: 'FAILED' }),
    ],
    pressed: new Map([['wfnr_n0', [{ responder: 'bo', button: 'yes' }]]]),
    compensated: new Set(),
    inputsChange: false,
    asking: { names: ['ada'], isAnother: false },
    from: 'n2',
    effect,
    ...more,
  };
}

const startOf = (question: RerunQuestion) => {
  const plan = planRerun(question);
  return 'problem' in plan ? plan.problem : plan.startsAt.identifier;
};

describe('an approval', () => {
  test('is taken along to what it allowed and what failed', () => {
    expect(startOf(approvedDeploy())).toBe('n2');
  });

  test('is asked for again where another effect could come first', () => {
    expect(startOf(approvedDeploy({ from: 'n1' }))).toBe('n0');
  });

  test('that ran out is no decision of anybody', () => {
    expect(startOf(approvedDeploy({ pressed: new Map() }))).toBe('n0');
  });

  test('is not for other inputs, nor for another version', () => {
    expect(startOf(approvedDeploy({ inputsChange: true }))).toBe('n0');
    expect(startOf(approvedDeploy({ isSameVersion: false }))).toBe('n0');
  });

  test('given by whoever asks now does not count where requesters may not approve', () => {
    const asked = approvedDeploy({ asking: { names: ['Bo'], isAnother: true } });
    expect(startOf(asked)).toBe('n2');
    const nodes = asked.now.nodes.map((each) =>
      each.identifier === 'n0' ? { ...each, config: { ...each.config, excludeRequester: true } } : each,
    );
    const graph = { ...asked.now, nodes };
    expect(startOf({ ...asked, before: graph, now: graph })).toBe('n0');
  });
});

test('a step that was undone is carried out again, and so is what followed it', () => {
  const graph: WorkflowDefinition = {
    identifier: 'flow',
    nodes: [
      { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
      node('n0', 'UPSERT_ENTITY', ''),
      node('n1', 'WEBHOOK', ''),
      node('n2', 'WEBHOOK', ''),
    ],
    connections: [
      { sourceIdentifier: 'form', targetIdentifier: 'n0' },
      { sourceIdentifier: 'n0', targetIdentifier: 'n1' },
      { sourceIdentifier: 'n1', targetIdentifier: 'n2' },
    ],
  };
  const steps = [step('n0', 'UPSERT_ENTITY'), step('n1', 'WEBHOOK'), step('n2', 'WEBHOOK', { result: 'FAILED' })];
  const asked = approvedDeploy({ before: graph, now: graph, steps, from: 'n2' });
  expect(startOf(asked)).toBe('n2');
  const plan = planRerun({ ...asked, compensated: new Set(['wfnr_n0']) });
  expect(plan).toMatchObject({ reused: [], moved: [{ node: 'n0', reason: 'compensated' }] });
  expect(startOf({ ...asked, compensated: new Set(['wfnr_n1']) })).toBe('n1');
});

test('a step that the run did not reach is no place to begin', () => {
  expect(startOf(approvedDeploy({ from: 'n3' }))).toContain('did not reach');
  expect(startOf(approvedDeploy({ from: 'nobody' }))).toContain('did not reach');
});
