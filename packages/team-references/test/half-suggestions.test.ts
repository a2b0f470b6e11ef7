import { describe, expect, test } from 'vitest';
import { applyEdits, findManualItems, type Json, type JsonObject, recheck } from '../src/index.ts';
import { organization } from './organization.ts';

const mappedAs = (team: Json): JsonObject => ({
  identifier: 'gh',
  config: {
    resources: [{ kind: 'repo', port: { entity: { mappings: { identifier: '.id', blueprint: '"ledger"', team } } } }],
  },
});

const policyWith = (condition: string): JsonObject => ({
  execute: { policy: { queries: {}, conditions: [condition] } },
});

const deploy: JsonObject = { identifier: 'deploy', trigger: { type: 'self-service', userInputs: { properties: {} } } };

/** What is found of a document before, and what is made of it by its suggestion afterwards. */
function applied(kind: 'integration' | 'policy', value: Json) {
  const parts = (document: JsonObject) =>
    kind === 'integration' ? { integrations: [document] } : { actions: [{ action: deploy, permissions: document }] };
  const before = kind === 'integration' ? mappedAs(value) : policyWith(String(value));
  const item = findManualItems(organization('legacy', parts(before))).find(({ resource }) =>
    ['integration', 'action-permissions'].includes(resource.kind),
  );
  if (!item?.suggestion) throw new Error('Nothing is suggested');
  const after = applyEdits(before, item.suggestion.edits) as JsonObject;
  const settled = (document: JsonObject) => recheck([item], organization('blueprints', parts(document)))[0]?.state;
  return { item, state: settled(after), settled };
}

describe('a suggestion that leaves something to be looked at', () => {
  test.each([
    ['integration', '[.owner, "Pay"]', '[.owner, "pay"]'],
    ['integration', '.owner // "Pay"', '.owner // "pay"'],
    ['integration', 'if .a then .owner else "Pay" end', 'if .a then .owner else "pay" end'],
    ['integration', ['.owner', '"Pay"'], ['.owner', '"pay"']],
    ['policy', '.user.team == [.inputs.owner, "Pay"]', '.user.team == [.inputs.owner, "pay"]'],
  ] as const)('is no whole one, nor done once it is written: %s %j', (kind, value, written) => {
    const { item, state } = applied(kind, value as Json);
    expect(item.suggestion).toMatchObject({ value: written, isPartial: true });
    expect(item.suggestion?.explanation).toMatch(/part of it/);
    expect(state).toBe('broken');
  });

  test('and is settled once somebody has written the rest', () => {
    const { settled } = applied('policy', '.user.team == [.inputs.owner, "Pay"]');
    expect(settled(policyWith('.user.team == [.inputs.owner_id, "pay"]'))).toBe('mentions');
  });
});

test.each([
  ['integration', '["SRE", "Pay"]'],
  ['integration', 'if .a then "SRE" else "Pay" end'],
  ['policy', '.user.team | index("Pay") != null'],
] as const)('a whole suggestion is one, and what is left works: %s %s', (kind, value) => {
  const { item, state } = applied(kind, value);
  expect(item.suggestion?.isPartial).toBeUndefined();
  expect(state).toBe('mentions');
});
