import { describe, expect, test } from 'vitest';
import { hostCases } from '../../../../../test/git/hosts/host-cases.ts';
import { but, fillWorld, full, named, opener, refuse, signal } from '../../../../../test/git/hosts/open-host.ts';
import { commitTo } from '../../../../../test/git/hosts/world.ts';
import { walk } from '../../../../../test/git/walk.ts';

describe.each(hostCases.map((host) => [host.type.type, host] as const))('%s', (_type, host) => {
  test('a push to the default branch reads its repository; other branches and other owners say nothing', async () => {
    const world = fillWorld(host, 2);
    const one = named(world, 0);
    const before = one.commits[0]?.sha ?? '';
    commitTo(one, '2026-11-22T10:00:00.000Z', { 'port.yml': null });
    const reader = opener(host, host.fetch(world))();
    const page = await reader.readEvent?.(host.push(one, 'main', before), signal);
    expect(page?.items.map(({ key }) => key)).toContain(host.keyOf(one));
    expect(page?.gone).toEqual([{ key: `${host.keyOf(one)}:port.yml#${one.name}@service` }]);
    // an event must not take away what the list tells
    const listed = (await walk(opener(host, host.fetch(world)), full)).items.get(host.keyOf(one));
    expect(page?.items.find(({ kind }) => kind === 'repository')?.document).toEqual(listed?.document);
    expect(await reader.readEvent?.(host.push(one, 'feature/x', before), signal)).toBeUndefined();
    const other = opener(host, host.fetch(world), { owners: ['acm'] })();
    expect(await other.readEvent?.(host.push(one, 'main', before), signal)).toBeUndefined();
  });

  test.each([
    ['cannot be read', 'identifier: [\n'],
    ['is too large', `# ${'x'.repeat(1024 * 1024)}`],
  ])('what a port.yml declared is not gone when it %s after a push', async (_why, text) => {
    const world = fillWorld(host, 1);
    const one = named(world, 0);
    const before = one.commits[0]?.sha ?? '';
    commitTo(one, '2026-11-22T10:00:00.000Z', { 'port.yml': text, 'deep/er/port.yml': null });
    const page = await opener(host, host.fetch(world))().readEvent?.(host.push(one, 'main', before), signal);
    expect(page?.gone).toEqual([{ key: `${host.keyOf(one)}:deep/er/port.yml#${one.name}-deep@service` }]);
  });

  test('a repository reads no more of its neighbours than it may ask for', async () => {
    const world = fillWorld(host, 1);
    const one = named(world, 0);
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`n/${at}.txt`, String(at)]));
    const properties = Object.keys(files).map((path, at) => `  p${at}: file://${path}\n  q${at}: file://${path}\n`);
    const text = `identifier: a\nblueprint: service\nproperties:\n${properties.join('')}`;
    commitTo(one, '2026-11-22T10:00:00.000Z', { ...files, 'port.yml': text });
    const { items } = await walk(opener(host, host.fetch(world)), full);
    const entity = items.get(`${host.keyOf(one)}:port.yml#a@service`)?.document['entity'] as { properties: object };
    // 100 files, twice each; one host stops listing before
    expect(Object.keys(entity.properties).length).toBeLessThanOrEqual(200);
    expect(Object.keys(entity.properties).length).toBeGreaterThan(150);
  });

  test('a repository of folders without end has items for the first of them', async () => {
    const world = fillWorld(host, 1);
    const one = named(world, 0);
    commitTo(one, '2026-11-22T10:00:00.000Z', { [`${'d/'.repeat(40)}f`]: '' });
    const { items } = await walk(opener(host, host.fetch(world), { folders: ['d/**'] }), full);
    const depths = [...items.keys()].flatMap((key) => (/:d\//.test(key) ? [key.split('/d').length] : []));
    expect(Math.max(0, ...depths)).toBeLessThanOrEqual(20);
  });

  test('an event of a repository that may not be read is no evidence', async () => {
    const world = fillWorld(host, 1);
    const one = named(world, 0);
    const delivery = host.push(one, 'main', one.commits[0]?.sha ?? '');
    const fetch = but(host.fetch(world), (url) => refuse(host, url, 404));
    const page = await opener(host, fetch)().readEvent?.(delivery, signal);
    expect([page?.items ?? [], page?.gone ?? []]).toEqual([[], []]);
  });

  test('only what the host proves is an event', () => {
    const bytes = Buffer.from('{"a":1}');
    const verify = (headers: Readonly<Record<string, string>>, secret = 'hush'): boolean =>
      host.type.verifyEvent?.(headers, bytes, secret) ?? false;
    const proof = host.prove(bytes, 'hush');
    expect(verify(proof)).toBe(true);
    expect(verify(host.prove(bytes, 'other'))).toBe(false);
    expect(verify({})).toBe(false);
    expect(verify(proof, '')).toBe(false);
    expect(verify(host.prove(bytes, ''), '')).toBe(false);
    for (const [name, value] of Object.entries(proof)) {
      for (const wrong of [value.slice(0, -4), value.slice(1), `${value}00`, '']) {
        expect(verify({ ...proof, [name]: wrong })).toBe(false);
      }
    }
  });

  test('a webhook is registered once, with its secret, and refused with the next step', async () => {
    const world = fillWorld(host, 1);
    const reader = opener(host, host.fetch(world))();
    const address = 'https://portolan.test/v1/source-events/src_1';
    expect(await reader.registerHook?.(address, 'hush', signal)).toBe(true);
    // one host has a hook for each kind of event
    const { size } = world.hooks;
    expect(await reader.registerHook?.(address, 'hush-2', signal)).toBe(true);
    expect(world.hooks.size).toBe(size);
    for (const hook of world.hooks.values()) expect(JSON.stringify(hook)).toMatch(/hush-2/);
    expect(JSON.stringify([...world.hooks.values()])).toContain(address);
    world.mayMakeHooks = false;
    const refused = opener(host, host.fetch(world))().registerHook?.(address, 'hush', signal);
    await expect(refused).rejects.toMatchObject({ code: 'hook_refused', fix: expect.any(String) });
  });
});
