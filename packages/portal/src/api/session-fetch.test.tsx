import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepProof, sendWithSession } from './session-fetch.ts';

const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
beforeEach(() => {
  keepProof(null);
  assign.mockClear();
});
afterEach(() => {
  vi.spyOn(performance, 'now').mockRestore();
});

/** A server whose session another tab has taken over, in this organization. */
function taken(organization: string): string[] {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const proof = new Headers(init.headers).get('x-csrf-token');
    sent.push(`${init.method ?? 'GET'} ${address} ${proof ?? '-'}`);
    if (address === '/v1/auth/me') return Response.json({ csrfToken: 'new', organization: { id: organization } });
    if (proof === 'new') return Response.json({ ok: true });
    return Response.json({ ok: false, error: 'csrf_token_invalid' }, { status: 403 });
  });
  return sent;
}

test('after another tab signed in again, a change is sent once more with its proof', async () => {
  keepProof({ csrfToken: 'old', organization: 'org_one' });
  const sent = taken('org_one');
  expect((await sendWithSession('/v1/pages', { method: 'POST' })).status).toBe(200);
  expect(sent).toEqual(['POST /v1/pages old', 'GET /v1/auth/me -', 'POST /v1/pages new']);
});

test('after another tab went to another organization, a change is not sent there', async () => {
  keepProof({ csrfToken: 'old', organization: 'org_one' });
  const sent = taken('org_demo');
  expect((await sendWithSession('/v1/entities', { method: 'DELETE' })).status).toBe(403);
  expect(sent).toEqual(['DELETE /v1/entities old', 'GET /v1/auth/me -']);
  expect(assign).toHaveBeenCalledWith('/');
});

test('a page whose session is in another organization now begins anew', () => {
  keepProof({ csrfToken: 'one', organization: 'org_one' });
  keepProof({ csrfToken: 'two', organization: 'org_one' });
  expect(assign).not.toHaveBeenCalled();
  keepProof({ csrfToken: 'three', organization: 'org_demo' });
  expect(assign).toHaveBeenCalledWith('/');
});

test('what the page asked for itself is taken once, and not after a change', async () => {
  // a page that has just been opened, however long the tests have been running
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const sent = taken('org_one');
  const asked = () => Promise.resolve(Response.json({ csrfToken: 'first' }));
  globalThis.portolanFirst = { session: asked() };
  expect(await (await sendWithSession('/v1/auth/me')).json()).toEqual({ csrfToken: 'first' });
  await sendWithSession('/v1/auth/me');
  expect(sent).toEqual(['GET /v1/auth/me -']);
  // a sign-in may be somebody else's
  globalThis.portolanFirst = { session: asked() };
  await sendWithSession('/v1/auth/sign-in', { method: 'POST' });
  await sendWithSession('/v1/auth/me');
  expect(sent.slice(1)).toEqual(['POST /v1/auth/sign-in -', 'GET /v1/auth/me -']);
});

test('what the page asked for long ago is asked for anew', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(31_000);
  const sent = taken('org_one');
  globalThis.portolanFirst = { session: Promise.resolve(Response.json({ csrfToken: 'first' })) };
  expect(await (await sendWithSession('/v1/auth/me')).json()).toMatchObject({ csrfToken: 'new' });
  expect(sent).toEqual(['GET /v1/auth/me -']);
});
