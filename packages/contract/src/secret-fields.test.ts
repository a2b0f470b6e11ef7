import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { listFields, replaceAt, secret, secretPaths } from './secret-fields.ts';

/** How fields are called that open something. */
const looksSecret =
  /secret|password|passphrase|token|csrf|cookie|credential|api_?key|private_?key|access_?key|authorization/i;

/** What is called so and opens nothing, with the reason. */
const openlyKnown: Readonly<Record<string, string>> = {
  apiKeySecretName: 'names a secret',
  accessKeyIdSecretName: 'names a secret',
  secretAccessKeySecretName: 'names a secret',
  secretName: 'names a secret',
  tokenType: 'is the word Bearer',
  tokenUrl: 'is the address of an endpoint',
  authorizationUrl: 'is the address of an endpoint',
  token_id: 'names a token',
};

function unmarked({ id, body, answer }: Pick<Operation, 'id' | 'body' | 'answer'>): string[] {
  return [body, answer].flatMap((schema) =>
    listFields(schema).flatMap(({ path, schema: field, isSecret }) => {
      const name = path.at(-1) ?? '';
      // fields of objects in a record are listed themselves
      const isOfObjects = field instanceof z.ZodRecord && (field.valueType as z.ZodType) instanceof z.ZodObject;
      const isText = ['string', 'record', 'unknown', 'any'].includes(field._zod.def.type) && !isOfObjects;
      return isText && !isSecret && looksSecret.test(name) && !Object.hasOwn(openlyKnown, name)
        ? `${id}: ${path.join('.')}`
        : [];
    }),
  );
}

test('every field of a body or an answer that is named like a secret is marked as one', () => {
  expect(operations.flatMap(unmarked)).toEqual([]);
});

test('a new operation that answers a token without the mark is found', () => {
  const answer = z.object({ made: z.array(z.object({ accessToken: z.string().optional() })).nullable() });
  expect(unmarked({ id: 'new', answer })).toEqual(['new: made.*.accessToken']);
});

test('the operations that hand out credentials are these, and where they do', () => {
  const answers = operations.flatMap(({ id, answer }) => {
    const paths = secretPaths(answer).map((path) => path.join('.'));
    return paths.length > 0 ? [`${id}: ${paths.join(', ')}`] : [];
  });
  expect(answers.sort()).toMatchInlineSnapshot(`
    [
      "changePassword: csrfToken",
      "createAccessToken: accessToken",
      "createApiToken: accessToken",
      "createApp: app.secret",
      "createInstall: clientSecret",
      "createInvitation: link.url, link.token",
      "createOrganization: credentials.clientSecret",
      "createPasswordLink: url, token",
      "createWebhook: integration.security.secret, integration.webhookKey, integration.url",
      "decideAuthorization: location",
      "enterOrganization: csrfToken",
      "getOwnIdentity: csrfToken",
      "getWebhook: integration.security.secret, integration.webhookKey, integration.url",
      "listApps: apps.*.secret",
      "listWebhooks: integrations.*.security.secret, integrations.*.webhookKey, integrations.*.url",
      "patchWebhook: integration.security.secret, integration.webhookKey, integration.url",
      "redeemPasswordLink: csrfToken",
      "renameApp: app.secret",
      "renewInvitation: link.url, link.token",
      "renewSourceWebhook: secret",
      "replaceWebhook: integration.security.secret, integration.webhookKey, integration.url",
      "rotateApiToken: accessToken",
      "rotateAppSecret: app.secret",
      "rotateCredentials: credentials.clientSecret",
      "signIn: csrfToken",
    ]
  `);
});

test('what is marked is found behind whatever surrounds it, and replaced there alone', () => {
  const inner = z.object({ key: secret(z.string()), name: z.string() });
  const schema = z.object({
    list: z.array(inner).optional(),
    map: z.record(z.string(), z.union([z.null(), inner])),
    all: secret(z.record(z.string(), z.string())).nullish(),
    later: z.lazy(() => inner).default({ key: '', name: '' }),
  });
  const value = {
    list: [{ key: 'a', name: 'b' }],
    map: { x: { key: 'c', name: 'd' }, y: null },
    all: { any: 'e' },
    later: { key: 'f', name: 'g' },
    more: { key: 'h' },
  };
  expect(replaceAt(value, secretPaths(schema), () => '-')).toEqual({
    list: [{ key: '-', name: 'b' }],
    map: { x: { key: '-', name: 'd' }, y: null },
    all: '-',
    later: { key: '-', name: 'g' },
    more: { key: 'h' },
  });
});
