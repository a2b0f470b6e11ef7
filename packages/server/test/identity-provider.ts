import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** What the provider says of somebody. */
export interface ProviderPerson {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** A real OpenID Connect provider on this machine, whose people are told by the test. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in next, and what is said of them. */
  say(person: ProviderPerson): void;
  /**
   * Goes through the provider as a browser does, from the address that a start answered to the one that the provider
   * sends the browser back to.
   */
  visit(location: string): Promise<URL>;
  close(): Promise<void>;
}

const clientId = 'portolan';
const clientSecret = 'a secret of the client that only two know';

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  let person: ProviderPerson = { sub: 'nobody' };
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(
    issuer,
    providerConfiguration(redirectUri, () => person),
  );
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const [, uid] = /^\/interaction\/([\w-]+)/.exec(request.url ?? '') ?? [];
    if (!uid) return void answer(request, response);
    // whoever comes is signed in as the person told, and consents to everything
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      const grant = new provider.Grant({
        accountId: session?.accountId ?? person.sub,
        clientId: String(params['client_id']),
      });
      grant.addOIDCScope(String(params['scope']));
      const result =
        prompt.name === 'login' ? { login: { accountId: person.sub } } : { consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    })();
  });
  return {
    issuer,
    clientId,
    clientSecret,
    say: (next) => {
      person = next;
    },
    visit: (location) => visit(location, redirectUri),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function providerConfiguration(redirectUri: string, person: () => ProviderPerson): Configuration {
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    // claims in the id token where they are asked for, as company providers do
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...person(), sub }) }),
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
  };
}

async function visit(location: string, redirectUri: string): Promise<URL> {
  const jar = new Map<string, string>();
  let at = new URL(location);
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    const next = answer.headers.get('location');
    if (!next) throw new Error(`${at.href} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    at = new URL(next, at);
    if (at.href.startsWith(redirectUri)) return at;
  }
  throw new Error('The provider sent the browser in circles');
}
