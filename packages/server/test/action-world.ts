import { expect } from 'vitest';
import type { TestApp } from './build-test-app.ts';
import { createEntity, unique } from './catalog-fixtures.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const runsPath = '/v1/actions/runs';

/** Actions whose webhooks are received on this machine, and the people who run them. */
export interface ActionWorld {
  readonly receiver: Receiver;
  /** Starts a run. */
  start(action: string, body?: object, options?: object, query?: string): ReturnType<TestApp['request']>;
  /** The run as its newer form shows it. */
  get(id: string): Promise<{ [member: string]: unknown; status: string }>;
  /** The lines of its log. */
  logsOf(id: string): Promise<string[]>;
  /** Makes a self-service action and answers its identifier. */
  action(invocationMethod: object, more?: object, userInputs?: object): Promise<string>;
  /** A webhook to the receiver. */
  hook(more?: object): object;
  /** Makes a person and answers a token of theirs. */
  person(name: string, team?: string): Promise<string>;
}

export async function createActionWorld(app: TestApp): Promise<ActionWorld> {
  const receiver = await startReceiver();
  return {
    receiver,
    start: (action, body = { properties: {} }, options = {}, query = '') =>
      app.request('POST', `/v1/actions/${action}/runs${query}`, { body, ...options }),
    get: async (id) => (await app.request('GET', `${runsPath}/${id}?version=v2`)).body.run,
    logsOf: async (id) =>
      (await app.request('GET', `${runsPath}/${id}/logs`)).body.runLogs.map(
        ({ message }: { message: string }) => message,
      ),
    action: async (invocationMethod, more = {}, userInputs = { properties: {} }) => {
      const identifier = unique('act');
      const trigger = { type: 'self-service', operation: 'CREATE', userInputs };
      const body = { identifier, title: 'Act', trigger, invocationMethod, ...more };
      const created = await app.request('POST', '/v1/actions', { body });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      return identifier;
    },
    hook: (more = {}) => ({ type: 'WEBHOOK', url: `${receiver.url}/hook`, ...more }),
    person: async (name, team) => {
      const identifier = `${name}@example.com`;
      const properties = { status: 'Active', port_role: 'Member' };
      await createEntity(app.request, '_user', { identifier, title: 'Jo Doe', ...(team ? { team } : {}), properties });
      return app.organization.personToken(identifier);
    },
  };
}
