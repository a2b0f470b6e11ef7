import type { Page } from 'playwright-core';

/** Asks as the person who is signed in on the page. Answers the status. */
export async function askOn(page: Page, method: string, path: string, body?: object): Promise<number> {
  return page.evaluate(
    async (asked) => {
      const me = (await (await fetch('/v1/auth/me')).json()) as { csrfToken: string };
      const headers = { 'content-type': 'application/json', 'x-csrf-token': me.csrfToken };
      const answer = await fetch(asked.path, {
        method: asked.method,
        headers,
        ...(asked.body ? { body: JSON.stringify(asked.body) } : {}),
      });
      return answer.status;
    },
    { method, path, body },
  );
}
