import type { DemoPage, JsonObject } from './types.ts';
import { rule, table } from './widgets.ts';

/** Catalog pages whose first filter is saved; every other blueprint keeps the page it got when it was created. */
export const catalogPages: DemoPage[] = [
  catalogPage('deployment', 'Deployments', 'Rocket', [rule('deployedAt', 'between', { preset: 'last3Months' })]),
  catalogPage('service', 'Services', 'Boxes', [rule('tags', 'containsAny', ['core', 'customer-facing'])]),
  {
    ...catalogPage('vulnerability', 'Vulnerabilities', 'ShieldAlert', [], true),
    read: { users: [], roles: [], teams: ['developer-platform', 'site-reliability'] },
  },
];

function catalogPage(blueprint: string, title: string, icon: string, rules: JsonObject[], locked = false): DemoPage {
  const columns = rules.length === 0 ? {} : { filterSettings: { filterBy: { combinator: 'and', rules } } };
  return {
    page: {
      identifier: blueprint,
      type: 'blueprint-entities',
      title,
      icon,
      blueprint,
      ...(locked ? { locked } : {}),
      widgets: [table(`${blueprint}_table`, title, blueprint, [], { columns, displayMode: 'single' })],
    },
  };
}
