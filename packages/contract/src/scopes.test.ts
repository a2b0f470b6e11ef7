import { describe, expect, test } from 'vitest';
import { operations } from './operations.ts';
import { narrowScopes, requiredScope, scopeList, scopes, scopesCover } from './scopes.ts';

const asks = (id: string) => {
  const operation = operations.find((each) => each.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return requiredScope(operation);
};

test.each([
  ['listBlueprints', 'read:blueprints'],
  ['createBlueprint', 'create:blueprints'],
  ['patchBlueprintPermissions', 'update:blueprints'],
  ['renameProperty', 'update:blueprints'],
  ['getSystemBlueprintStructure', 'read:blueprints'],
  ['createEntity', 'create:entities'],
  ['deleteAllEntities', 'delete:entities'],
  ['countEntities', 'read:entities'],
  ['searchEntities', 'read:entities'],
  ['replaceScorecards', 'update:scorecards'],
  ['listAllScorecards', 'read:scorecards'],
  ['replaceCampaign', 'update:scorecards'],
  ['createExemptions', 'update:scorecards'],
  ['deleteExemption', 'update:scorecards'],
  ['listOwnCampaigns', 'read:scorecards'],
  ['invokeAssistant', 'invoke:ai'],
  ['getInvocation', 'read:ai'],
  ['getAiQuota', 'read:ai'],
  ['listAiBudgets', 'read:ai'],
  ['putAiBudget', 'update:organization'],
  ['deleteAiBudget', 'update:organization'],
  ['createMemory', 'create:memory'],
  ['setOwnMemory', 'update:memory'],
  ['deleteMemoriesOfUsers', 'delete:memory'],
  ['createStandingApproval', 'create:ai'],
  ['revokeStandingApproval', 'delete:ai'],
  ['getAuditLog', 'read:audit-log'],
  ['startDataMigration', 'create:migrations'],
  ['createSecret', 'create:secrets'],
  ['getWebhook', 'read:integrations'],
  ['createWebhook', 'create:integrations'],
  ['patchIntegration', 'update:integrations'],
  ['putSyncMetrics', 'update:integrations'],
  ['patchOwnOrganization', 'update:organization'],
  ['getOwnOrganization', null],
  ['rotateAppSecret', 'update:apps'],
  ['deleteApp', 'update:apps'],
  ['rotateCredentials', 'update:users'],
  ['createApiToken', 'create:tokens'],
  ['revokeOrganizationToken', 'delete:tokens'],
])('%s needs %s', (id, scope) => {
  expect(asks(id)).toBe(scope);
});

test('every operation needs a scope that can be written into a token', () => {
  const needed = operations.filter(({ access }) => access === 'token' || access === 'admin').map(requiredScope);
  expect(needed.filter((scope) => scope !== null && !scopes.includes(scope))).toEqual([]);
});

test('the scopes are these and no others', () => {
  const verbs = ['read', 'create', 'update', 'delete'];
  const resources =
    'actions ai apps audit-log blueprints entities integrations llm-providers mcp-servers memory migrations ' +
    'organization pages runs scorecards secrets teams tokens users webhooks';
  const expected = resources.split(' ').flatMap((resource) => verbs.map((verb) => `${verb}:${resource}`));
  expect(scopes).toEqual([...expected, 'execute:actions', 'invoke:ai']);
});

test('a list of scopes is sorted, has each once, and holds nothing that is no scope', () => {
  expect(scopeList.parse(['read:teams', '*', 'read:*', 'read:teams'])).toEqual(['*', 'read:*', 'read:teams']);
  for (const text of ['read:nothing', 'execute:*', 'read', '']) expect(scopeList.safeParse([text]).success).toBe(false);
  expect(scopeList.safeParse([]).success).toBe(false);
});

describe('scopesCover', () => {
  test.each([
    [undefined, 'delete:entities', true],
    [['*'], 'delete:entities', true],
    [['delete:*'], 'delete:entities', true],
    [['delete:entities'], 'delete:entities', true],
    [['delete:teams'], 'delete:entities', false],
    [['read:*'], 'delete:entities', false],
    [[], 'read:entities', false],
    [['read:entities'], 'read:*', false],
    [['read:*'], '*', false],
  ])('%j on %s: %s', (granted, needed, expected) => {
    expect(scopesCover(granted, needed)).toBe(expected);
  });
});

describe('narrowScopes', () => {
  test.each([
    [undefined, undefined, undefined],
    [undefined, ['read:*'], ['read:*']],
    [['read:*'], ['read:entities', 'update:entities'], ['read:entities']],
    [['*'], ['read:*'], ['read:*']],
    [['read:entities'], ['update:entities'], []],
  ])('%j and %j: %j', (one, other, expected) => {
    expect(narrowScopes(one, other)).toEqual(expected);
    expect(narrowScopes(other, one)).toEqual(expected);
  });
});
