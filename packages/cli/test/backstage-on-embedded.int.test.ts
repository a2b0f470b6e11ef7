import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { run } from '../src/run.ts';
import { startBackstage } from './fake-backstage.ts';
import { onlyOn } from './only-on.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { openOrganization, type SeededOrganization } from './seed-teams.ts';
import { createTestContext } from './test-context.ts';

const files: Readonly<Record<string, string>> = {
  'catalog-info.yaml': `apiVersion: backstage.io/v1alpha1
kind: Location
metadata: {name: shop}
spec: {targets: [./org.yaml, ./missing.yaml]}
---
apiVersion: backstage.io/v1alpha1
kind: System
metadata: {name: checkout}
spec: {owner: payments}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: cart
  tags: [typescript]
  example: {unknown: [1, 2]}
spec:
  type: service
  lifecycle: production
  owner: payments
  system: checkout
  providesApis: [orders]
  dependsOn: [resource:db, component:nowhere]
---
apiVersion: backstage.io/v1alpha1
kind: API
metadata: {name: orders}
spec: {type: openapi, lifecycle: production, owner: payments, definition: {$text: ./orders.yaml}}
---
apiVersion: backstage.io/v1alpha1
kind: Resource
metadata: {name: db, namespace: data}
spec: {type: database, owner: user:ada, dependencyOf: [component:default/cart]}
---
apiVersion: backstage.io/v1alpha1
kind: Resource
metadata: {name: db}
spec: {type: cache, owner: group:default/payments, dependsOn: [component:cart]}
`,
  'org.yaml': `apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: leads}
spec: {type: department, children: [payments]}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: payments}
spec: {type: team, profile: {displayName: Payments}, children: [], members: [ada]}
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: ada}
spec: {profile: {displayName: Ada, email: ada@example.com}, memberOf: [leads]}
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: grace}
spec: {memberOf: [payments]}
`,
  'orders.yaml': 'openapi: 3.0.0\ninfo: {title: Orders, version: "1"}\npaths: {}\n',
  'broken/catalog-info.yaml': 'apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: 12\n',
};

onlyOn('embedded', 'the command line sees the API alone, whatever stores the catalog', () => {
  let server: ServerProcess;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-backstage-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function called(given: readonly string[], owner?: SeededOrganization) {
    const environment = {
      PORTOLAN_URL: server.address,
      PORTOLAN_CLIENT_ID: owner?.clientId,
      PORTOLAN_CLIENT_SECRET: owner?.clientSecret,
    };
    const { context, out, err } = createTestContext({ fetch, environment, workingDirectory: folder });
    return { code: await run(given, context), out: out(), err: err() };
  }

  const open = () => openOrganization(server, 'From Backstage', 'blueprints');
  /** An organization that has the folder. */
  const imported = async () => {
    const organization = await open();
    const { out } = await called(['import', 'backstage', '.', '--apply', '--json'], organization);
    return { organization, out };
  };

  test('the plan says what becomes of each document, and writes nothing', async () => {
    const organization = await open();
    const { code, out } = await called(['import', 'backstage', '.'], organization);
    expect(code).toBe(5);
    expect(out).toContain('Nothing was written. Write it with --apply.');
    expect(out).toMatch(/component +1 +0 +0\n/);
    expect(out).toContain('error: broken/catalog-info.yaml:4:9: metadata.name must be text; put it in quotes.');
    expect(out).toContain('(component:default/cart): component:default/nowhere does not exist');
    expect(out).toContain('./missing.yaml names no file here.');
    const { blueprints } = await organization.call('GET', '/v1/blueprints');
    expect((blueprints as { identifier: string }[]).map(({ identifier }) => identifier)).not.toContain('component');
  });

  test('it is written, with owners and relations in both directions', async () => {
    const { organization, out } = await imported();
    const report = JSON.parse(out) as { applied: object; problems: { severity: string; message: string }[] };
    expect(report.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      'metadata.name must be text; put it in quotes.',
    ]);
    expect(report.applied).toEqual({ created: 10, updated: 0 });
    const { entity } = await organization.call('GET', '/v1/blueprints/component/entities/cart');
    expect(entity).toMatchObject({
      team: ['payments'],
      properties: { language: 'typescript', unresolvedReferences: ['component:default/nowhere'] },
      relations: { system: 'checkout', providesApis: ['orders'], dependsOnResources: ['db', 'data/db'] },
    });
    const { entity: user } = await organization.call('GET', '/v1/blueprints/_user/entities/ada@example.com');
    expect(user).toMatchObject({ title: 'Ada', team: ['leads', 'payments'], properties: { status: 'Staged' } });
  });

  test('a second import finds everything as it is', async () => {
    const { organization } = await imported();
    const { out } = await called(['import', 'backstage', '.', '--json'], organization);
    const { entities, blueprints } = JSON.parse(out) as {
      entities: { item: string; change: string; fields?: string[] }[];
      blueprints: { create: string[]; update: string[] };
    };
    expect(entities.filter(({ change }) => change !== 'unchanged')).toEqual([]);
    expect(blueprints).toMatchObject({ create: [], update: [] });
  });

  const documentsOf = (text: string) =>
    parseAllDocuments(text)
      .map((document) => document.toJSON() as { kind: string; metadata: { name: string; namespace?: string } })
      .toSorted((a, b) => JSON.stringify([a.kind, a.metadata]).localeCompare(JSON.stringify([b.kind, b.metadata])));

  test('the export gives the documents back as they were, and what changed here with them', async () => {
    const { organization } = await imported();
    const { out } = await called(['export', '--format', 'backstage'], organization);
    const written = documentsOf(`${files['catalog-info.yaml']}---\n${files['org.yaml']}`);
    expect(documentsOf(out)).toEqual(written);
    await organization.call('PATCH', '/v1/blueprints/component/entities/cart', {
      properties: { lifecycle: 'deprecated' },
      team: ['leads'],
    });
    const changed = await called(['export', '--format', 'backstage', '--blueprint', 'component'], organization);
    expect(documentsOf(changed.out)).toMatchObject([
      { spec: { lifecycle: 'deprecated', owner: 'leads', type: 'service' } },
    ]);
    const { code } = await called(['export', '--format', 'backstage', '--out', 'back'], organization);
    expect([code, readdirSync(join(folder, 'back/component/default'))]).toEqual([0, ['cart.yaml']]);
    rmSync(join(folder, 'back'), { recursive: true });
  });

  test('a Git repository is cloned, read and removed', async () => {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' });
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'catalog');
    execFileSync('git', ['clone', '--quiet', '--bare', folder, `${folder}.git`], { stdio: 'pipe' });
    const owner = await openOrganization(server, 'From Git', 'blueprints');
    const { out } = await called(['import', 'backstage', `file://${folder}.git`, '--json'], owner);
    rmSync(`${folder}.git`, { recursive: true });
    expect((JSON.parse(out) as { entities: object[] }).entities).toHaveLength(10);
    const missing = await called(['import', 'backstage', `file://${folder}.git`], owner);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('cannot be cloned') });
  });

  test('a running Backstage is read page by page; without its token, the answer says what to paste', async () => {
    const backstage = await startBackstage(
      [
        entity('Group', 'payments', { type: 'team', children: [] }, []),
        entity('Component', 'cart', { type: 'service' }, [
          'ownedBy group:default/payments',
          'dependsOn resource:default/db',
        ]),
        entity('Resource', 'db', { type: 'database' }, ['ownedBy user:default/ada']),
        entity('User', 'ada', { profile: { email: 'ada@example.com' } }, ['memberOf group:default/payments']),
        {
          ...entity('System', 'left', {}, []),
          metadata: { name: 'left', annotations: { 'backstage.io/orphan': 'true' } },
        },
      ],
      'let-me-in',
    );
    try {
      const owner = await openOrganization(server, 'From a running Backstage', 'blueprints');
      const refused = await called(['import', 'backstage', backstage.address], owner);
      expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('externalAccess:') });
      const words = ['import', 'backstage', backstage.address, '--backstage-token', 'let-me-in', '--json'];
      const { code, out } = await called([...words, '--apply'], owner);
      expect([code, JSON.parse(out)]).toMatchObject([0, { applied: { created: 4, updated: 0 }, problems: [] }]);
      expect(backstage.asked.filter((path) => path.endsWith('by-query'))).toHaveLength(1 + 3);
      const { entity: db } = await owner.call('GET', '/v1/blueprints/resource/entities/db');
      expect(db).toMatchObject({ relations: { ownerUser: 'ada@example.com' }, properties: { kind: 'Resource' } });
      const exported = documentsOf(
        (await called(['export', '--format', 'backstage', '--blueprint', 'component'], owner)).out,
      );
      expect(exported).toEqual([
        {
          apiVersion: 'backstage.io/v1alpha1',
          kind: 'Component',
          metadata: { name: 'cart' },
          spec: { type: 'service' },
        },
      ]);
    } finally {
      await backstage.stop();
    }
  });

  function entity(kind: string, name: string, spec: object, relations: readonly string[]) {
    return {
      apiVersion: 'backstage.io/v1alpha1',
      kind,
      metadata: { name, uid: `uid-${name}`, etag: `etag-${name}` },
      spec,
      relations: relations.map((relation) => {
        const [type, targetRef] = relation.split(' ');
        return { type, targetRef };
      }),
    };
  }

  test('what is no folder, repository or Backstage is said', async () => {
    expect(await called(['import', 'backstage', './nowhere'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no folder ./nowhere.'),
    });
    expect((await called(['import', 'backstage'])).code).toBe(2);
    expect(readFileSync(join(folder, 'org.yaml'), 'utf8')).toBe(files['org.yaml']);
  });
});
