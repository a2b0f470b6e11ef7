import { expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const policy = { injection: 'enforce', observedUntil: null, risks: {}, trustedSources: [] };
const empty: Record<string, Handler> = {
  'GET /v1/ai/policy': () => json({ ok: true, policy }),
  'GET /v1/mcp/servers': () => json({ ok: true, servers: [] }),
  'GET /v1/integration': () => json({ ok: true, integrations: [] }),
  'GET /v1/webhooks': () => json({ ok: true, integrations: [] }),
  'GET /v1/sources': () => json({ ok: true, sources: [] }),
  'GET /v1/ai/standing-approvals': () => json({ ok: true, approvals: [], givable: [] }),
  'GET /v1/actions/runs': () => json({ ok: true, runs: [] }),
};
const tool = (offeredAs: string, more: object = {}) => ({ offeredAs, state: 'approved', readOnly: true, ...more });
const full: Record<string, Handler> = {
  'GET /v1/mcp/servers': () =>
    json({ ok: true, servers: [{ identifier: 'tracker', enabled: true, tools: { offered: 4 } }] }),
  'GET /v1/mcp/servers/tracker/tools': () =>
    json({
      ok: true,
      tools: [
        tool('mcp_tracker__find'),
        tool('mcp_tracker__all'),
        tool('mcp_tracker__close', { readOnly: false }),
        tool('mcp_tracker__new', { state: 'new' }),
        tool('mcp_tracker__none'),
      ],
    }),
  'GET /v1/integration': () => json({ ok: true, integrations: [{ installationId: 'jira' }] }),
  'GET /v1/webhooks': () => json({ ok: true, integrations: [{ identifier: 'alerts' }] }),
  'GET /v1/sources': () => json({ ok: true, sources: [{ identifier: 'repos' }] }),
  'GET /v1/ai/policy': () =>
    json({
      ok: true,
      policy: {
        injection: 'observe',
        observedUntil: '2030-01-31T00:00:00.000Z',
        risks: { mcp_tracker__all: 'open', mcp_tracker__none: 'never' },
        trustedSources: [{ kind: 'webhook', identifier: 'alerts' }],
      },
    }),
};

async function doctor(script: Record<string, Handler>, given: readonly string[] = []) {
  const { fetch } = scriptedFetch({ ...empty, ...script });
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['doctor', '--assistant', ...given], context);
  return { code, out: out(), err: err() };
}

test('where nothing can come in or go out, all is well', async () => {
  expect(await doctor({})).toMatchObject({
    code: 0,
    out: `ok  policy    enforced: such calls wait for a person
ok  servers   no connected server has reading tools
ok  sources   none is untrusted
ok  standing  no agent has a standing approval
ok  runs      0 began at once, each by a rule that allows it
`,
  });
});

test('what is only observed, what reads elsewhere and what is not trusted is named', async () => {
  expect((await doctor(full)).out).toBe(
    `!   policy    only observed until 2030-01-31T00:00:00.000Z: text of others can lead to actions
!   servers   reading tools send their arguments away: mcp_tracker__find, mcp_tracker__all (takes anything)
!   sources   their text holds calls up: integration jira, source repos; trusted: webhook alerts
ok  standing  no agent has a standing approval
ok  runs      0 began at once, each by a rule that allows it
`,
  );
});

test('--json is one document, and a refusal is told as elsewhere', async () => {
  expect(JSON.parse((await doctor(full, ['--json'])).out).findings).toHaveLength(5);
  const refused = await doctor({ 'GET /v1/webhooks': () => refusal(403, 'missing_permissions', 'You may not') });
  expect(refused).toMatchObject({ code: 4, out: '' });
  expect(refused.err).toContain('missing_permissions');
});

const approval = {
  id: 'standing_1',
  agent: 'triage',
  action: 'restart',
  actionTitle: null,
  entity: ['cart'],
  inputs: { why: { const: 'leak' } },
  maxPerHour: 2,
  expiresAt: '2026-12-01T00:00:00.000Z',
  givenBy: 'ana@acme.dev',
  givenAt: '2026-11-01T00:00:00.000Z',
  revokedBy: null,
  revokedAt: null,
  usedInHour: 0,
  used: 1,
  lastUsedAt: null,
  state: 'active',
  mayRevoke: true,
};
const standing = {
  result: 'execute',
  rule: 'standing',
  label: ['outside'],
  risk: 'standard',
  origins: {},
  standing: { id: 'standing_1', givenBy: 'ana@acme.dev' },
};
const ran = {
  id: 'r_1',
  entity: 'cart',
  properties: { why: 'leak' },
  invocation: { identifier: 'i', toolCall: 'c', agent: 'triage' },
  createdAt: '2026-11-15T12:00:00.000Z',
  decision: standing,
};
const calls = (approvals: readonly object[], runs: readonly object[]): Record<string, Handler> => ({
  'GET /v1/ai/standing-approvals': () => json({ ok: true, approvals, givable: [] }),
  'GET /v1/actions/runs': () => json({ ok: true, runs }),
});

test('a run that its standing approval covers is in order, and the approval is named', async () => {
  const { out } = await doctor(calls([approval], [ran, { id: 'r_2' }]));
  expect(out).toContain('!   standing  by themselves, whatever was read: triage runs restart (2 an hour)');
  expect(out).toContain('ok  runs      1 began at once');
});

test.each<[string, object, object, string]>([
  ['another agent', {}, { invocation: { agent: 'other' } }, 'for another agent'],
  ['another entity', {}, { entity: 'billing' }, 'on an entity that'],
  ['another input', {}, { properties: { why: 'eve' } }, 'with another why'],
  ['after its end', { expiresAt: '2026-11-10T00:00:00.000Z' }, {}, 'outside the time'],
  ['after it was revoked', { revokedAt: '2026-11-10T00:00:00.000Z' }, {}, 'was revoked'],
  ['a rule that lets nothing run', {}, { decision: { ...standing, rule: 'read' } }, 'lets nothing run'],
  ['text of anybody', {}, { decision: { ...standing, rule: 'authority' } }, 'text of anybody'],
])('a run that should have waited is named: %s', async (_what, of, more, words) => {
  const { out } = await doctor(calls([{ ...approval, ...of }], [{ ...ran, ...more }]));
  expect(out).toMatch(new RegExp(`! +runs +should have waited for a person: r_1 .*${words}`));
});

test('one run more in an hour than was allowed is named', async () => {
  const at = (minute: string) => `2026-11-15T12:${minute}:00.000Z`;
  const runs = ['00', '20', '40'].map((minute) => ({ ...ran, id: `r_${minute}`, createdAt: at(minute) }));
  expect((await doctor(calls([approval], runs))).out).toMatch(/should have waited for a person: r_40 was one more/);
});
