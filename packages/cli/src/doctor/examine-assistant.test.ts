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
    out: `ok  policy   enforced: such calls wait for a person
ok  servers  no connected server has reading tools
ok  sources  none is untrusted
`,
  });
});

test('what is only observed, what reads elsewhere and what is not trusted is named', async () => {
  expect((await doctor(full)).out).toBe(
    `!  policy   only observed until 2030-01-31T00:00:00.000Z: text of others can lead to actions
!  servers  reading tools send their arguments away: mcp_tracker__find, mcp_tracker__all (takes anything)
!  sources  their text holds calls up: integration jira, source repos; trusted: webhook alerts
`,
  );
});

test('--json is one document, and a refusal is told as elsewhere', async () => {
  expect(JSON.parse((await doctor(full, ['--json'])).out).findings).toHaveLength(3);
  const refused = await doctor({ 'GET /v1/webhooks': () => refusal(403, 'missing_permissions', 'You may not') });
  expect(refused).toMatchObject({ code: 4, out: '' });
  expect(refused.err).toContain('missing_permissions');
});
