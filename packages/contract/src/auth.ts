import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';

/** Exchanges a client id and secret for a token (api contract §1.2). */
export const createAccessToken = operation({
  id: 'createAccessToken',
  method: 'POST',
  path: '/v1/auth/access_token',
  tag: 'Authentication',
  summary: 'Get an access token',
  description:
    'The token is a JWT that lives for three hours. Send it as `Authorization: Bearer <token>`; the bare token is accepted too.',
  access: 'public',
  body: z.object({
    clientId: z.string().min(1).max(500),
    clientSecret: secret(z.string().min(1).max(1000)),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    accessToken: secret(z.string()),
    expiresIn: z.number().int().meta({ description: 'Seconds until the token ends' }),
    tokenType: z.literal('Bearer'),
  }),
  errors: ['unauthorized', 'too_many_requests'],
});

export const authOperations = [createAccessToken] as const;
