import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startServer } from './processes.ts';
import { runPublicScript } from './public-report-script.ts';
import { openOrganization, type SeededOrganization, seedLegacyOrganization } from './seed-teams.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const migration = '/v1/blueprints/system/users-and-teams-as-blueprints';
const report = ({ clientId, clientSecret }: SeededOrganization) =>
  runPublicScript(server.address, clientId, clientSecret);

async function migrate({ call }: SeededOrganization): Promise<void> {
  await call('POST', migration);
  for (let round = 0; round < 200; round += 1) {
    if ((await call('GET', migration))['status'] === 'COMPLETED') return;
    await delay(100);
  }
  throw new Error('The migration does not end');
}

test('reads a legacy organization, all entities of a blueprint in one answer, and the same organization once it is migrated', async () => {
  const seeded = await seedLegacyOrganization(server);
  const many = 1_200;
  for (let first = 0; first < many; first += 20) {
    const entities = Array.from({ length: 20 }, (_, n) => ({ identifier: `s-${first + n}`, team: ['SRE'] }));
    await seeded.call('POST', '/v1/blueprints/service/entities/bulk', { entities });
  }
  const before = await report(seeded);
  expect(before.withTeams['service']).toBe(many + 1);
  expect([before.direct, before.inherited]).toEqual([[], ['deployment']]);
  await migrate(seeded);
  const after = await report(seeded);
  expect(after).toMatchObject({ organization: before.organization, direct: [], inherited: [] });
  expect(after.withTeams).toMatchObject({ service: many + 1, _user: 0 });
  expect(after.permissionPaths).toEqual(before.permissionPaths);
}, 240_000);

test('reads an organization of the beta, and it once it is migrated', async () => {
  const seeded = await openOrganization(server, 'Beta', 'beta');
  const { call } = seeded;
  await call('POST', '/v1/teams', { name: 'SRE' });
  const toTeam = { target: '_team', many: true, required: false };
  const blueprint = (identifier: string, parts: object) =>
    call('POST', '/v1/blueprints', { identifier, title: identifier, schema: { properties: {} }, ...parts });
  await blueprint('ledger', { relations: { owners: toTeam }, teamInheritance: { path: 'owners' } });
  const book = { target: 'ledger', many: false, required: false };
  await blueprint('entry', { relations: { book }, teamInheritance: { path: 'book' } });
  await call('POST', '/v1/blueprints/ledger/entities', { identifier: 'l', relations: { owners: ['sre'] } });
  const before = await report(seeded);
  expect(before.direct.toSorted()).toEqual(['_user', 'ledger']);
  expect(before.inherited).toEqual(['entry']);
  await migrate(seeded);
  const after = await report(seeded);
  expect([after.direct, after.inherited]).toEqual([[], []]);
  expect(after.withTeams).toMatchObject({ ledger: 1, entry: 0 });
}, 120_000);
