import type { JsonObject, OrganizationDocuments, OrganizationModel } from '../src/index.ts';

export const teams = [
  { identifier: 'payments_core', title: 'Payments Core' },
  { identifier: 'sre', title: 'SRE' },
  { identifier: 'growth_ads', title: 'Growth & Ads' },
  { identifier: 'pay', title: 'Pay' },
];

export function blueprint(identifier: string, parts: JsonObject = {}): JsonObject {
  return {
    identifier,
    title: identifier,
    schema: { properties: {} },
    relations: {},
    calculationProperties: {},
    mirrorProperties: {},
    aggregationProperties: {},
    ...parts,
  };
}

const toTeam = (many: boolean): JsonObject => ({ target: '_team', many, required: false });

/** `ledger` loses the relation `owners`, `desk` the single `lead`, `_user` the relation `teams`. */
export function organization(
  model: OrganizationModel,
  parts: Partial<OrganizationDocuments> = {},
): OrganizationDocuments {
  const own = model === 'beta';
  const inherits = (path: string): JsonObject => (own ? { teamInheritance: { path } } : {});
  return {
    model,
    teams: model === 'legacy' ? teams.map(({ title }) => ({ title })) : teams,
    blueprints: [
      ...(model === 'legacy'
        ? []
        : [
            blueprint('_user', own ? { relations: { teams: toTeam(true) }, ...inherits('teams') } : {}),
            blueprint('_team'),
          ]),
      blueprint('ledger', {
        schema: {
          properties: { tier: { type: 'string' }, squad: { type: 'string', format: 'team' }, kind: { type: 'string' } },
        },
        relations: {
          ...(own ? { owners: toTeam(true) } : {}),
          ...(model === 'legacy' ? {} : { advised: toTeam(true) }),
          system: { target: 'system', many: false, required: false },
        },
        ...inherits('owners'),
      }),
      blueprint('desk', { relations: own ? { lead: toTeam(false) } : {}, ...inherits('lead') }),
      blueprint('system', { relations: { teams: { target: 'squad', many: true, required: false } } }),
      blueprint('squad', { schema: { properties: { owners: { type: 'string' } } } }),
    ].map((each) => ({ blueprint: each, permissions: null })),
    actions: [],
    integrations: [],
    webhooks: [],
    pages: [],
    scorecards: [],
    agents: [],
    ...parts,
  };
}
