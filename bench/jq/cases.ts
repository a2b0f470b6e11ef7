import type { JqValue } from '../../packages/jq/src/index.ts';

/** An entity as the catalog evaluates calculations on it. */
export const entity: JqValue = {
  identifier: 'checkout',
  title: 'Checkout',
  team: ['payments', 'core'],
  blueprint: 'service',
  properties: {
    tier: 'gold',
    language: 'TypeScript',
    replicas: 4,
    url: 'https://example.com/x',
    tags: ['a', 'b', 'c'],
  },
  relations: { domain: 'shop', owners: ['ada', 'grace'] },
};

/** Small expressions of the kinds the platform stores by the thousand. */
export const expressions: readonly string[] = [
  '.properties.tier == "gold"',
  '.team | join(", ")',
  '{id: .identifier, title: (.title // "none")}',
  '[.properties.tags[] | select(. != "b")]',
  '.properties | to_entries | map(select(.value | type == "string")) | length',
  '"\\(.identifier)-\\(.properties.replicas)"',
  '.team | index("core") != null',
  'if .properties.replicas > 2 then "scaled" else "single" end',
  '.properties.url | test("^https://")',
  'first(.team[] | select(startswith("c")))',
];
