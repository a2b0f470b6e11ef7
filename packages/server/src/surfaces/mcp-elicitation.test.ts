import { describe, expect, test } from 'vitest';
import type { Actor } from '../platform/actor.ts';
import { createElicitation } from './mcp-elicitation.ts';
import { metaKeys } from './mcp-protocol.ts';

const key = Buffer.alloc(32, 1);
const ann: Actor = {
  orgId: 'org_1',
  model: 'blueprints',
  kind: 'person',
  id: 'ann',
  roles: ['Member'],
  teamKeys: [],
  datasource: '',
  origin: 'MCP',
};
const draft = { mode: 'draft' as const, runId: 'r_1', url: 'https://portal.example/runs/r_1', expiresAt: 'tomorrow' };
const outcome = { isError: false as const, content: draft };
const _meta = { [metaKeys.clientCapabilities]: { elicitation: { url: {} } } };
const call = { params: { _meta, arguments: { b: 1, a: [2] } }, tool: 'run_make', actor: ann };

function asked(of = call, elicitation = createElicitation(key)) {
  return JSON.parse(`{${elicitation.ask(outcome, of)}}`) as {
    requestState: string;
    inputRequests: { draft: { params: object } };
  };
}
const repeated = (requestState: unknown, changes: object = {}) => ({
  ...call,
  ...changes,
  params: { ...call.params, requestState },
});

test('a draft is asked about by its page, and the repeated call is known by every replica with the key', () => {
  const { requestState, inputRequests } = asked();
  expect(inputRequests.draft.params).toMatchObject({ mode: 'url', url: draft.url });
  expect(createElicitation(key).recall(repeated(requestState))).toEqual(draft);
  const reordered = { ...call, params: { _meta, arguments: { a: [2], b: 1 }, requestState } };
  expect(createElicitation(key).recall(reordered)).toEqual(draft);
});

test('a client that did not say that it opens addresses is not asked', () => {
  for (const capabilities of [
    undefined,
    {},
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: 'url' },
  ]) {
    const params = { ...call.params, _meta: { [metaKeys.clientCapabilities]: capabilities } };
    expect(createElicitation(key).ask(outcome, { ...call, params })).toBeUndefined();
  }
  const elicitation = createElicitation(key);
  expect(elicitation.ask({ isError: false, content: { mode: 'executed', runId: 'r_1' } }, call)).toBeUndefined();
  expect(elicitation.recall(call)).toBeUndefined();
});

describe('the state of a call is refused', () => {
  test.each([
    ['of another person', { actor: { ...ann, id: 'bob' } }],
    ['of another organization', { actor: { ...ann, orgId: 'org_2' } }],
    ['of another tool', { tool: 'run_other' }],
  ])('%s', (_name, changes) => {
    expect(() => createElicitation(key).recall(repeated(asked().requestState, changes))).toThrow('requestState');
  });

  test('of other arguments, of another key, changed, or of another form', () => {
    const { requestState } = asked();
    const elicitation = createElicitation(key);
    const [payload = '', signature = ''] = requestState.split('.');
    const forged = Buffer.from(JSON.stringify([{ ...draft, url: 'https://evil.example' }, 9e15])).toString('base64url');
    for (const state of [`${forged}.${signature}`, payload, `${payload}.`, '', 7, null, { a: 1 }]) {
      expect(() => elicitation.recall(repeated(state)), String(state)).toThrow('requestState');
    }
    expect(() => createElicitation(Buffer.alloc(32, 2)).recall(repeated(requestState))).toThrow('requestState');
    const params = { ...call.params, arguments: { b: 2, a: [2] }, requestState };
    expect(() => elicitation.recall({ ...call, params })).toThrow('requestState');
  });

  test('after ten minutes', () => {
    let now = 0;
    const elicitation = createElicitation(key, () => now);
    const { requestState } = asked(call, elicitation);
    now = 10 * 60 * 1000;
    expect(elicitation.recall(repeated(requestState))).toEqual(draft);
    now += 1;
    expect(() => elicitation.recall(repeated(requestState))).toThrow('ten minutes');
  });
});
