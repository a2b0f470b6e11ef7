import { expect } from 'vitest';
import type { Answer, TestApp } from '../build-test-app.ts';
import { emptyMaps, unique } from '../catalog-fixtures.ts';

const headers = { 'user-agent': 'terraform-provider-port-labs/2.2.0', accept: 'application/json' };

/** Asks as the Terraform provider does: it looks at `ok` of every answer and decodes every body as JSON. */
export function terraformProvider(app: () => TestApp) {
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await app().request(method, path, { body, headers });
    expect(String(answer.headers['content-type'])).toContain('application/json');
    expect(answer.body.ok).toBe(answer.status < 400);
    return answer;
  }

  /** The body of an answer that must be a success. */
  async function done(method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await send(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }

  /** A blueprint as the provider sends the least of it. */
  async function bare(stem: string, more: object = {}): Promise<string> {
    const identifier = unique(stem);
    await done('POST', '/v1/blueprints', { ...emptyMaps, identifier, title: 'T', schema: { properties: {} }, ...more });
    return identifier;
  }

  return { send, done, bare };
}

/** What the provider reads of every resource without looking whether it is there. */
export const meta = ['createdAt', 'createdBy', 'updatedAt', 'updatedBy'];

/** What a plan compares: everything but the times and authors, which must be there. */
export function compared(resource: Record<string, unknown>) {
  for (const key of meta) expect(resource[key]).toEqual(expect.any(String));
  return Object.fromEntries(Object.entries(resource).filter(([key]) => !meta.includes(key)));
}

/** A blueprint with everything that a plan compares. */
export const everything = (identifier: string, target: string) => ({
  identifier,
  title: 'Everything',
  icon: 'Microservice',
  description: 'All that a plan compares',
  schema: {
    properties: {
      text: {
        type: 'string',
        title: 'Text',
        description: '',
        icon: 'Star',
        minLength: 0,
        maxLength: 40,
        pattern: '^a',
      },
      choice: { type: 'string', enum: ['a', 'b'], enumColors: { a: 'red', b: 'paleBlue' }, default: 'a' },
      link: { type: 'string', format: 'url', spec: 'embedded-url', specAuthentication: pkce },
      api: { type: 'string', format: 'yaml', spec: 'open-api' },
      when: { type: 'string', format: 'date-time', dateFormat: '24-hour' },
      until: { type: 'string', format: 'timer' },
      owner: { type: 'string', format: 'user' },
      level: { type: 'number', enum: [1, 2], enumColors: { '1': 'green', '2': 'brown' }, default: 1 },
      share: { type: 'number', minimum: 0, maximum: 1, exclusiveMinimum: -1 },
      on: { type: 'boolean', default: false },
      data: { type: 'object', spec: 'async-api', default: {} },
      labelled: { type: 'object', format: 'labeled-url' },
      names: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, minItems: 0, maxItems: 5 },
      kinds: { type: 'array', items: { type: 'string', enum: ['x'], enumColors: { x: 'gold' } }, default: [] },
      people: { type: 'array', items: { type: 'string', format: 'user' }, uniqueItems: true },
      numbers: { type: 'array', items: { type: 'number' } },
      flags: { type: 'array', items: { type: 'boolean' } },
      objects: { type: 'array', items: { type: 'object' } },
      untyped: { type: 'array' },
    },
    required: ['choice'],
  },
  relations: {
    one: { target, title: 'One', description: 'One of them', required: false, many: false },
    needed: { target, required: true, many: false },
    several: { target, required: false, many: true },
    self: { target: identifier, required: false, many: false },
  },
  mirrorProperties: { oneTitle: { path: 'one.$title', title: 'Title of one' }, far: { path: 'self.one.$identifier' } },
  calculationProperties: {
    upper: { type: 'string', calculation: '.identifier | ascii_upcase', title: 'Upper', description: '', icon: 'Star' },
    coloured: { type: 'string', calculation: '.properties.choice', colorized: true, colors: { a: 'red', b: 'lime' } },
    address: { type: 'string', calculation: '"https://example.com/" + .identifier', format: 'url' },
  },
  aggregationProperties: {
    children: {
      title: 'Children',
      target: identifier,
      type: 'number',
      calculationSpec: { calculationBy: 'entities', func: 'count' },
      pathFilter: [{ path: ['self'], fromBlueprint: identifier }],
      query: { combinator: 'and', rules: [{ property: 'on', operator: '=', value: true }] },
    },
  },
  ownership: { type: 'Inherited', path: 'one', title: 'Owners' },
  changelogDestination: { type: 'WEBHOOK', url: 'https://example.com/hook', agent: false },
  includeInGlobalSearch: false,
});
const pkce = {
  clientId: 'client',
  authorizationUrl: 'https://example.com/authorize',
  tokenUrl: 'https://example.com/token',
};
