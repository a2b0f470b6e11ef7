import { expect } from 'vitest';
import { isSecondTry } from './browser.ts';
import type { Product } from './product.ts';

/** The API as a program uses it, beside the person in the browser. Paths begin after `/v1`. */
export type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

/** Asks with the product's own credentials, which are an administrator's. */
export async function askAs({ address, credentials }: Product): Promise<Ask> {
  const { clientId, clientSecret } = credentials;
  const token = await fetch(`${address}/v1/auth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { accessToken } = (await token.json()) as { accessToken: string };
  return async (method, path, body) => {
    const answer = await fetch(`${address}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

/**
 * Makes something, of which nothing is to go wrong; answers the body. When a journey is tried again, what its first try
 * left under the same identifier is deleted first.
 */
export type Make = (path: string, body: object, method?: string) => Promise<unknown>;

export function makeWith(ask: Ask): Make {
  return async (path, body, method = 'POST') => {
    if (isSecondTry()) await deleteLeftover(ask, path, body);
    const answer = await ask(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}

async function deleteLeftover(ask: Ask, path: string, body: object): Promise<void> {
  if (!('identifier' in body) || !/^\/(blueprints|actions|pages|webhooks|workflows)$/.test(path)) return;
  const place = `${path}/${String(body.identifier)}`;
  await ask('DELETE', path === '/blueprints' ? `${place}/all-entities?delete_blueprint=true` : place);
  await expect.poll(async () => (await ask('GET', place)).status, { timeout: 20_000 }).toBe(404);
}
