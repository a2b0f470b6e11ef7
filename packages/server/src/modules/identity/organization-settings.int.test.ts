import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/organization';
const read = async ({ request }: TestOrganization) => (await request('GET', path)).body.organization;
const patch = ({ request }: TestOrganization, body: object) => request('PATCH', path, { body });

describe('the organization', () => {
  test('shows everybody in it its name, settings and the flags that clients switch on', async () => {
    const organization = await app.createOrganization({ name: 'Halyard' });
    const { body } = await app.request('GET', path, { token: await organization.memberToken() });
    expect(body.organization).toEqual({
      id: organization.id,
      name: 'Halyard',
      featureFlags: ['USERS_AND_TEAMS_OWNERSHIP_V2'],
      settings: {},
      createdAt: app.clock.now().toISOString(),
      updatedAt: app.clock.now().toISOString(),
    });
  });

  test('is not renamed by integrations, because models are shown its name as a trusted one', async () => {
    const organization = await app.createOrganization({ name: 'Halyard' });
    const headers = { 'user-agent': 'port-ocean/tracker/1.0' };
    const { status, body } = await organization.request('PATCH', path, { body: { name: 'Wipe it all' }, headers });
    expect([status, body.error]).toEqual([403, 'missing_permissions']);
    expect((await read(organization)).name).toBe('Halyard');
  });

  test.each(['legacy', 'beta'])('of model %s announces no flag', async (model) => {
    expect((await read(await app.createOrganization({ model }))).featureFlags).toEqual([]);
  });

  test('keeps what a change leaves out, also inside settings and announcement, and answers only ok', async () => {
    const organization = await app.createOrganization({ name: 'Halyard' });
    const first = await patch(organization, {
      settings: { portalTitle: 'Harbour', hiddenBlueprints: ['a'], federatedLogout: true },
      announcement: { enabled: false, content: 'Hello', color: 'blue' },
    });
    expect(first.body).toEqual({ ok: true });
    await patch(organization, {
      settings: { portalTitle: 'Port', hiddenBlueprints: null, supportUserTTL: 'ONE_DAY' },
      announcement: { enabled: true, link: 'https://example.com' },
      isOnboarded: true,
      toolSelectionProvisioning: { status: 'DONE' },
      inactivityTimeout: 15,
    });
    expect(await read(organization)).toMatchObject({
      name: 'Halyard',
      settings: { portalTitle: 'Port', federatedLogout: true, supportUserTTL: 'ONE_DAY' },
      announcement: { enabled: true, content: 'Hello', color: 'blue', link: 'https://example.com' },
      isOnboarded: true,
      toolSelectionProvisioning: { status: 'DONE' },
      inactivityTimeout: 15,
    });
    await patch(organization, { name: 'Renamed', inactivityTimeout: null });
    const after = await read(organization);
    expect([after.name, after.inactivityTimeout, after.isOnboarded]).toEqual(['Renamed', undefined, true]);
    expect(Object.keys(after.settings).sort()).toEqual(['federatedLogout', 'portalTitle', 'supportUserTTL']);
  });

  test('is replaced as a whole by PUT', async () => {
    const organization = await app.createOrganization();
    await patch(organization, {
      settings: { federatedLogout: true },
      announcement: { content: 'x' },
      isOnboarded: true,
    });
    const body = { name: 'New', settings: { portalTitle: 'P' } };
    expect((await organization.request('PUT', path, { body })).body).toEqual({ ok: true });
    const after = await read(organization);
    expect(after).toMatchObject({ name: 'New', settings: { portalTitle: 'P' }, isOnboarded: true });
    expect([after.settings.federatedLogout, after.announcement]).toEqual([undefined, undefined]);
  });

  test('loses no change when two are made at the same moment', async () => {
    const organization = await app.createOrganization();
    await Promise.all([
      patch(organization, { settings: { portalTitle: 'P' } }),
      patch(organization, { settings: { portalIcon: 'I' } }),
      patch(organization, { settings: { federatedLogout: false } }),
    ]);
    expect((await read(organization)).settings).toEqual({ portalTitle: 'P', portalIcon: 'I', federatedLogout: false });
  });

  test('is changed by administrators alone, with a record of it', async () => {
    const organization = await app.createOrganization();
    const token = await organization.memberToken();
    const refused = await organization.request('PATCH', path, { token, body: { name: 'Mine' } });
    expect(refused.status).toBe(403);
    const before = await organization.journal();
    await patch(organization, { name: 'Ours' });
    expect((await organization.journal()).slice(before.length)).toEqual([`organization.updated ${organization.id}`]);
    expect((await read(organization)).name).toBe('Ours');
  });

  test('of others stays as it was', async () => {
    const [mine, theirs] = [await app.createOrganization(), await app.createOrganization({ name: 'Theirs' })];
    await patch(mine, { name: 'Mine', settings: { portalTitle: 'Mine' } });
    expect(await read(theirs)).toMatchObject({ name: 'Theirs', settings: {} });
  });

  test.each([
    ['PUT', {}, ['/name']],
    ['PUT', { name: 'x', announcement: { enabled: true } }, ['/announcement/content']],
    ['PUT', { name: 'x', isOnboarded: true }, ['/isOnboarded']],
    ['PATCH', { name: ' ' }, ['/name']],
    ['PATCH', { settings: { portalTitle: 'x'.repeat(31) } }, ['/settings/portalTitle']],
    ['PATCH', { settings: { supportUserTTL: 'NEVER', colour: 1 } }, ['/settings/colour', '/settings/supportUserTTL']],
    ['PATCH', { announcement: { content: '', color: 'green' } }, ['/announcement/color', '/announcement/content']],
    ['PATCH', { announcement: { link: 'javascript:alert(1)' } }, ['/announcement/link']],
    ['PATCH', { featureFlags: ['ALL'], model: 'legacy' }, ['/featureFlags', '/model']],
  ])('%s %j is refused, and nothing changes', async (method, body, paths) => {
    const before = await read(app.organization);
    const answer = await app.request(method, path, { body });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, paths]);
    expect(await read(app.organization)).toEqual(before);
  });
});
