import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createNodeWorld } from '../../../../test/node-world.ts';
import { shapeOutput } from './outputs.ts';

let app: TestApp;
let world: ReturnType<typeof createNodeWorld>;
beforeAll(async () => {
  app = await createTestApp();
  world = createNodeWorld(app);
});
afterAll(async () => {
  await world.close();
  await app.close();
});

const failed = (message: unknown) => ({ kind: 'ended', result: 'FAILED', message });

describe('what templates read', () => {
  test('is the outputs of ended nodes, the run and its trigger, and a path that is missing is null', async () => {
    const value = {
      out: '{{ .outputs.build.n }}',
      odd: '{{ .outputs["a:b"] }}',
      trigger: '{{ .outputs.trigger.who }}',
      form: '{{ .outputs.form.who }}',
      inputs: '{{ .inputs.who }}',
      workflow: '{{ .workflow.identifier }} {{ .workflow.versionIdentifier }}',
      run: '{{ .workflowRun.identifier }} {{ .run.id }} {{ .workflowNodeRun.identifier }}',
      by: '{{ .workflowRun.trigger.by.id }}',
      missing: '{{ .outputs.none.of.that }}',
      kept: [1, { a: null }],
    };
    const { call, outcome } = await world.carryOut(
      { type: 'TRANSFORM', value },
      { outputs: { build: { n: 7 }, 'a:b': [1] }, trigger: { who: 'me' } },
    );
    expect(outcome).toMatchObject({
      result: 'SUCCESS',
      raw: {
        out: 7,
        odd: [1],
        trigger: 'me',
        form: 'me',
        inputs: 'me',
        workflow: 'deploy wfv_3',
        run: `${call.run.id} ${call.run.id} ${call.nodeRun.id}`,
        by: app.organization.clientId,
        missing: null,
        kept: [1, { a: null }],
      },
    });
  });

  test('a template that fails, fails the node with its place and reason; braces that do not match too', async () => {
    const one = await world.outcomeOf(
      { type: 'TRANSFORM', value: { a: [{ b: 'x {{ .outputs.trigger.n | tonumber }}' }] } },
      { trigger: { n: 'x' } },
    );
    expect(one).toMatchObject(
      failed(expect.stringMatching(/^\{\{ .outputs.trigger.n \| tonumber \}\} at a\.0\.b failed: /)),
    );
    expect((one as { raw: unknown }).raw).toEqual({ error: { message: (one as { message: string }).message } });
    expect(await world.outcomeOf({ type: 'TRANSFORM', value: 'x {{ .a' })).toMatchObject(failed(expect.any(String)));
  });

  test.each([
    ['an endless loop', '[range(1e12)] | length'],
    ['an endless text', '"x" * 1000000000'],
    ['endless recursion', 'def f: f | f; f'],
    ['a regular expression without end', '("a" * 40 + "!") | test("^(a+)+$(?=x)")'],
  ])('%s is stopped, and fails the node', async (_name, expression) => {
    const begun = performance.now();
    expect(await world.outcomeOf({ type: 'TRANSFORM', expression })).toMatchObject({ result: 'FAILED' });
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  test('many slow templates together are stopped too', async () => {
    const value = Array.from({ length: 500 }, () => '{{ [range(300000)] | length }}');
    const begun = performance.now();
    expect(await world.outcomeOf({ type: 'TRANSFORM', value })).toMatchObject({ result: 'FAILED' });
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});

describe('a condition', () => {
  const outlets = (...expressions: string[]) =>
    expressions.map((expression, at) => ({ identifier: `o${at}`, title: '', expression }));

  test('takes the first outlet that is true, in order, and nothing else for true', async () => {
    const config = {
      type: 'CONDITION',
      outlets: outlets('"true"', '1', 'false', '.outputs.trigger.n > 1', 'true'),
    } as const;
    expect(await world.outcomeOf(config, { trigger: { n: 2 } })).toMatchObject({ result: 'SUCCESS', outlet: 'o3' });
    expect(await world.outcomeOf(config, { trigger: { n: 1 } })).toMatchObject({ outlet: 'o4' });
  });

  test('without one takes the way of none, which is no error', async () => {
    const outcome = await world.outcomeOf({ type: 'CONDITION', outlets: outlets('empty', 'null') });
    expect(outcome).toMatchObject({ result: 'SUCCESS', outlet: null });
  });

  test('that fails, fails its node, whatever stands behind it, and never goes on', async () => {
    const config = { type: 'CONDITION', outlets: outlets('.a | error("no")', 'true'), onFailure: 'continue' } as const;
    const outcome = await world.outcomeOf(config);
    expect(outcome).toMatchObject(failed('The condition "o0" failed: no'));
    expect(outcome).not.toHaveProperty('goesOn');
  });

  test('shows the label of its outlet: a template, a JSON text, or itself', async () => {
    const labelled = (text: string) =>
      world.outcomeOf(
        {
          type: 'CONDITION',
          outlets: [
            {
              identifier: 'a',
              expression: '{{ true }}',
              statusLabel: { text, variant: 'alert' },
              workflowStatusLabel: { text },
            },
          ],
        },
        { trigger: { n: 2 } },
      );
    for (const [text, shown] of [
      ['"Blocked"', 'Blocked'],
      ['Blocked', 'Blocked'],
      ['n={{ .outputs.trigger.n }}', 'n=2'],
      ['{{ .outputs.trigger.n }}', '2'],
    ] as const) {
      expect(await labelled(text)).toMatchObject({
        statusLabel: { text: shown, variant: 'alert' },
        workflowStatusLabel: { text: shown },
      });
    }
  });
});

describe('a delay', () => {
  const dueAt = async (config: object) => {
    const outcome = await world.outcomeOf({ type: 'DELAY', ...config }, { trigger: { n: 5 } });
    return outcome.kind === 'waits' ? outcome.dueAt.getTime() - app.clock.now().getTime() : outcome;
  };

  test('waits for seconds, also from a template, and until a moment', async () => {
    expect(await dueAt({ seconds: 60 })).toBe(60_000);
    expect(await dueAt({ seconds: '{{ .outputs.trigger.n * 2 }}' })).toBe(10_000);
    const later = new Date(app.clock.now().getTime() + 1_000).toISOString();
    expect(await dueAt({ until: later })).toBe(1_000);
    expect(await dueAt({ until: '2000-01-01T00:00:00Z' })).toBe(0);
  });

  test.each([
    [{ seconds: '{{ .none }}' }],
    [{ seconds: -1 }],
    [{ seconds: 1e300 }],
    [{ until: 'soon' }],
    [{ until: '{{ 1e300 }}' }],
    [{}],
  ])('fails for what is no time it may wait: %j', async (config) => {
    expect(await dueAt(config)).toMatchObject({ result: 'FAILED' });
  });
});

test('a stop ends the run as it says, with its label', async () => {
  const config = { type: 'STOP', result: 'FAILED', statusLabel: { text: 'Frozen' } } as const;
  expect(await world.outcomeOf(config)).toMatchObject({
    result: 'SUCCESS',
    endsRun: 'FAILED',
    statusLabel: { text: 'Frozen' },
    workflowStatusLabel: { text: 'Frozen' },
  });
});

test('kinds that are kept for others fail with what to use instead', async () => {
  expect(await world.outcomeOf({ type: 'CURSOR_AGENT' })).toMatchObject(failed(expect.stringContaining('WEBHOOK')));
});

describe('an entity is written', () => {
  const upsert = (blueprint: string, mapping: object, options = {}) =>
    world.outcomeOf({ type: 'UPSERT_ENTITY', blueprintIdentifier: blueprint, mapping }, options);
  const blueprintWith = () =>
    createBlueprint(app.request, 'thing', { schema: { properties: { note: { type: 'string' } }, required: [] } });

  test('and its output names it; without an identifier one is made', async () => {
    const blueprint = await blueprintWith();
    const first = await upsert(
      blueprint,
      { identifier: '{{ .outputs.trigger.id }}', properties: { note: 'a' } },
      { trigger: { id: 'x1' } },
    );
    expect(first).toMatchObject({
      result: 'SUCCESS',
      raw: { response: { data: { identifier: 'x1', blueprint, created: true } } },
      input: { blueprintIdentifier: blueprint, mapping: { identifier: 'x1' } },
    });
    expect(await upsert(blueprint, { identifier: 'x1', title: 'T' })).toMatchObject({
      raw: { response: { data: { created: false } } },
    });
    expect(await readEntity(app.request, blueprint, 'x1')).toMatchObject({ title: 'T', properties: { note: 'a' } });
    const made = (await upsert(blueprint, { properties: { note: 'b' } })) as unknown as {
      raw: { response: { data: { identifier: string } } };
    };
    const { identifier } = made.raw.response.data;
    expect(await readEntity(app.request, blueprint, identifier)).toMatchObject({ properties: { note: 'b' } });
  });

  test('not if its identifier comes to nothing, which would make one with every run', async () => {
    const blueprint = await blueprintWith();
    const before = await app.count('entities', app.organization.id);
    expect(await upsert(blueprint, { identifier: '{{ .outputs.trigger.id }}' })).toMatchObject(
      failed('The identifier came to nothing'),
    );
    expect(await app.count('entities', app.organization.id)).toBe(before);
  });

  test('together with the end of its node, or not at all', async () => {
    const blueprint = await blueprintWith();
    class MovedOn extends Error {}
    const settle = async () => {
      throw new MovedOn();
    };
    const journal = await app.organization.journal();
    await expect(upsert(blueprint, { identifier: 'late' }, { settle })).rejects.toBeInstanceOf(MovedOn);
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/late`)).status).toBe(404);
    expect(await app.organization.journal()).toEqual(journal);
    await createEntity(app.request, blueprint, { identifier: 'there' });
    const remove = { type: 'DELETE_ENTITY', blueprintIdentifier: blueprint, identifier: 'there' } as const;
    await expect(world.outcomeOf(remove, { settle })).rejects.toBeInstanceOf(MovedOn);
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/there`)).status).toBe(200);
    expect(await world.outcomeOf(remove)).toMatchObject({ raw: { response: { data: { deleted: true } } } });
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/there`)).status).toBe(404);
  });

  test('of the platform only where the blueprint is named, not by a template', async () => {
    const trigger = { b: '_team', id: unique('crew') };
    const options = { trigger };
    expect(await upsert('{{ .outputs.trigger.b }}', { identifier: trigger.id }, options)).toMatchObject(
      failed(expect.stringContaining('belongs to the platform')),
    );
    const remove = { type: 'DELETE_ENTITY', blueprintIdentifier: '{{ .outputs.trigger.b }}', identifier: 'x' } as const;
    expect(await world.outcomeOf(remove, options)).toMatchObject(
      failed(expect.stringContaining('belongs to the platform')),
    );
    expect(await upsert('_team', { identifier: trigger.id })).toMatchObject({ result: 'SUCCESS' });
  });

  test('with no more rights than are left of whoever saved it', async () => {
    const blueprint = await blueprintWith();
    for (const actor of [{ roles: [] }, { roles: ['Admin'], scopes: ['read:entities'] }]) {
      expect(await upsert(blueprint, { identifier: 'x' }, { actor })).toMatchObject({ result: 'FAILED' });
    }
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/x`)).status).toBe(404);
  });

  test('without secrets and encrypted inputs, since others read it', async () => {
    const blueprint = await blueprintWith();
    const secretName = unique('token');
    await world.secret(secretName, 'canary-in-an-entity');
    const form = { properties: { pin: { type: 'string', encryption: 'aes256-gcm' }, who: { type: 'string' } } };
    const others = [{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' as const, userInputs: form } }];
    const note = `{{ .secrets["${secretName}"] }} {{ .outputs.trigger.pin }} {{ .outputs.form.pin }} {{ .inputs.pin }} {{ .outputs.trigger.who }}`;
    const outcome = await upsert(
      blueprint,
      { identifier: 'safe', properties: { note } },
      {
        trigger: { pin: 'sealed-canary', who: 'me' },
        run: { triggerNode: 'sealed' },
        others: others.map((each) => ({ ...each, identifier: 'sealed' })),
      },
    );
    expect(outcome).toMatchObject({ result: 'SUCCESS' });
    const entity = await readEntity(app.request, blueprint, 'safe');
    expect(entity).toMatchObject({ properties: { note: 'null ****** null ****** me' } });
    const stored = JSON.stringify([outcome, entity]);
    expect(stored).not.toContain('canary');
  });

  test('goes on in spite of a failure if it says so', async () => {
    const config = { type: 'UPSERT_ENTITY', blueprintIdentifier: 'nowhere', mapping: { identifier: 'x' } } as const;
    expect(await world.outcomeOf(config)).not.toHaveProperty('goesOn');
    expect(await world.outcomeOf({ ...config, onFailure: 'continue' })).toMatchObject({
      result: 'FAILED',
      goesOn: true,
    });
  });
});

describe('the output of a node', () => {
  const shape = (node: object, raw: unknown) =>
    shapeOutput(world.deps, world.callOf({ type: 'TRANSFORM' }, { node, outputs: { a: 1 } }), raw);

  test('is what its variables make of it; links are addresses of the web', async () => {
    const variables = { status: '{{ .result.response.status }}', data: '{{ .response.data }}', a: '{{ .outputs.a }}' };
    const links = ['https://ci.example/{{ .result.response.status }}', 'javascript:alert(1)', '{{ .none }}'];
    expect(await shape({ variables, links }, { response: { status: 200, data: [1] } })).toEqual({
      raw: { response: { status: 200, data: [1] } },
      output: { status: 200, data: [1], a: 1 },
      links: ['https://ci.example/200'],
    });
    expect(await shape({}, { x: 1 })).toEqual({ raw: { x: 1 }, output: null, links: [] });
  });

  test('that is too large fails the node; variables that shrink it help', async () => {
    const raw = { big: 'x'.repeat(262_144), small: 1 };
    expect(await shape({}, raw)).toEqual({ problem: expect.stringMatching(/262144 are kept.*"variables"/) });
    expect(await shape({ variables: { s: '{{ .result.small }}' } }, raw)).toEqual({
      raw: null,
      output: { s: 1 },
      links: [],
    });
    expect(await shape({ variables: { s: '{{ .result.small | error("no") }}' } }, raw)).toEqual({
      problem: expect.stringContaining('at variables.s failed'),
    });
  });
});
