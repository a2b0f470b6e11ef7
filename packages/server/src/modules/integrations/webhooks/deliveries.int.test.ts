import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createWebhooks, type Webhooks, webhookPath } from '../../../../test/webhook-fixtures.ts';

let app: TestApp;
let blueprint: string;
let create: Webhooks['create'];
let send: Webhooks['send'];
let deliveries: Webhooks['deliveries'];
let deliver: Webhooks['deliver'];
let mapping: Webhooks['mapping'];
beforeAll(async () => {
  app = await createTestApp();
  ({ blueprint, create, send, deliveries, deliver, mapping } = await createWebhooks(app));
});
afterAll(() => app.close());

describe('deliveries', () => {
  test('are mapped once more by the mappings of now', async () => {
    const hook = await create({ mappings: [mapping({ filter: 'false' })] });
    const id = unique('again');
    const first = await deliver(hook, { id, title: 'T' });
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/${id}`)).status).toBe(404);
    await app.request('PATCH', webhookPath(hook.identifier), { body: { mappings: [mapping()] } });
    const replay = await app.request('POST', webhookPath(hook.identifier, `/deliveries/${first.id}/replay`));
    expect([replay.status, replay.body.delivery]).toMatchObject([202, { state: 'waiting', replayOf: first.id }]);
    await app.app.jobs.drain();
    expect((await readEntity(app.request, blueprint, id)).title).toBe('T');
    expect((await app.organization.journal()).at(-2)).toBe(`webhook.replayed ${hook.identifier}`);
  });

  test('are kept to the last two hundred of each kind, and none that waits is lost', async () => {
    const hook = await create({ security: { secret: 'x' }, mappings: [] });
    for (let count = 0; count < 240; count += 1) await send(hook, {});
    expect((await deliveries(hook, '?limit=200')).length).toBe(200);
    await app.request('PATCH', webhookPath(hook.identifier), { body: { security: {} } });
    for (let count = 0; count < 240; count += 1) await send(hook, {});
    const { id: orgId } = app.organization;
    const waiting = await app.database.first(sql`
      select count(*)::int as count from webhook_deliveries d
      join webhooks w on w.org_id = d.org_id and w.key = d.webhook_key
      where d.org_id = ${orgId} and w.identifier = ${hook.identifier} and d.state = 'waiting'`);
    expect(waiting).toEqual({ count: 240 });
    await app.app.jobs.drain();
    const states = (await deliveries(hook, '?limit=200&state=waiting')).length;
    expect(states).toBe(0);
  });

  test('that a process left in the middle are taken up when their lease is over, in order', async () => {
    const hook = await create({ mappings: [mapping()] });
    const id = unique('left');
    for (const size of [1, 2, 3]) await send(hook, { id, size });
    const { id: orgId } = app.organization;
    await app.database.transaction(async (tx) => {
      const until = new Date(app.clock.now().getTime() + 60_000);
      await tx.execute(sql`
        update webhook_deliveries set state = 'running', leased_until = ${until} where org_id = ${orgId} and key = (
          select min(d.key) from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.key = d.webhook_key
          where d.org_id = ${orgId} and w.identifier = ${hook.identifier})`);
    });
    await app.app.jobs.drain();
    // the others wait for the first, whose lease has not expired
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities/${id}`)).status).toBe(404);
    app.clock.advance(120_000);
    await app.app.jobs.drain();
    expect((await readEntity(app.request, blueprint, id)).properties['size']).toBe(3);
    expect((await deliveries(hook)).map((each: { state: string }) => each.state)).toEqual(Array(3).fill('processed'));
  });

  test('that are written together tell each for itself, and what each of them did is audited', async () => {
    const hook = await create({ mappings: [mapping({}, { relations: { service: '.body.service' } })] });
    const ids = Array.from({ length: 30 }, () => unique('together'));
    const sent: string[] = [];
    for (const [at, id] of ids.entries()) {
      const body = { id, title: `T${at}`, size: at === 7 ? 'no number' : at, service: `${id}-service` };
      sent.push((await send(hook, body)).body.deliveryId);
    }
    // the third event again: it is mapped after all others
    sent.push((await send(hook, { id: ids[2], title: 'Again', size: 99 })).body.deliveryId);
    await app.app.jobs.drain();
    const seen = await Promise.all(
      sent.map(
        async (id) => (await app.request('GET', webhookPath(hook.identifier, `/deliveries/${id}`))).body.delivery,
      ),
    );
    expect(seen.map(({ state }) => state)).toEqual(sent.map((_, at) => (at === 7 ? 'failed' : 'processed')));
    expect(seen[7].results).toMatchObject([{ verdict: 'failed', failed: 1, issues: [{ entity: ids[7] }] }]);
    expect(seen[0].results).toMatchObject([{ verdict: 'applied', created: 1, updated: 0 }]);
    expect(seen[30].results).toMatchObject([{ verdict: 'applied', created: 0, updated: 1 }]);
    expect((await readEntity(app.request, blueprint, ids[2] as string)).properties['size']).toBe(99);
    const auditsOf = async (delivery: string | undefined) =>
      (await app.request('GET', `/v1/audit-log?webhookEventId=${delivery}`)).body.audits
        .map(({ context }: { context: { entity: string } }) => context.entity)
        .sort();
    expect(await auditsOf(sent[5])).toEqual([ids[5], `${ids[5]}-service`]);
    expect(await auditsOf(sent[30])).toEqual([ids[2]]);
  });
});
