import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../../../platform/secrets/secret-scope.ts';
import type { ActionsDeps } from '../../actions.deps.ts';

/** The REST API of GitHub, or of a GitHub Enterprise server, with the organization's token. */
export interface GitHubApi {
  /** @throws OutgoingFailure */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<OutgoingAnswer>;
}

const home = 'https://api.github.com';

/** Undefined without the secret `GITHUB_TOKEN`; `GITHUB_API_URL` names another server than github.com. */
export async function githubApi(
  { outgoing, secrets }: Pick<ActionsDeps, 'outgoing' | 'secrets'>,
  orgId: string,
  opened: SecretScope,
  signal: AbortSignal,
): Promise<GitHubApi | undefined> {
  const { GITHUB_TOKEN: token, GITHUB_API_URL: url } = await secrets.secretsOf(orgId, opened);
  if (!token) return undefined;
  const base = (url || home).trim().replace(/\/+$/, '');
  return {
    ask: (method, path, body) =>
      outgoing.send({
        url: `${base}${path}`,
        method,
        headers: {
          authorization: `Bearer ${token.trim()}`,
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
          'user-agent': 'portolan',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        timeoutMs: 30_000,
        signal,
      }),
  };
}

/** A path below the API, each part of it encoded. */
export function githubPath(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}
