import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { redirectProblem } from './redirect-address.ts';

/** What an app said of itself. */
export interface Registration {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** A client id that holds its registration, signed: strangers can register, and nothing of it is stored. */
export interface Registrations {
  write(registration: Registration): string;
  /** Undefined unless it was written here. */
  read(clientId: string): Registration | undefined;
}

const prefix = 'mcpc_';
/** Client ids travel in addresses. */
const clientIdMax = 3000;

const written = z.tuple([z.string(), z.array(z.string()), z.string()]);

export function createRegistrations(masterKey: Buffer): Registrations {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'portolan oauth registrations', 32));
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    write: ({ name, redirectUris }) => {
      // random, so that two installations of one app have each their own
      const content = JSON.stringify([name, redirectUris, randomBytes(9).toString('base64url')]);
      const text = Buffer.from(content).toString('base64url');
      return `${prefix}${text}.${sign(text).toString('base64url')}`;
    },
    read: (clientId) => {
      if (!clientId.startsWith(prefix) || clientId.length > clientIdMax) return undefined;
      const [text = '', signature = '', ...more] = clientId.slice(prefix.length).split('.');
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(text)];
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      if (given.toString('base64url') !== signature) return undefined;
      const [name, redirectUris] = written.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
      return { name, redirectUris };
    },
  };
}

/** What is stored of a client id. */
export function hashClientId(clientId: string): string {
  return createHash('sha256').update(clientId).digest('base64url');
}

/** Characters that change how the text around them reads. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;
const nameMax = 80;
const redirectsMax = 10;
const redirectsBytesMax = 1500;

/** What of the metadata of a client is read (RFC 7591 §2); the rest is answered as it is here. */
const metadata = z.object({
  client_name: z.string().max(1000).optional().catch(undefined),
  redirect_uris: z.array(z.string()).min(1).max(redirectsMax),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
});

export type ReadRegistration =
  | { readonly registration: Registration }
  | { readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'; readonly description: string };

export function readRegistration(body: unknown): ReadRegistration {
  const read = metadata.safeParse(body);
  if (!read.success) {
    const isAboutRedirects = read.error.issues.some(({ path }) => path[0] === 'redirect_uris');
    return isAboutRedirects
      ? { error: 'invalid_redirect_uri', description: `redirect_uris must name 1 to ${redirectsMax} addresses` }
      : { error: 'invalid_client_metadata', description: 'The body must be the metadata of a client (RFC 7591 §2)' };
  }
  const { client_name: name = '', redirect_uris: redirectUris, grant_types: grants, response_types: types } = read.data;
  for (const [index, uri] of redirectUris.entries()) {
    const problem = redirectProblem(uri);
    if (problem) return { error: 'invalid_redirect_uri', description: `redirect_uris[${index}] ${problem}` };
  }
  if (redirectUris.join('').length > redirectsBytesMax) {
    return {
      error: 'invalid_redirect_uri',
      description: `redirect_uris are longer than ${redirectsBytesMax} together`,
    };
  }
  if ((grants && !grants.includes('authorization_code')) || (types && !types.includes('code'))) {
    return { error: 'invalid_client_metadata', description: 'Only authorization codes and refresh tokens are given' };
  }
  const plain = name.normalize('NFC').replace(unprintable, ' ').trim().slice(0, nameMax).trim();
  return { registration: { name: plain || 'An app without a name', redirectUris } };
}
