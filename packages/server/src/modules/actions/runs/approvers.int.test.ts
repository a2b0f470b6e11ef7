import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity } from '../../../../test/catalog-fixtures.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Grant } from '../../rights/index.ts';
import type { StoredAction } from '../action.ts';
import { approversNow, haveAllApproved } from './approvers.ts';
import { decideRun, isDecider } from './decide-run.ts';
import type { StoredRun } from './run.ts';
import { findRequester, listApprovers, listNamedApprovers, maySeeRun } from './run-rights.ts';

const [ada, bea, cleo, dan, gone] = ['ada', 'bea', 'cleo', 'dan', 'gone'].map((name) => `${name}@example.com`) as [
  string,
  string,
  string,
  string,
  string,
];

let app: TestApp;
let orgId: string;
beforeAll(async () => {
  app = await createTestApp();
  orgId = app.organization.id;
  await createEntity(app.request, '_team', { identifier: 'crew' });
  for (const [identifier, port_role, status] of [
    [ada, 'Admin', 'Active'],
    [bea, 'Admin', 'Active'],
    [cleo, 'Member', 'Active'],
    [dan, 'Member', 'Active'],
    [gone, 'Member', 'Disabled'],
  ] as const) {
    await createEntity(app.request, '_user', { identifier, properties: { status, port_role } });
  }
});
afterAll(() => app.close());

/** An action with only the fields that are read here. */
function buildAction(approve: Grant | undefined, definition: object = {}): StoredAction {
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  return {
    identifier: 'deploy',
    rights: approve ? { approve } : {},
    definition: { trigger, invocationMethod: { type: 'WEBHOOK', url: 'https://example.com' }, ...definition },
  } as unknown as StoredAction;
}

describe('the approvers of a run', () => {
  const now = (approve: Grant | undefined, answered?: readonly string[], requesters: readonly string[] = []) =>
    approversNow(app.database, orgId, buildAction(approve), answered, new Set(requesters));

  test.each<[string, Grant | undefined, string[] | undefined, string[], string[], boolean]>([
    ['are those whom lists name', { users: [cleo, dan] }, undefined, [], [cleo, dan], false],
    ['are administrators unless lists say otherwise', undefined, undefined, [], [ada, bea], false],
    ['are none who is gone or disabled', { users: [cleo, gone, 'nobody@example.com'] }, undefined, [], [cleo], false],
    ['are none who asked', { users: [cleo, dan] }, undefined, [cleo], [dan], false],
    ['are those whom the policy answered, whatever lists say', { users: [cleo] }, [dan, gone], [], [dan], false],
    ['are administrators where none is left', { users: [gone] }, undefined, [], [ada, bea], true],
    ['are administrators where only who asked is left', { users: [cleo] }, undefined, [cleo], [ada, bea], true],
    ['are administrators where the policy answered nobody', { users: [cleo] }, [], [], [ada, bea], true],
    ['are other administrators than who asked', { users: [] }, undefined, [ada], [bea], true],
    ['may be nobody', { users: [cleo] }, undefined, [ada, bea, cleo], [], true],
  ])('%s', async (_what, approve, answered, requesters, users, areAdministrators) => {
    expect(await now(approve, answered, requesters)).toEqual({ users, areAdministrators });
  });

  test.each<[string, string[], boolean, string[], boolean]>([
    ['each of them has to approve', [cleo, dan], false, [cleo], false],
    ['all of them have', [cleo, dan], false, [dan, cleo], true],
    ['others do not count', [cleo], false, [dan], false],
    ['one administrator is enough', [ada, bea], true, [bea], true],
    ['but it takes one', [ada, bea], true, [cleo], false],
    ['nobody is no administrator', [], true, [cleo], false],
  ])('%s', (_what, users, areAdministrators, approved, expected) => {
    expect(haveAllApproved({ users, areAdministrators }, new Set(approved))).toBe(expected);
  });

  test('are told by e-mail if lists name them', async () => {
    const deps = { database: app.database } as Parameters<typeof listNamedApprovers>[0];
    const actor = { orgId } as Actor;
    expect(await listNamedApprovers(deps, actor, buildAction({ users: [cleo] }))).toEqual([cleo]);
    const policy = { queries: {}, conditions: ['true'] } as unknown as NonNullable<Grant['policy']>;
    expect(await listNamedApprovers(deps, actor, buildAction({ users: [cleo], policy }))).toEqual([]);
    const subject = { action: buildAction({ users: [dan, gone] }), entity: undefined, inputs: {} };
    expect(await listApprovers(deps, actor, subject)).toEqual([dan]);
  });
});

/** A run with only the fields that are read here. */
function buildRun(change: Partial<StoredRun> = {}): StoredRun {
  return {
    id: 'r_1',
    actionKey: 1,
    action: buildAction(undefined),
    invocation: null,
    depth: 0,
    createdBy: cleo,
    createdByKind: 'person',
    source: 'API',
    ...change,
  } as unknown as StoredRun;
}

const someone = {
  orgId: '',
  kind: 'person',
  roles: ['Member'],
  teamKeys: [],
  id: dan,
  userId: dan,
} as unknown as Actor;

describe('whoever decides', () => {
  test.each<[Actor['origin'], Actor['kind'], boolean]>([
    ['API', 'person', true],
    ['UI', 'person', true],
    ['API', 'machine', true],
    ['API', 'system', false],
    ['MCP', 'person', false],
    ['AI', 'person', false],
    ['AUTOMATION', 'machine', false],
  ])('over %s, being a %s: %s', async (origin, kind, expected) => {
    const actor = { ...someone, orgId, origin, kind };
    expect(isDecider(actor)).toBe(expected);
    const deps = { database: app.database } as Parameters<typeof decideRun>[0];
    // only those who may decide learn that the run does not exist
    await expect(decideRun(deps, actor, 'r_nothing', { status: 'APPROVE' })).rejects.toMatchObject({
      code: expected ? 'not_found' : 'missing_permissions',
    });
  });
});

describe('who sees a run', () => {
  const kept = { allowAnyoneToViewRuns: false };
  const automatic = { trigger: { type: 'automation' } };
  const admin = { ...someone, roles: ['Admin'] };
  test.each<[string, Actor, StoredAction | undefined, StoredAction, boolean]>([
    ['everybody sees it', someone, buildAction(undefined), buildAction(undefined, kept), true],
    ['unless the action keeps it', someone, buildAction(undefined, kept), buildAction(undefined), false],
    ['also once the action is gone', someone, undefined, buildAction(undefined, kept), false],
    ['everybody once the action is gone that kept none', someone, undefined, buildAction(undefined), true],
    ['nobody that of an automation', someone, buildAction(undefined, automatic), buildAction(undefined), false],
    ['who asked for it', { ...someone, id: cleo }, buildAction(undefined, kept), buildAction(undefined), true],
    ['administrators', admin, buildAction(undefined, kept), buildAction(undefined, kept), true],
    ['who approves it', someone, buildAction({ users: [dan] }, kept), buildAction(undefined), true],
    ['not who approves others', someone, buildAction({ users: [cleo] }, kept), buildAction(undefined), false],
  ])('%s', (_what, actor, action, snapshot, expected) => {
    expect(maySeeRun(actor, buildRun({ action: snapshot as never }), action)).toBe(expected);
  });
});

describe('whoever asked for a run', () => {
  const of = (change: Partial<StoredRun>) => findRequester({ database: app.database }, orgId, buildRun(change));

  test('is a person or a program as they stand now', async () => {
    expect(await of({})).toMatchObject({ id: cleo, kind: 'person', roles: ['Member'] });
    expect(await of({ createdBy: gone })).toBeUndefined();
    const { clientId } = app.organization;
    expect(await of({ createdBy: clientId, createdByKind: 'machine' })).toMatchObject({
      id: clientId,
      roles: ['Admin'],
    });
    expect(await of({ createdBy: cleo, depth: 1 })).toMatchObject({ id: cleo });
  });

  test('is nobody where another run began it that is gone', async () => {
    const { clientId } = app.organization;
    expect(await of({ createdBy: clientId, createdByKind: 'machine', depth: 1 })).toBeUndefined();
  });

  test('through an assistant is who asked that, and the platform for itself', async () => {
    const invocation = { id: 'i_1', call: 'c_1' };
    expect(await of({ invocation })).toMatchObject({ id: cleo, kind: 'person' });
    expect(await of({ invocation, createdBy: gone })).toBeUndefined();
    expect(await of({ invocation, createdBy: 'portolan', createdByKind: 'system' })).toMatchObject({
      id: 'portolan',
      roles: ['Admin'],
    });
    const { clientId } = app.organization;
    const asProgram = { invocation, createdBy: clientId, createdByKind: 'machine', depth: 1 } as const;
    expect(await of(asProgram)).toMatchObject({ id: clientId });
  });
});
