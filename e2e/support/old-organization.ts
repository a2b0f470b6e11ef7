import type { Product } from './product.ts';

/** An organization from before users and teams were blueprints, filled over the API. */
export interface OldOrganization {
  /** Invites somebody; answers the path at which they set their password. */
  invite(email: string, role: string): Promise<string>;
  plan(): Promise<{ choices: unknown; blockers: unknown[] }>;
  status(): Promise<{ status: string }>;
  entity(blueprint: string, identifier: string): Promise<{ team: string[] }>;
  removeCalculation(): Promise<void>;
  /** Migrates, and waits for the end. */
  migrate(): Promise<void>;
  /** Adds expressions and mappings that name teams by their titles. */
  refer(): Promise<void>;
  /** Writes the calculation `is_sre` of the blueprint `gate` by hand. */
  writeCalculation(calculation: string): Promise<void>;
  calculations(): Promise<Record<string, string>>;
  /** Adds a blueprint that the old model cannot hold. */
  pointAtTeams(): Promise<void>;
  /** Decides before the run, as anybody with a token may. */
  choose(choices: object): Promise<void>;
}

const migration = '/v1/blueprints/system/users-and-teams-as-blueprints';

export async function createOldOrganization(
  product: Product,
  model: 'legacy' | 'beta' = 'legacy',
): Promise<OldOrganization> {
  const asker = (token: string) => async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(product.address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const operator = asker(product.credentials.operatorToken);
  const { credentials } = await operator('POST', '/v1/operator/organizations', { name: `Acme ${model}`, model });
  const { accessToken } = await asker('')('POST', '/v1/auth/access_token', credentials);
  const ask = asker(accessToken);
  await seedOrganization(ask);
  return {
    async invite(email, role) {
      await ask('POST', '/v1/users/invite?notify=false', { invitee: { email, roles: [role] } });
      const { token } = await ask('POST', '/v1/auth/password-links', { email });
      return `/set-password#${token}`;
    },
    plan: async () => (await ask('GET', `${migration}/plan`)).plan,
    status: () => ask('GET', migration),
    entity: async (blueprint, identifier) =>
      (await ask('GET', `/v1/blueprints/${blueprint}/entities/${identifier}`)).entity,
    async removeCalculation() {
      await ask('PATCH', '/v1/blueprints/checkout', { calculationProperties: {} });
      const { blueprint } = await ask('GET', '/v1/blueprints/checkout');
      if (Object.keys(blueprint.calculationProperties).length > 0) {
        await ask('PUT', '/v1/blueprints/checkout', { ...blueprint, calculationProperties: {} });
      }
    },
    async migrate() {
      await ask('POST', migration);
      for (let round = 0; round < 120; round += 1) {
        if ((await ask('GET', migration)).status === 'COMPLETED') return;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      throw new Error('The migration did not end within 30 s');
    },
    async refer() {
      await ask('POST', '/v1/blueprints', {
        ...blueprint('gate'),
        calculationProperties: {
          is_sre: { type: 'boolean', calculation: '.team | contains(["SRE"])' },
          is_core: { type: 'boolean', calculation: '.team | index("Payments Core") != null' },
          owners: { type: 'string', calculation: '.team | join(", ")' },
        },
      });
      await ask('POST', '/v1/blueprints/gate/entities', { identifier: 'north', title: 'North', team: ['SRE'] });
      await ask('POST', '/v1/webhooks', {
        identifier: 'pager',
        title: 'Pager',
        mappings: [{ blueprint: 'gate', entity: { identifier: '.body.id', team: '"SRE"' } }],
      });
    },
    writeCalculation: (calculation) =>
      ask('PATCH', '/v1/blueprints/gate', { calculationProperties: { is_sre: { type: 'boolean', calculation } } }),
    async calculations() {
      const { calculationProperties } = (await ask('GET', '/v1/blueprints/gate')).blueprint;
      const texts = Object.entries(calculationProperties as Record<string, { calculation: string }>);
      return Object.fromEntries(texts.map(([name, { calculation }]) => [name, calculation]));
    },
    async pointAtTeams() {
      await ask('POST', '/v1/blueprints', {
        ...blueprint('squad'),
        relations: { team: { target: '_team', required: false, many: false } },
      });
    },
    choose: (choices) => ask('PUT', `${migration}/overrides`, choices),
  };
}

function blueprint(identifier: string) {
  return { identifier, title: identifier, schema: { properties: {}, required: [] } };
}

type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Teams by title, an inherited team, permissions, and a calculation on `.team`. */
async function seedOrganization(ask: Ask): Promise<void> {
  for (const name of ['Payments Core', 'SRE']) await ask('POST', '/v1/teams', { name, users: [] });
  await ask('POST', '/v1/blueprints', {
    ...blueprint('checkout'),
    calculationProperties: { first_owner: { type: 'string', calculation: '.team[0]' } },
  });
  await ask('POST', '/v1/blueprints', {
    ...blueprint('pod'),
    relations: { of: { target: 'checkout', required: false, many: false } },
    teamInheritance: { path: 'of' },
  });
  const team = ['Payments Core', 'SRE'];
  await ask('POST', '/v1/blueprints/checkout/entities', { identifier: 'cart-api', title: 'Cart API', team });
  await ask('POST', '/v1/blueprints/pod/entities', { identifier: 'p', title: 'P', relations: { of: 'cart-api' } });
  await ask('PATCH', '/v1/blueprints/checkout/permissions', {
    entities: { update: { roles: ['Admin'], users: [], teams: ['SRE'], ownedByTeam: false } },
  });
}
