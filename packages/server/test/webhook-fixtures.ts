import { expect } from 'vitest';
import type { Answer, RequestOptions, TestApp } from './build-test-app.ts';
import { createBlueprint, unique } from './catalog-fixtures.ts';

export interface Hook {
  readonly identifier: string;
  /** The path that events are sent to. */
  readonly url: string;
}
type SendOptions = RequestOptions & { readonly query?: string };

export function webhookPath(identifier: string, rest = ''): string {
  return `/v1/webhooks/${encodeURIComponent(identifier)}${rest}`;
}

export interface Webhooks {
  /** A blueprint that events of `mapping` become entities of. */
  readonly blueprint: string;
  create(body?: object): Promise<Hook>;
  send(hook: Hook, body: unknown, options?: SendOptions): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  deliveries(hook: Hook, query?: string): Promise<any[]>;
  /** Sends, maps, and answers what became of it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  deliver(hook: Hook, body: unknown, options?: SendOptions): Promise<any>;
  mapping(more?: object, entity?: object): object;
  entityCount(): Promise<number>;
}

/** Webhooks of a test application, and events to them. */
export async function createWebhooks(app: TestApp): Promise<Webhooks> {
  const blueprint = await createBlueprint(app.request, 'pr', {
    properties: { author: { type: 'string' }, size: { type: 'number' }, data: { type: 'object' } },
    relations: { service: { target: await createBlueprint(app.request, 'service') } },
  });
  const send: Webhooks['send'] = (hook, body, options = {}) =>
    app.request('POST', `${hook.url}${options.query ?? ''}`, { token: null, body, ...options });
  return {
    blueprint,
    send,
    create: async (body = {}) => {
      const created = await app.request('POST', '/v1/webhooks', {
        body: { identifier: unique('hook'), title: 'Hook', enabled: true, ...body },
      });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      const { identifier, url } = created.body.integration;
      return { identifier, url: new URL(url).pathname };
    },
    deliveries: async (hook, query = '') =>
      (await app.request('GET', webhookPath(hook.identifier, `/deliveries${query}`))).body.deliveries,
    deliver: async (hook, body, options = {}) => {
      const sent = await send(hook, body, options);
      expect(sent.status, JSON.stringify(sent.body)).toBe(202);
      await app.app.jobs.drain();
      const path = webhookPath(hook.identifier, `/deliveries/${sent.body.deliveryId}`);
      return (await app.request('GET', path)).body.delivery;
    },
    mapping: (more = {}, entity = {}) => ({
      blueprint,
      entity: {
        identifier: '.body.id | tostring',
        title: '.body.title',
        properties: { author: '.body.user.login', size: '.body.size' },
        ...entity,
      },
      ...more,
    }),
    entityCount: () => app.count('entities', app.organization.id),
  };
}
