import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { absentIfNull, timestamp, userAddress } from './wire.ts';

const tag = 'Users and teams';
const names = z.array(z.string().min(1).max(10_000)).max(1000);
const mail = z.boolean().default(true).meta({
  description: 'Send the person an e-mail with a link of its own, if the installation has a mail server',
});

const invitation = z.object({
  email: z.string(),
  /** Null for people whom the catalog or another program lists as invited. */
  invitedBy: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  invitedAt: timestamp,
  expiresAt: timestamp.nullable().meta({ description: 'Until when a link works; null if none does' }),
  mail: z.object({
    state: z.enum(['none', 'waiting', 'sent', 'failed']),
    at: timestamp.nullable(),
    problem: z.string().nullable().meta({ description: 'Why the last attempt to send it failed' }),
  }),
});

const link = z.object({
  url: secret(z.string().meta({ description: 'To hand over; it is shown once' })),
  token: secret(z.string()),
  expiresAt: timestamp,
});
const withLink = z.object({ ok: z.literal(true), invitation, link });

const params = z.object({ user_email: z.string().min(1).max(3000) });

export const listInvitations = operation({
  id: 'listInvitations',
  method: 'GET',
  path: '/v1/invitations',
  tag,
  summary: 'List people who were invited and have not signed in',
  access: 'admin',
  scope: 'read:users',
  answer: z.object({
    ok: z.literal(true),
    invitations: z.array(invitation),
    canMail: z.boolean().meta({ description: 'Whether the installation has a mail server' }),
  }),
  errors: [],
});

export const createInvitation = operation({
  id: 'createInvitation',
  method: 'POST',
  path: '/v1/invitations',
  tag,
  summary: 'Invite a person, and get a link to hand over',
  description:
    'The person opens the link, sets a password and is signed in. The link works once, for three days; whoever has it can sign in as the person. The e-mail carries a link of its own. One address is mailed three times in an hour at most, and an organization mails 200 invitations; more is refused, and without `mail` it is not.',
  access: 'admin',
  scope: 'create:users',
  status: 201,
  body: z.object({ email: userAddress, roles: absentIfNull(names), teams: absentIfNull(names), mail }),
  unknownFields: 'closed',
  answer: withLink,
  errors: ['identifier_taken', 'user_limit_reached', 'csrf_token_invalid', 'too_many_requests'],
});

export const renewInvitation = operation({
  id: 'renewInvitation',
  method: 'POST',
  path: '/v1/invitations/{user_email}/renew',
  tag,
  summary: 'Invite a person again, with a new link; links from before end',
  description: 'For everybody who has never signed in, whoever put them on the list.',
  access: 'admin',
  scope: 'create:users',
  status: 201,
  params,
  body: z.object({ mail }),
  unknownFields: 'closed',
  answer: withLink,
  errors: ['not_found', 'user_limit_reached', 'csrf_token_invalid', 'too_many_requests'],
});

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/v1/invitations/{user_email}',
  tag,
  summary: 'Take an invitation back; its links end at once',
  description:
    'A user whom the invitation created is removed. One who was there before becomes staged again and stays in the catalog.',
  access: 'admin',
  scope: 'delete:users',
  params,
  answer: z.object({ ok: z.literal(true), removed: z.boolean().meta({ description: 'Whether the user was removed' }) }),
  errors: ['not_found', 'has_dependents', 'last_administrator', 'csrf_token_invalid'],
});

export const lookAtLink = operation({
  id: 'lookAtLink',
  method: 'POST',
  path: '/v1/auth/password-links/look',
  tag: 'Sign-in',
  summary: 'Look who a link is for, and whether it still works',
  description: 'It does not use the link up. A token that was never made here is answered with 401.',
  access: 'public',
  body: z.object({ token: secret(z.string().min(1).max(500)) }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    state: z.enum(['open', 'used', 'replaced', 'revoked', 'expired']),
    purpose: z.enum(['invitation', 'password']).meta({ description: '`invitation` for a person who never signed in' }),
    organization: z.object({ id: z.string(), name: z.string() }),
    madeBy: z.string().nullable().meta({ description: 'The name or address of the person who made it' }),
    email: z.string().nullable().meta({ description: 'Whose link it is, while it works' }),
    expiresAt: timestamp,
  }),
  errors: ['unauthorized', 'csrf_token_invalid', 'too_many_requests'],
});

export const invitationOperations = [
  listInvitations,
  createInvitation,
  renewInvitation,
  revokeInvitation,
  lookAtLink,
] as const;
