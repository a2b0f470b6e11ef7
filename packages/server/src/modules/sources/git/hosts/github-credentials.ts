import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { type ReaderPorts, SourceRefusal } from '../../source-type.ts';

/** How requests are signed: with a token, or as an App that was installed in an organization. */
export type GitHubCredentials =
  | { readonly token: string }
  | { readonly appId: string; readonly privateKey: string; readonly owner: string };

/** The host refuses more than ten minutes, and clocks differ. */
const proofSeconds = 540;
const clockSkewSeconds = 60;
/** A token of an installation lasts an hour; one about to end is not used for a page. */
const renewBeforeMs = 5 * 60_000;

/** The header of every request. Tokens of installations are made when they are needed, and kept for their hour. */
export function authorizeGitHub(api: string, credentials: GitHubCredentials, ports: ReaderPorts) {
  if ('token' in credentials) return async () => ({ authorization: `Bearer ${credentials.token}` });
  const { appId, privateKey, owner } = credentials;
  let known: { readonly token: string; readonly until: number } | undefined;

  async function ask(path: string, method: string, signal: AbortSignal): Promise<unknown> {
    const headers = { authorization: `Bearer ${await signProof(appId, privateKey, ports.now())}`, ...accepts };
    const answer = await ports.fetch(`${api}${path}`, { method, headers, signal });
    if (answer.status === 404) throw notInstalled(owner);
    if (answer.status === 401 || answer.status === 403) throw refusedApp();
    if (!answer.ok) throw new Error(`GitHub answers ${answer.status} for ${path}`);
    return answer.json();
  }

  return async (signal: AbortSignal) => {
    if (!known || known.until - ports.now().getTime() < renewBeforeMs) {
      const { id } = z.looseObject({ id: z.number() }).parse(await ask(installationPath(owner), 'GET', signal));
      const made = await ask(`/app/installations/${id}/access_tokens`, 'POST', signal);
      const { token, expires_at } = z.looseObject({ token: z.string(), expires_at: z.string() }).parse(made);
      known = { token, until: Date.parse(expires_at) };
    }
    return { authorization: `Bearer ${known.token}` };
  };
}

export const accepts = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

/** Answers for organizations and people alike. */
function installationPath(owner: string): string {
  return `/users/${encodeURIComponent(owner)}/installation`;
}

async function signProof(appId: string, privateKey: string, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuedAt(seconds - clockSkewSeconds)
    .setExpirationTime(seconds + proofSeconds - clockSkewSeconds)
    .setIssuer(appId)
    .sign(readKey(privateKey));
}

/** The host hands keys out in a form of their own, which only Node reads. */
function readKey(privateKey: string) {
  try {
    return createPrivateKey(privateKey);
  } catch {
    const fix = 'Paste the whole file that GitHub gave you, from "-----BEGIN" to "KEY-----".';
    throw new SourceRefusal('private_key_unreadable', 'The private key of the App cannot be read', fix);
  }
}

function notInstalled(owner: string): SourceRefusal {
  const message = `The App is not installed for "${owner}"`;
  return new SourceRefusal('app_not_installed', message, 'Install the App there, or correct the owner of the source.');
}

function refusedApp(): SourceRefusal {
  const fix = 'Compare the App ID, and make a new private key in the settings of the App.';
  return new SourceRefusal('credentials_refused', 'GitHub refuses the key of the App', fix);
}
