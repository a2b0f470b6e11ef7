import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Readonly<Record<string, string>>;

/** Gitea and Forgejo sign with HMAC-SHA256, in plain hexadecimal digits. */
export function verifyGiteaEvent(headers: Headers, bytes: Buffer, secret: string): boolean {
  return isSigned(headers['x-gitea-signature'] ?? headers['x-forgejo-signature'], bytes, secret);
}

/** GitHub signs with HMAC-SHA256 and says so before the digits. */
export function verifyGitHubEvent(headers: Headers, bytes: Buffer, secret: string): boolean {
  return isSignedBySha256(headers['x-hub-signature-256'], bytes, secret);
}

/** Bitbucket signs as GitHub does, under another name. */
export function verifyBitbucketEvent(headers: Headers, bytes: Buffer, secret: string): boolean {
  return isSignedBySha256(headers['x-hub-signature'], bytes, secret);
}

function isSignedBySha256(header: string | undefined, bytes: Buffer, secret: string): boolean {
  return header?.startsWith('sha256=') === true && isSigned(header.slice('sha256='.length), bytes, secret);
}

/** GitLab sends the secret itself. */
export function verifyGitLabEvent(headers: Headers, _bytes: Buffer, secret: string): boolean {
  return isSame(headers['x-gitlab-token'], secret);
}

/** Azure DevOps sends the secret as the password of any user. */
export function verifyAzureEvent(headers: Headers, _bytes: Buffer, secret: string): boolean {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(headers['authorization'] ?? '') ?? [];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon >= 0 && isSame(pair.slice(colon + 1), secret);
}

/** In constant time, whatever the lengths. */
function isSame(given: string | undefined, secret: string): boolean {
  if (given === undefined || secret === '') return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** In constant time for every signature of the right length. */
function isSigned(given: string | undefined, bytes: Buffer, secret: string): boolean {
  if (given === undefined || secret === '') return false;
  const expected = createHmac('sha256', secret).update(bytes).digest();
  const signature = Buffer.from(given, 'hex');
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
