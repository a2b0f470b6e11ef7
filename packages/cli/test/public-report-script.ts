import { request } from 'node:http';

type Answer = Record<string, unknown>;

/** Sends as the client of the public script does behind HTTPS_PROXY: plain HTTP, with the target in absolute form. */
function send(
  address: string,
  method: string,
  target: string,
  token: string | undefined,
  body?: unknown,
): Promise<Answer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path: `https://api.getport.io${target}`,
        headers: {
          host: 'api.getport.io',
          accept: 'application/json, text/plain, */*',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (incoming.statusCode !== 200) reject(new Error(`${method} ${target} ${incoming.statusCode} ${text}`));
          else resolve(JSON.parse(text) as Answer);
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface ScriptFindings {
  readonly organization: string;
  readonly expiresAt: number;
  readonly requests: number;
  /** How many entities have teams, of each blueprint that inherits none. */
  readonly withTeams: Readonly<Record<string, number>>;
  /** Blueprints that inherit over relations which end at `_team`, and those that inherit otherwise. */
  readonly direct: readonly string[];
  readonly inherited: readonly string[];
  readonly permissionPaths: readonly string[];
  readonly integrationTypes: readonly string[];
}

/**
 * The requests of the public users-and-teams report script, in its order, strictly one after the other, reading of the
 * answers what it reads and as unguarded as it does (users-and-teams §3.3).
 */
export async function runPublicScript(
  address: string,
  clientId: string,
  clientSecret: string,
): Promise<ScriptFindings> {
  let requests = 0;
  let token: string | undefined;
  const call = async (method: string, target: string, body?: unknown): Promise<Answer> => {
    requests += 1;
    return send(address, method, target, token, body);
  };
  const list = (answer: Answer, key: string) => answer[key] as Answer[];
  token = (await call('POST', '/v1/auth/access_token', { clientId, clientSecret }))['accessToken'] as string;
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number };
  const organization = ((await call('GET', '/v1/organization'))['organization'] as Answer)['name'] as string;
  const blueprints = list(await call('GET', '/v1/blueprints'), 'blueprints');
  const withTeams: Record<string, number> = {};
  const targetOf = (name: unknown, relation: string) => {
    const relations = blueprints.find(({ identifier }) => identifier === name)?.['relations'] as
      | Record<string, Answer>
      | undefined;
    return relations?.[relation]?.['target'];
  };
  const endOf = ({ identifier, teamInheritance }: Answer): unknown =>
    ((teamInheritance as Answer)['path'] as string).split('.').reduce<unknown>(targetOf, identifier);
  const inheriting = blueprints.filter(({ teamInheritance }) => teamInheritance !== undefined);
  const isDirect = (blueprint: Answer) => endOf(blueprint) === '_team';
  for (const { identifier, teamInheritance, calculationProperties } of blueprints) {
    for (const { calculation } of Object.values((calculationProperties ?? {}) as Record<string, Answer>))
      (calculation as string).includes('.team');
    if (teamInheritance !== undefined) continue;
    const target =
      '/v1/entities/search?include=identifier&exclude_calculated_properties=true&attach_title_to_relation=false';
    const rules = [
      { property: '$team', operator: 'isNotEmpty' },
      { property: '$blueprint', operator: '=', value: identifier },
    ];
    withTeams[identifier as string] = list(await call('POST', target, { combinator: 'and', rules }), 'entities').length;
  }
  const actions = list(await call('GET', '/v1/actions?version=v2'), 'actions');
  for (const { identifier, trigger, invocationMethod } of actions) {
    JSON.stringify(invocationMethod).includes('.team');
    if ((trigger as Answer)['type'] !== 'self-service') continue;
    const { execute, approve } = (await call('GET', `/v1/actions/${String(identifier)}/permissions`))[
      'permissions'
    ] as {
      execute: { teams: string[]; policy?: unknown };
      approve: { teams: string[]; policy?: unknown };
    };
    if (execute.teams.length + approve.teams.length < 0) throw new Error('never');
  }
  const integrations = list(await call('GET', '/v1/integration'), 'integrations');
  const integrationTypes = integrations.map(({ integrationType }) => (integrationType as string).toLowerCase());
  for (const { mappings } of list(await call('GET', '/v1/webhooks'), 'integrations')) {
    for (const { entity } of mappings as { entity: object }[]) Object.keys(entity);
  }
  for (const { identifier, sidebar, widgets } of list(await call('GET', '/v1/pages?compact=false'), 'pages')) {
    for (const { type } of (widgets ?? []) as Answer[]) (type as string).includes('dashboard');
    if (!sidebar || (identifier as string).startsWith('$')) continue;
    const { permissions } = await call('GET', `/v1/pages/${encodeURIComponent(identifier as string)}/permissions`);
    ((permissions as Answer)['read'] as { teams: string[] }).teams.join();
  }
  const permissionPaths: string[] = [];
  for (const { identifier } of list(await call('GET', '/v1/blueprints'), 'blueprints')) {
    const { permissions } = await call('GET', `/v1/blueprints/${String(identifier)}/permissions`);
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'teams' && Array.isArray(inner) && inner.length > 0)
          permissionPaths.push(`${String(identifier)} ${path}`);
        else if (key !== 'teams') walk(inner, path === '' ? key : `${path}.${key}`);
      }
    };
    walk(permissions, '');
  }
  const named = (some: readonly Answer[]) => some.map(({ identifier }) => String(identifier));
  return {
    organization,
    expiresAt: claims.exp,
    requests,
    withTeams,
    direct: named(inheriting.filter(isDirect)),
    inherited: named(inheriting.filter((blueprint) => !isDirect(blueprint))),
    permissionPaths,
    integrationTypes,
  };
}
