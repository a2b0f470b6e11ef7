import pluralize from 'pluralize';
import type { Reader } from '../../platform/db/database.ts';
import { findBlueprint, type PageListener, type StoredBlueprint } from '../blueprints/index.ts';
import { findOrganization } from '../organizations/index.ts';
import { insertCatalogPage } from './page.store.ts';
import type { PageDefinition, StoredPage } from './page.ts';

/** Author of automatic pages. */
const platform = 'portolan';
const homeIdentifier = '$home';
const entitySuffix = 'Entity';

const homeDefinition: PageDefinition = {
  title: 'Home',
  widgets: [
    {
      id: 'home',
      type: 'dashboard-widget',
      layout: [
        {
          height: 400,
          columns: [
            { id: 'mine', size: 6 },
            { id: 'recent', size: 6 },
          ],
        },
        { height: 400, columns: [{ id: 'actions', size: 12 }] },
      ],
      widgets: [
        { id: 'mine', type: 'my-entities', title: 'My entities' },
        { id: 'recent', type: 'recently-viewed-entities', title: 'Recently viewed' },
        { id: 'actions', type: 'recently-used-actions', title: 'Recently used actions' },
      ],
    },
  ],
};

const entityTabs = [
  { title: 'Overview', widgets: [{ id: 'details', type: 'entity-details' }] },
  { title: 'Related entities', widgets: [{ id: 'related', type: 'table-entities-explorer-by-direction' }] },
  { title: 'Runs', widgets: [{ id: 'runs', type: 'runs-table' }] },
  { title: 'Audit log', widgets: [{ id: 'audit', type: 'table-audit-log', query: {} }] },
];

/** Default home or blueprint page, generated until someone saves their own. */
export async function automaticPage(
  reader: Reader,
  orgId: string,
  identifier: string,
): Promise<StoredPage | undefined> {
  if (identifier === homeIdentifier) {
    const organization = await findOrganization(reader, orgId);
    return organization && builtIn('home', identifier, organization.createdAt, homeDefinition, undefined);
  }
  if (!identifier.endsWith(entitySuffix)) return undefined;
  const blueprint = await findBlueprint(reader, orgId, identifier.slice(0, -entitySuffix.length));
  return blueprint && entityPage(blueprint);
}

function entityPage(blueprint: StoredBlueprint): StoredPage {
  const { title, icon } = blueprint.definition;
  const widgets = [{ id: 'tabs', type: 'grouper', displayMode: 'tabs', groups: entityTabs }];
  const definition = { ...(title ? { title } : {}), ...(icon ? { icon } : {}), widgets };
  return builtIn('entity', `${blueprint.identifier}${entitySuffix}`, blueprint.createdAt, definition, blueprint);
}

function builtIn(
  type: 'home' | 'entity',
  identifier: string,
  at: Date,
  definition: PageDefinition,
  blueprint: StoredBlueprint | undefined,
): StoredPage {
  return {
    identifier,
    type,
    blueprintKey: blueprint?.key ?? null,
    blueprint: blueprint?.identifier ?? null,
    definition,
    owner: null,
    rights: null,
    createdAt: at,
    createdBy: platform,
    updatedAt: at,
    updatedBy: platform,
  };
}

/** Agents, invocations and scorecards have their own screens instead of a catalog page. */
const withoutCatalogPage = new Set(['_ai_agent', '_ai_invocations', '_scorecard', '_rule', '_rule_result']);

/**
 * Creates a catalog page for each new blueprint, named by its plural, as the Terraform provider's tests expect (`box`
 * → `boxes`, `services` → `services`). Does nothing if a page of that name exists.
 */
export function createPageListener(): PageListener {
  return {
    addCatalogPage: async ({ tx, now }, { orgId, key, identifier, definition: { title, icon } }) => {
      if (withoutCatalogPage.has(identifier)) return;
      const dataset = { combinator: 'and', rules: [] };
      await insertCatalogPage(tx, orgId, {
        identifier: toPlural(identifier),
        blueprintKey: key,
        definition: {
          ...(title ? { title: toPlural(title) } : {}),
          ...(icon ? { icon } : {}),
          widgets: [{ id: 'entities', type: 'table-entities-explorer', dataset }],
        },
        createdAt: now,
        createdBy: platform,
      });
    },
  };
}

/** Pluralizes the last word; abbreviations and names ending in a digit get an s. */
function toPlural(name: string): string {
  return /[a-z]$/.test(name) ? pluralize(name) : `${name}s`;
}
