import { expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const changes = [
  {
    id: 'blueprint:incident',
    kind: 'blueprint',
    blueprint: null,
    identifier: 'incident',
    title: 'Incident',
    change: 'new',
  },
  {
    id: 'property:service/tier',
    kind: 'property',
    blueprint: 'service',
    identifier: 'tier',
    title: 'Tier',
    change: 'renamed',
    renamedTo: 'tier_incidents',
    reason: 'Another property "tier" of "service" is there',
  },
];

async function pack(given: readonly string[], script: Record<string, Handler> = {}) {
  const { fetch, seen } = scriptedFetch(script);
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['pack', ...given], context);
  return { code, out: out(), err: err(), seen: seen.filter(({ call }) => !call.endsWith('/access_token')) };
}

test('list says what there is and what is installed', async () => {
  const one = {
    id: 'incidents',
    version: 1,
    title: 'Incidents',
    summary: 'What broke.',
    icon: 'Alert',
    fedBy: [],
    blueprints: [],
    counts: { scorecards: 0, actions: 0, pages: 1 },
    installed: null,
  };
  const installed = { version: 1, installedAt: '2030-01-02T03:04:05.000Z', installedBy: 'c' };
  const packs = [one, { ...one, id: 'security', title: 'Security', installed }];
  const { out } = await pack(['list'], { 'GET /v1/packs': () => json({ ok: true, packs }) });
  expect(out).toBe(`ID         TITLE      STATE      WHAT IT BRINGS
incidents  Incidents  -          What broke.
security   Security   installed  What broke.
`);
});

test('install sends the resolutions and says what became of every item', async () => {
  const { code, out, seen } = await pack(
    ['install', 'incidents', '--rename', 'property:service/tier', '--skip', 'page:now'],
    {
      'POST /v1/packs/incidents/install': () => json({ ok: true, changes }, 201),
    },
  );
  expect(code).toBe(0);
  expect(seen[0]?.body).toEqual({ resolutions: { 'property:service/tier': 'rename', 'page:now': 'skip' } });
  expect(out).toBe(`CHANGE   ITEM                                     WHY
new      blueprint:incident
renamed  property:service/tier -> tier_incidents  Another property "tier" of "service" is there
`);
});

test('remove and its plan send what may be deleted', async () => {
  const script = {
    'POST /v1/packs/incidents/plan': () => json({ ok: true, changes: [] }),
    'POST /v1/packs/incidents/remove': () => json({ ok: true, changes: [] }),
  };
  const options = ['--delete-entities', 'incident=12', '--delete-values'];
  const removal = { deleteEntities: { incident: 12 }, deleteValues: true };
  expect((await pack(['remove', 'incidents', ...options], script)).seen[0]?.body).toEqual(removal);
  const planned = await pack(['plan', 'incidents', '--remove', ...options], script);
  expect(planned.seen[0]?.body).toEqual({ for: 'remove', resolutions: {}, ...removal });
});

test.each([
  [['plan'], 'Name the starter model'],
  [['instal', 'x'], '"pack instal" is not known'],
  [['remove', 'x', '--delete-entities', 'incident'], 'is no blueprint with a number'],
  [['install', 'x', 'y'], 'one word too many'],
])('pack %j sends nothing', async (given, message) => {
  const { code, err, seen } = await pack(given);
  expect([code, seen.length]).toEqual([2, 0]);
  expect(err).toContain(message);
});

test('a refusal is shown as the server says it', async () => {
  const { code, err } = await pack(['install', 'incidents'], {
    'POST /v1/packs/incidents/install': () =>
      refusal(409, 'identifier_taken', 'The starter model "Incidents" is installed'),
  });
  expect(code).not.toBe(0);
  expect(err).toContain('is installed');
});
