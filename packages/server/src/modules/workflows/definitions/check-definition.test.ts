import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDefinition } from './check-definition.ts';
import type { RuleCode } from './rules/fault.ts';

interface Node {
  identifier: string;
  config: Record<string, unknown> & { type: string };
  [key: string]: unknown;
}
interface Connection {
  sourceIdentifier: string;
  targetIdentifier: string;
  sourceOutletIdentifier?: string;
  fallback?: boolean;
}
interface Draft {
  identifier: string;
  nodes: Node[];
  connections: Connection[];
}

const webhook = (): Node['config'] => ({
  type: 'WEBHOOK',
  url: 'https://example.com/hook',
  body: { a: '{{ .outputs.trigger }}' },
});
const condition = (outlets: number): Node['config'] => ({
  type: 'CONDITION',
  outlets: Array.from({ length: outlets }, (_, n) => ({
    identifier: `way${n}`,
    expression: '.outputs.trigger.a == 1',
  })),
});
const input = (outlets: number): Node['config'] => ({
  type: 'INPUT',
  userInputs: {
    properties: { why: { type: 'string' } },
    buttons: Array.from({ length: outlets }, (_, n) => ({ identifier: `way${n}`, label: `Way ${n}` })),
  },
  outlets: Array.from({ length: outlets }, (_, n) => ({ identifier: `way${n}`, numOfResponders: 1 })),
});
const triggers: readonly (() => Node['config'])[] = [
  () => ({ type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { a: { type: 'number' } } }, permissions: {} }),
  () => ({ type: 'EVENT_TRIGGER', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } }),
  () => ({ type: 'SCHEDULE_TRIGGER', cron: '*/15 * * * *' }),
];

/** Valid graphs: triggers first, then steps in an order in which every connection leads on. */
const valid: fc.Arbitrary<Draft> = fc
  .record({
    triggers: fc.array(fc.constantFrom(...triggers), { minLength: 1, maxLength: 3 }),
    steps: fc.array(
      fc.record({
        kind: fc.constantFrom('WEBHOOK', 'CONDITION', 'INPUT'),
        outlets: fc.integer({ min: 1, max: 3 }),
        links: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        extra: fc.dictionary(fc.constantFrom('note', 'zeta', '1', 'links_'), fc.jsonValue(), { noNullPrototype: true }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    entries: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  })
  .map(({ triggers: kinds, steps, entries }) => {
    const draft: Draft = { identifier: 'w', nodes: [], connections: [] };
    const name = (at: number) => `step${at}`;
    kinds.forEach((make, at) => {
      draft.nodes.push({ identifier: `start${at}`, config: make() });
      draft.connections.push({
        sourceIdentifier: `start${at}`,
        targetIdentifier: name((entries[at] as number) % steps.length),
      });
    });
    steps.forEach(({ kind, outlets, links, extra }, at) => {
      const config = kind === 'WEBHOOK' ? webhook() : kind === 'CONDITION' ? condition(outlets) : input(outlets);
      draft.nodes.push({ ...extra, identifier: name(at), config });
      const later = steps.length - at - 1;
      if (later === 0) return;
      const target = (n: number) => name(at + 1 + ((links[n] as number) % later));
      if (kind === 'WEBHOOK') draft.connections.push({ sourceIdentifier: name(at), targetIdentifier: target(0) });
      else {
        for (let n = 0; n < outlets; n += 1)
          draft.connections.push({
            sourceIdentifier: name(at),
            targetIdentifier: target(n),
            sourceOutletIdentifier: `way${n}`,
          });
        if (kind === 'CONDITION')
          draft.connections.push({ sourceIdentifier: name(at), targetIdentifier: target(3), fallback: true });
      }
    });
    return draft;
  });

const listFaults = (draft: unknown) => checkDefinition(draft).faults.map(({ code, path }) => [code, path]);

test('a valid workflow has no fault and is stored byte for byte as it was written', () => {
  fc.assert(
    fc.property(valid, (draft) => {
      const written = JSON.stringify(draft);
      const { definition, faults } = checkDefinition(JSON.parse(written));
      expect(faults).toEqual([]);
      expect(JSON.stringify(definition)).toBe(written);
    }),
    { numRuns: 60 },
  );
});

/** Without a path it may be told at any connection of the circle. */
type Breaking = (draft: Draft, pick: number) => { code: RuleCode; path?: string } | undefined;

const find = <Part>(list: readonly Part[], pick: number, holds: (part: Part) => boolean): number | undefined => {
  const fitting = list.flatMap((part, at) => (holds(part) ? [at] : []));
  return fitting[pick % Math.max(1, fitting.length)];
};
const findNode = (draft: Draft, pick: number, ...types: string[]) =>
  find(draft.nodes, pick, ({ config }) => types.includes(config.type));
const isStart = ({ config }: Node) => config.type.endsWith('TRIGGER');
const typeAt = (draft: Draft, name: string) => draft.nodes.find((node) => node.identifier === name)?.config.type;

/** Each breaks one rule of a valid graph and says where the fault is, or cannot break this one. */
const breakings: Record<string, Breaking> = {
  'a node with the name of another': (draft, pick) => {
    // a lone node, so that nothing else depends on its name
    const at = draft.nodes.length;
    draft.nodes.push({ identifier: (draft.nodes[pick % at] as Node).identifier, config: webhook() });
    const isTwin = isStart(draft.nodes[pick % at] as Node) || draft.nodes[pick % at]?.config.type !== 'WEBHOOK';
    return isTwin ? undefined : { code: 'duplicate_node', path: `/nodes/${at}/identifier` };
  },
  'a connection from nowhere': (draft) => {
    const at = draft.connections.length;
    draft.connections.push({ sourceIdentifier: 'nowhere', targetIdentifier: 'step0' });
    return { code: 'unknown_node', path: `/connections/${at}/sourceIdentifier` };
  },
  'a connection to nowhere': (draft, pick) => {
    const at = pick % draft.connections.length;
    (draft.connections[at] as Connection).targetIdentifier = 'nowhere';
    return { code: 'unknown_node', path: `/connections/${at}/targetIdentifier` };
  },
  'a connection to itself': (draft, pick) => {
    const at = find(draft.connections, pick, ({ sourceIdentifier }) => sourceIdentifier.startsWith('step'));
    if (at === undefined) return undefined;
    const connection = draft.connections[at] as Connection;
    connection.targetIdentifier = connection.sourceIdentifier;
    return { code: 'self_connection', path: `/connections/${at}` };
  },
  'a connection to a trigger': (draft, pick) => {
    const at = draft.connections.length;
    draft.nodes.push({ identifier: 'last', config: webhook() });
    const target = draft.nodes[find(draft.nodes, pick, isStart) as number] as Node;
    draft.connections.push({ sourceIdentifier: 'last', targetIdentifier: target.identifier });
    return { code: 'trigger_entered', path: `/connections/${at}/targetIdentifier` };
  },
  'a circle': (draft) => {
    const from = draft.connections.find(({ sourceIdentifier }) => sourceIdentifier.startsWith('step'));
    if (!from) return undefined;
    // the end of the ways leads back to a node before it
    let last = from.targetIdentifier;
    for (let next: Connection | undefined = from; next; ) {
      last = next.targetIdentifier;
      next = draft.connections.find(({ sourceIdentifier }) => sourceIdentifier === last);
    }
    const isBranching = typeAt(draft, last) !== 'WEBHOOK';
    draft.connections.push({
      sourceIdentifier: last,
      targetIdentifier: from.sourceIdentifier,
      ...(isBranching ? { sourceOutletIdentifier: 'way0' } : {}),
    });
    return { code: 'cycle' };
  },
  'a second way out': (draft, pick) => {
    const at = pick % draft.connections.length;
    draft.connections.push({ ...(draft.connections[at] as Connection) });
    return { code: 'second_connection', path: `/connections/${draft.connections.length - 1}` };
  },
  'an outlet of a node that has none': (draft, pick) => {
    const at = find(draft.connections, pick, ({ sourceIdentifier }) =>
      ['WEBHOOK', 'EVENT_TRIGGER', 'SELF_SERVE_TRIGGER', 'SCHEDULE_TRIGGER'].includes(
        typeAt(draft, sourceIdentifier) ?? '',
      ),
    );
    if (at === undefined) return undefined;
    (draft.connections[at] as Connection).sourceOutletIdentifier = 'way0';
    return { code: 'outlet_not_allowed', path: `/connections/${at}/sourceOutletIdentifier` };
  },
  'a fallback of a node that has none': (draft, pick) => {
    const at = find(draft.connections, pick, ({ sourceIdentifier }) => typeAt(draft, sourceIdentifier) !== 'CONDITION');
    if (at === undefined) return undefined;
    (draft.connections[at] as Connection).fallback = true;
    return { code: 'fallback_not_allowed', path: `/connections/${at}/fallback` };
  },
  'an outlet and a fallback at once': (draft, pick) => {
    const at = find(draft.connections, pick, ({ fallback }) => fallback === true);
    if (at === undefined) return undefined;
    (draft.connections[at] as Connection).sourceOutletIdentifier = 'way0';
    return { code: 'fallback_not_allowed', path: `/connections/${at}/fallback` };
  },
  'a way out without a name': (draft, pick) => {
    const at = find(draft.connections, pick, ({ sourceOutletIdentifier }) => sourceOutletIdentifier !== undefined);
    if (at === undefined) return undefined;
    delete (draft.connections[at] as Connection).sourceOutletIdentifier;
    return { code: 'outlet_missing', path: `/connections/${at}/sourceOutletIdentifier` };
  },
  'a way out that is not there': (draft, pick) => {
    const at = find(draft.connections, pick, ({ sourceOutletIdentifier }) => sourceOutletIdentifier !== undefined);
    if (at === undefined) return undefined;
    (draft.connections[at] as Connection).sourceOutletIdentifier = 'elsewhere';
    return { code: 'unknown_outlet', path: `/connections/${at}/sourceOutletIdentifier` };
  },
  'two outlets of one name': (draft, pick) => {
    const at = findNode(draft, pick, 'CONDITION', 'INPUT');
    const node = at === undefined ? undefined : draft.nodes[at];
    if (!node) return undefined;
    const outlets = node.config['outlets'] as object[];
    outlets.push({ ...outlets[0] });
    return { code: 'duplicate_outlet', path: `/nodes/${at}/config/outlets/${outlets.length - 1}/identifier` };
  },
  'two buttons of one name': (draft, pick) => {
    const at = findNode(draft, pick, 'INPUT');
    const node = at === undefined ? undefined : draft.nodes[at];
    if (!node) return undefined;
    const { buttons } = node.config['userInputs'] as { buttons: object[] };
    buttons.push({ ...buttons[0] });
    return {
      code: 'duplicate_button',
      path: `/nodes/${at}/config/userInputs/buttons/${buttons.length - 1}/identifier`,
    };
  },
  'an outlet without its button': (draft, pick) => {
    const at = findNode(draft, pick, 'INPUT');
    const node = at === undefined ? undefined : draft.nodes[at];
    if (!node) return undefined;
    const outlets = node.config['outlets'] as object[];
    outlets.push({ identifier: 'nobody' });
    return { code: 'outlet_without_button', path: `/nodes/${at}/config/outlets/${outlets.length - 1}/identifier` };
  },
  'a schedule that cannot be read': (draft, pick) => {
    const at = findNode(draft, pick, 'SCHEDULE_TRIGGER');
    if (at === undefined) return undefined;
    (draft.nodes[at] as Node).config['cron'] = '61 * * * *';
    return { code: 'cron_invalid', path: `/nodes/${at}/config/cron` };
  },
  'a schedule that ticks too often': (draft, pick) => {
    const at = findNode(draft, pick, 'SCHEDULE_TRIGGER');
    if (at === undefined) return undefined;
    (draft.nodes[at] as Node).config['cron'] = '0,4 * * * *';
    return { code: 'cron_too_often', path: `/nodes/${at}/config/cron` };
  },
  'a timer without its property': (draft, pick) => {
    const at = findNode(draft, pick, 'EVENT_TRIGGER');
    if (at === undefined) return undefined;
    ((draft.nodes[at] as Node).config['event'] as { type: string }).type = 'TIMER_EXPIRED';
    return { code: 'timer_without_property', path: `/nodes/${at}/config/event/propertyIdentifier` };
  },
  'an expression that cannot be read': (draft, pick) => {
    const at = findNode(draft, pick, 'CONDITION');
    if (at === undefined) return undefined;
    ((draft.nodes[at] as Node).config['outlets'] as { expression: string }[])[0]!.expression = '.a ==';
    return { code: 'jq', path: `/nodes/${at}/config/outlets/0/expression` };
  },
  'a template that cannot be read': (draft, pick) => {
    const at = findNode(draft, pick, 'WEBHOOK');
    if (at === undefined) return undefined;
    (draft.nodes[at] as Node).config['body'] = { 'a/b': ['{{ .a', 'x'] };
    return { code: 'jq', path: `/nodes/${at}/config/body/a~1b/0` };
  },
  'a secret where people read': (draft, pick) => {
    const at = findNode(draft, pick, 'CONDITION');
    if (at === undefined) return undefined;
    ((draft.nodes[at] as Node).config['outlets'] as object[])[0] = {
      identifier: 'way0',
      expression: 'true',
      statusLabel: { text: 'Used {{ .secrets.token }}' },
    };
    return { code: 'secret_would_be_shown', path: `/nodes/${at}/config/outlets/0/statusLabel/text` };
  },
  'a form with an input in two steps': (draft, pick) => {
    const at = findNode(draft, pick, 'SELF_SERVE_TRIGGER');
    if (at === undefined) return undefined;
    (draft.nodes[at] as Node).config['userInputs'] = {
      properties: { a: { type: 'number' } },
      steps: [
        { title: 'One', order: ['a'] },
        { title: 'Two', order: ['a'] },
      ],
    };
    return { code: 'form', path: `/nodes/${at}/config/userInputs/steps` };
  },
  'a type that nobody knows': (draft) => {
    const at = draft.nodes.length;
    draft.nodes.push({ identifier: 'odd', config: { type: 'TELEPORT' } });
    return { code: 'shape', path: `/nodes/${at}/config/type` };
  },
};

describe('a workflow that breaks one rule is refused for that alone, at its place', () => {
  test.each(Object.keys(breakings))('%s', (name) => {
    let broken = 0;
    fc.assert(
      fc.property(valid, fc.nat(), (valid, pick) => {
        const draft = structuredClone(valid);
        const expected = (breakings[name] as Breaking)(draft, pick);
        if (!expected) return;
        broken += 1;
        const faults = listFaults(draft);
        if (expected.path !== undefined) expect(faults).toEqual([[expected.code, expected.path]]);
        else expect([...new Set(faults.map(([code]) => code))]).toEqual([expected.code]);
      }),
      { numRuns: 25 },
    );
    // a rule that no graph can break would prove nothing
    expect(broken).toBeGreaterThan(2);
  });
});

test('a workflow without a trigger is refused', () => {
  const draft = { identifier: 'w', nodes: [{ identifier: 'a', config: webhook() }], connections: [] };
  expect(listFaults(draft)).toEqual([['no_trigger', '/nodes']]);
});

test('all faults are told at once, those of shape and of rules, each place once', () => {
  const faults = listFaults({
    identifier: 'not a name',
    title: 5,
    nodes: [
      { identifier: 'a', config: { type: 'WEBHOOK' } },
      { identifier: 'a', config: webhook() },
      { identifier: 'b', config: { type: 'AI', userPrompt: '{{ .secrets.x }}', model: 'm' } },
      { identifier: 'c', config: { type: 'DELAY' } },
      { identifier: 'd', config: { type: 'TRANSFORM', expression: '.a', value: 1 } },
      { identifier: 'e', config: { type: 'CONDITION', outlets: [], conditions: [] } },
      'nonsense',
    ],
    connections: [{ sourceIdentifier: 'a', targetIdentifier: 'a' }, { sourceIdentifier: 'x' }],
  });
  expect(faults.sort()).toEqual(
    [
      ['shape', '/identifier'],
      ['shape', '/title'],
      ['shape', '/nodes/0/config/url'],
      ['duplicate_node', '/nodes/1/identifier'],
      ['secret_would_be_shown', '/nodes/2/config/userPrompt'],
      ['model_without_provider', '/nodes/2/config/provider'],
      ['delay_without_time', '/nodes/3/config'],
      ['transform_without_value', '/nodes/4/config'],
      ['old_form', '/nodes/5/config/conditions'],
      ['shape', '/nodes/6'],
      ['no_trigger', '/nodes'],
      ['self_connection', '/connections/0'],
      ['shape', '/connections/1/targetIdentifier'],
    ].sort(),
  );
});

const start = { identifier: 'trigger', config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: {} } } };
const withStep = (config: object, more: object = {}) => ({
  identifier: 'w',
  nodes: [start, { identifier: 'step', config, ...more }],
  connections: [{ sourceIdentifier: 'trigger', targetIdentifier: 'step' }],
});

test.each<[string, object, object?]>([
  ['the address of a webhook', { type: 'WEBHOOK', url: 'https://x.example/{{ .secrets.path }}' }],
  [
    'its headers',
    { type: 'WEBHOOK', url: 'https://x.example', headers: { authorization: 'Bearer {{ .secrets["a b"] }}' } },
  ],
  ['its body', { type: 'WEBHOOK', url: 'https://x.example', body: { deep: [{ key: '{{ .secrets.key }}' }] } }],
  ['a message', { type: 'KAFKA', payload: { key: '{{ .secrets.key }}' } }],
])('a secret may stand in %s', (_name, config) => {
  expect(listFaults(withStep(config))).toEqual([]);
});

test.each<[string, object, object?]>([
  ['a link', { type: 'WEBHOOK', url: 'https://x.example' }, { links: ['https://x.example/{{ .secrets.a }}'] }],
  ['a variable', { type: 'WEBHOOK', url: 'https://x.example' }, { variables: { a: '{{ .secrets.a }}' } }],
  ['a mapping', { type: 'UPSERT_ENTITY', blueprintIdentifier: 'service', mapping: { title: '{{ .secrets.a }}' } }],
  ['a prompt', { type: 'AI', userPrompt: 'Use {{ .secrets | tojson }}' }],
  ['the whole context', { type: 'AI', userPrompt: '{{ . }}' }],
  ['a key chosen at run time', { type: 'AI', userPrompt: '{{ .[.outputs.trigger.root] }}' }],
  ['a computed value', { type: 'TRANSFORM', expression: '.secrets' }],
  [
    'a key of a mapping',
    { type: 'UPSERT_ENTITY', blueprintIdentifier: 's', mapping: { properties: { '{{ .secrets.a }}': 1 } } },
  ],
  ['the method of a webhook', { type: 'WEBHOOK', url: 'https://x.example', method: '{{ .secrets.a }}' }],
  [
    'a mail to responders',
    {
      type: 'INPUT',
      userInputs: { properties: {}, buttons: [{ identifier: 'a', label: 'A' }] },
      outlets: [{ identifier: 'a' }],
      notifications: [{ target: 'email', fields: [{ label: 'Key', value: '{{ .secrets.a }}' }] }],
    },
  ],
])('a secret is refused in %s', (_name, config, more) => {
  expect(listFaults(withStep(config, more)).map(([code]) => code)).toEqual(['secret_would_be_shown']);
});

const listWarnings = (draft: unknown) => checkDefinition(draft).warnings.map(({ code, path }) => [code, path]);

test('an output of a node that does not come before is a warning, and saved', () => {
  const draft = withStep({
    type: 'WEBHOOK',
    url: 'https://x.example',
    body: [
      '{{ .outputs.trigger.a }}',
      '{{ .outputs.none.a }}',
      '{{ .outputs.step }}',
      '{{ .run.id }}',
      '{{ .outputs["other"] }}',
    ],
  });
  draft.nodes.push({ identifier: 'other', config: { type: 'WEBHOOK', url: 'https://x.example' } });
  expect(listFaults(draft)).toEqual([]);
  expect(listWarnings(draft)).toEqual([
    ['unreachable_node', '/nodes/2'],
    ['unknown_output', '/nodes/1/config/body/1'],
    ['unknown_output', '/nodes/1/config/body/2'],
    ['unknown_output', '/nodes/1/config/body/4'],
  ]);
});

test('names of the beta are taken and stored under those of today', () => {
  const { definition, faults } = checkDefinition({
    identifier: 'w',
    nodes: [
      start,
      { identifier: 'c', config: { type: 'CONDITION', options: [{ identifier: 'a', expression: 'true' }] } },
      { identifier: 'd', config: webhook() },
    ],
    connections: [
      { sourceIdentifier: 'trigger', targetIdentifier: 'c' },
      { sourceIdentifier: 'c', targetIdentifier: 'd', sourceOptionIdentifier: 'a' },
    ],
  });
  expect(faults).toEqual([]);
  expect(definition.nodes[1]?.config).toEqual({
    type: 'CONDITION',
    outlets: [{ identifier: 'a', expression: 'true' }],
  });
  expect(definition.connections[1]).toEqual({
    sourceIdentifier: 'c',
    targetIdentifier: 'd',
    sourceOutletIdentifier: 'a',
  });
});

test('what answers add is left out when it comes back', () => {
  const added = {
    id: 'wf_x',
    version: 4,
    versionIdentifier: 'wfv_x',
    createdAt: 'x',
    createdBy: 'x',
    updatedAt: 'x',
    updatedBy: 'x',
  };
  const draft = withStep(webhook());
  expect(checkDefinition({ ...added, ...draft }).definition).toEqual(draft);
});

test('a workflow that is too large is refused for that alone', () => {
  const draft = withStep({ type: 'WEBHOOK', url: 'https://x.example', body: 'x'.repeat(1_100_000) });
  expect(listFaults(draft)).toEqual([['too_large', '']]);
});

test('a model and servers of a step are nothing to warn of', () => {
  const config = { type: 'AI', userPrompt: 'x', provider: 'openai', model: 'm', mcpServers: [{ identifier: 'a' }] };
  const nodes = [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    { identifier: 'ai', config },
  ];
  const connections = [{ sourceIdentifier: 'form', targetIdentifier: 'ai' }];
  const { faults, warnings } = checkDefinition({ identifier: 'flow', nodes, connections });
  expect([faults, warnings]).toEqual([[], []]);
});
