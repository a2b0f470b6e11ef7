import type { Actor } from '../../../../platform/actor.ts';
import type { OutgoingAnswer } from '../../../../platform/outgoing/outgoing.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { secretsWithheld, usableSecrets } from '../secrets-for.ts';

/** The REST API of GitHub, or of a GitHub Enterprise server, with the organization's token. */
export interface GitHubApi {
  /** @throws OutgoingFailure */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<OutgoingAnswer>;
}

const home = 'https://api.github.com';

/**
 * The API with the token from the secret `GITHUB_TOKEN`, or a sentence why it cannot be used. `GITHUB_API_URL` names
 * another server.
 */
export async function githubApi(
  deps: Pick<ActionsDeps, 'outgoing' | 'secrets'>,
  actor: Actor,
  signal: AbortSignal,
): Promise<GitHubApi | string> {
  const { outgoing } = deps;
  const known = await usableSecrets(deps, actor);
  if (!known) return secretsWithheld;
  const { GITHUB_TOKEN: token, GITHUB_API_URL: url } = known;
  if (!token) return 'the organization secret GITHUB_TOKEN is not there';
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

export function githubPath(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}
