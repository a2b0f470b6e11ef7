import type { Page, Route } from 'playwright-core';

/** What the API does while a screen is looked at. */
export type State = 'loading' | 'error' | 'forbidden' | 'empty';

/** What the frame itself reads: who it is, the pages in the rail, and the stream of what changes, which never ends. */
const frameReads = ['/v1/auth/(?!connected-apps)', '/v1/sidebars/', '/v1/events'].map((path) => new RegExp(`^${path}`));

/** Makes every read of the screen go one way, with answers as the API gives them; the frame's own go on. */
export async function drive(page: Page, state: State): Promise<void> {
  await page.route('**/v1/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (frameReads.some((each) => each.test(pathname))) return route.continue();
    switch (state) {
      case 'loading':
        // never answered: the page is left while it waits
        return;
      case 'error':
        return refuse(route, 500, 'internal_error', 'Something failed on the server. Nothing was changed.');
      case 'forbidden':
        return refuse(route, 403, 'missing_permissions', 'You may not read this.');
      case 'empty':
        return emptied(route);
    }
  });
}

function refuse(route: Route, status: number, error: string, message: string): Promise<void> {
  return route.fulfill({ status, json: { ok: false, error, message, requestId: 'gallery' } });
}

/** The real answer with nothing in its lists, so that its shape is the real one. Single things stay what they are. */
async function emptied(route: Route): Promise<void> {
  const answer = await route.fetch();
  if (!answer.headers()['content-type']?.includes('json')) return route.fulfill({ response: answer });
  const body = (await answer.json()) as Record<string, unknown>;
  const bare = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      Array.isArray(value) ? [] : ['total', 'count'].includes(key) && typeof value === 'number' ? 0 : value,
    ]),
  );
  return route.fulfill({ response: answer, json: bare });
}
