import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'workflow-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const document = {
  zeta: 1,
  identifier: 'deploy',
  nodes: [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    { identifier: 'call', config: { type: 'WEBHOOK', url: 'https://example.com' } },
  ],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'call' }],
};
const stamp = {
  createdAt: '2030-01-02T03:04:05.000Z',
  createdBy: 'c',
  updatedAt: '2030-01-02T03:04:05.000Z',
  updatedBy: 'c',
};
const stored = (version = 3, more: object = {}) => ({
  ...document,
  ...more,
  id: 'wf_1',
  version,
  versionIdentifier: 'wfv_1',
  ...stamp,
});
const get = 'GET /v1/workflows/deploy';
const absent = () => refusal(404, 'not_found', 'Workflow with identifier "deploy" was not found');

function file(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function workflow(given: readonly string[], script: Record<string, Handler> = {}) {
  const { fetch, seen } = scriptedFetch(script);
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['workflow', ...given], context);
  return { code, out: out(), err: err(), seen: seen.filter(({ call }) => !call.endsWith('/access_token')) };
}

test('pull prints the workflow as its author wrote it, key by key', async () => {
  const { code, out } = await workflow(['pull', 'deploy'], { [get]: () => json({ ok: true, workflow: stored() }) });
  expect([code, out]).toEqual([0, `${JSON.stringify(document, null, 2)}\n`]);
});

test('diff says what would change, and exits with 2 only if something would', async () => {
  const same = await workflow(['diff', file(document)], { [get]: () => json({ ok: true, workflow: stored() }) });
  expect([same.code, same.out]).toEqual([0, 'They are the same.\n']);
  const [form] = document.nodes;
  const other = {
    ...document,
    title: 'New',
    nodes: [
      { ...form, title: 'Form' },
      { identifier: 'late', config: { type: 'STOP' } },
    ],
  };
  const changed = await workflow(['diff', file(other)], { [get]: () => json({ ok: true, workflow: stored() }) });
  expect([changed.code, changed.out]).toEqual([2, '~ node form\n+ node late\n- node call\n~ title\n']);
  const made = await workflow(['diff', file(document)], { [get]: absent });
  expect([made.code, made.out]).toEqual([2, '+ workflow deploy\n']);
  const moved = await workflow(['diff', file({ ...document, nodes: document.nodes.toReversed() })], {
    [get]: () => json({ ok: true, workflow: stored() }),
  });
  expect([moved.code, moved.out]).toEqual([2, '~ order of nodes\n']);
});

test('apply creates what is not there, saves what is, and says whether that changed anything', async () => {
  const created = await workflow(['apply', file(document), '--note', 'first'], {
    [get]: absent,
    'POST /v1/workflows': () => json({ ok: true, workflow: stored(1), warnings: [] }),
  });
  expect([created.code, created.out]).toEqual([0, '"deploy" was saved as version 1.\n']);
  expect(created.seen.at(-1)?.body).toEqual(document);
  const again = await workflow(['apply', file(stored(3))], {
    [get]: () => json({ ok: true, workflow: stored(3) }),
    'PUT /v1/workflows/deploy': () =>
      json({
        ok: true,
        workflow: stored(3),
        warnings: [{ path: '/nodes/1', code: 'unreachable_node', message: 'alone' }],
      }),
  });
  expect(again.out).toBe(
    '"deploy" is as it was, at version 3.\nPLACE     RULE              WHAT\n/nodes/1  unreachable_node  alone\n',
  );
});

test('validate lists every fault with its place and fails', async () => {
  const issues = [{ path: '/nodes', code: 'no_trigger', message: 'must hold a trigger' }];
  const { code, out } = await workflow(['validate', file(document)], {
    'POST /v1/workflows/validate': () => json({ ok: true, isValid: false, issues, warnings: [] }),
  });
  expect([code, out]).toEqual([1, 'PLACE   RULE        WHAT\n/nodes  no_trigger  must hold a trigger\n']);
});

const planned = {
  runIdentifier: 'wfr_1',
  version: 3,
  currentVersion: 3,
  fromNodeIdentifier: 'call',
  startsAt: 'call',
  problem: null,
  mayRerun: true,
  acknowledge: ['call'],
  choices: ['ask', 'call'],
  steps: [
    ['ask', 'INPUT', 'reused', 'none'],
    ['call', 'WEBHOOK', 'again', 'outside'],
  ].map(([nodeIdentifier, type, becomes, effect]) => ({
    nodeIdentifier,
    type,
    becomes,
    effect,
    title: null,
    reason: null,
    nodeRunIdentifier: null,
    result: null,
    needsAcknowledgement: becomes === 'again',
  })),
};

test('rerun says what it would do, and then what has to be acknowledged', async () => {
  const { code, out } = await workflow(['rerun', 'wfr_1', '--from', 'call', '--plan'], {
    'GET /v1/workflows/runs/wfr_1/rerun-plan': () => json({ ok: true, plan: planned }),
  });
  expect(code).toBe(0);
  expect(out).toContain('It begins at "call".');
  expect(out).toContain('--acknowledge call');
});

test('pause names the workflow, its trigger and the reason', async () => {
  const state = { workflowIdentifier: 'deploy', nodeIdentifier: 'form', type: 'SELF_SERVE_TRIGGER', published: true };
  const paused = { scope: 'trigger', reason: 'moving', since: stamp.createdAt, by: 'c' };
  const { code, out, seen } = await workflow(['pause', 'deploy', '--node', 'form', '--reason', 'moving'], {
    'POST /v1/workflows/deploy/pause': () => json({ ok: true, triggers: [{ ...state, paused, nextRunAt: null }] }),
  });
  expect([code, seen.at(-1)?.body]).toEqual([0, { reason: 'moving', nodeIdentifier: 'form' }]);
  expect(out).toContain('paused: moving');
  const resumed = await workflow(['resume'], {
    'POST /v1/workflows/resume': () =>
      json({ ok: true, triggers: [{ ...state, paused: null, nextRunAt: stamp.createdAt }], paused: null }),
  });
  expect(resumed.out).toContain('active');
});

test.each<[string, readonly string[], RegExp]>([
  ['no run to run again', ['rerun'], /Which run/],
  ['a trigger of no workflow', ['pause', '--node', 'form'], /Which workflow/],
  ['a verb that is not known', ['push', 'x'], /"workflow push" is not known/],
  ['no file', ['apply'], /Name the file/],
  ['a file that is not there', ['apply', 'none.json'], /"none.json" cannot be read as JSON/],
  ['a file that is no JSON', ['diff', file('{')], /cannot be read as JSON/],
  ['a file that is no workflow', ['validate', file([])], /is no workflow/],
  ['an input without a value', ['run', 'deploy', '--input', 'size'], /is no name with a value/],
  ['a word too many', ['list', 'x', 'y'], /"y" is one word too many/],
])('%s is a wrong call, and nothing is sent', async (_name, given, message) => {
  const { code, err, seen } = await workflow(given);
  expect([code, seen]).toEqual([2, []]);
  expect(err).toMatch(message);
});
