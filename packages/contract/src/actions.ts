import { z } from 'zod';
import { userInputs } from './action-inputs.ts';
import { actionPolicy } from './action-policy.ts';
import { invocationMethod } from './invocation-method.ts';
import { operation } from './operation.ts';
import { queryList, queryText, readVersion, timestamp } from './wire.ts';

/** Identifier of an action (api contract §1.9). */
export const actionIdentifier = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)[\p{L}0-9@_.+:=-]+$/u, 'may hold letters, digits and @ _ . + : = - only')
  .refine((identifier) => identifier !== 'runs', 'is the name of an address of its own');

const buttonText = z
  .string()
  .max(15)
  .regex(/^[^\s](.*[^\s])?$/, 'may neither begin nor end with a blank')
  .nullish();
const searchCondition = z.strictObject({
  type: z.literal('SEARCH'),
  rules: z.array(z.unknown()),
  combinator: z.enum(['and', 'or']),
});
const jqCondition = z.strictObject({
  type: z.literal('JQ'),
  expressions: z.array(z.string().max(10_000)).max(100),
  combinator: z.enum(['and', 'or']).nullish(),
});
const blueprintName = z.string().min(1).max(1000);

const form = {
  type: z.literal('self-service'),
  blueprintIdentifier: blueprintName.nullish(),
  userInputs,
  actionCardButtonText: buttonText,
  executeActionButtonText: buttonText,
};
const selfService = z.discriminatedUnion('operation', [
  z.strictObject({ ...form, operation: z.literal('CREATE') }),
  z.strictObject({ ...form, operation: z.enum(['DAY-2', 'DELETE']), condition: searchCondition.nullish() }),
]);
export type SelfServiceTrigger = z.output<typeof selfService>;

const entityEvent = z.strictObject({
  type: z.enum(['ENTITY_CREATED', 'ENTITY_UPDATED', 'ENTITY_DELETED', 'ANY_ENTITY_CHANGE']),
  blueprintIdentifier: blueprintName,
});
const timerEvent = z.strictObject({
  type: z.literal('TIMER_PROPERTY_EXPIRED'),
  blueprintIdentifier: blueprintName,
  propertyIdentifier: z.string().min(1).max(200),
});
const runEvent = z.strictObject({
  type: z.enum(['RUN_CREATED', 'RUN_UPDATED', 'ANY_RUN_CHANGE']),
  actionIdentifier: z.string().min(1).max(200),
});
const automation = z.strictObject({
  type: z.literal('automation'),
  event: z.discriminatedUnion('type', [entityEvent, timerEvent, runEvent]),
  condition: jqCondition.nullish(),
});
export type AutomationTrigger = z.output<typeof automation>;
export type AutomationEventType = AutomationTrigger['event']['type'];

/** What starts an action (api contract §3.5.2). */
const trigger = z.discriminatedUnion('type', [selfService, automation]);

const requiredApproval = z.union([z.boolean(), z.strictObject({ type: z.enum(['ALL', 'ANY']) })]);
const approvalNotification = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('email') }),
  z.strictObject({ type: z.literal('webhook'), url: z.string().min(1), format: z.enum(['json', 'slack']).nullish() }),
]);

/** An action as it is written (api contract §3.5.1); a self-service one or an automation, by its trigger. */
export const actionBody = z.strictObject({
  identifier: actionIdentifier,
  title: z.string().max(1000).nullish(),
  icon: z.string().max(200).nullish(),
  description: z.string().max(5000).nullish(),
  trigger,
  invocationMethod,
  requiredApproval: requiredApproval.nullish(),
  approvalNotification: approvalNotification.nullish(),
  publish: z.boolean().nullish(),
  allowAnyoneToViewRuns: z.boolean().nullish(),
});
export type ActionBody = z.output<typeof actionBody>;

/** As written, without added keys. */
const actionSchema = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string().optional(),
  icon: z.string().optional(),
  description: z.string().optional(),
  trigger: z.record(z.string(), z.json()),
  invocationMethod: z.record(z.string(), z.json()),
  requiredApproval: requiredApproval.optional(),
  approvalNotification: z.record(z.string(), z.json()).optional(),
  publish: z.boolean().optional(),
  allowAnyoneToViewRuns: z.boolean().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Action = z.output<typeof actionSchema>;

const names = z.array(z.string().min(1).max(1000)).max(1000).nullish();
const grantBody = z.strictObject({ roles: names, users: names, teams: names, policy: actionPolicy.nullish() });

/** A PATCH of the rights on an action (api contract §3.7.2): each list that is sent replaces the stored one. */
export const actionPermissionsBody = z.strictObject({
  execute: grantBody.extend({ ownedByTeam: z.boolean().nullish() }).nullish(),
  approve: grantBody.nullish(),
});
export type ActionPermissionsBody = z.output<typeof actionPermissionsBody>;
export type ActionGrantBody = z.output<typeof grantBody> & { readonly ownedByTeam?: boolean | null | undefined };

const grant = z.object({
  roles: z.array(z.string()),
  users: z.array(z.string()),
  teams: z.array(z.string()),
  policy: actionPolicy.nullable(),
});
const actionPermissions = z.object({ execute: grant.extend({ ownedByTeam: z.boolean() }), approve: grant });
export type ActionPermissions = z.output<typeof actionPermissions>;

const tag = 'Actions';
export const actionParams = z.object({ action_identifier: z.string().min(1).max(1000) });
const oneAction = z.object({ ok: z.literal(true), action: actionSchema });
const permissions = z.object({ ok: z.literal(true), permissions: actionPermissions });

export const listActions = operation({
  id: 'listActions',
  method: 'GET',
  path: '/v1/actions',
  tag,
  summary: 'List the actions and automations the caller may see; filters are joined by "and"',
  access: 'token',
  query: z.object({
    action_identifier: queryList(),
    blueprint_identifier: queryList(),
    operation: queryList(),
    published: queryText(),
    trigger_type: queryText(),
    trigger_event: queryList(),
    trigger_event_action_identifier: queryList(),
    version: queryText(),
  }),
  answer: z.object({ ok: z.literal(true), actions: z.array(actionSchema) }),
  errors: [],
});

export const createAction = operation({
  id: 'createAction',
  method: 'POST',
  path: '/v1/actions',
  tag,
  summary: 'Create a self-service action or an automation',
  description: 'Everybody may run a new action; administrators approve its runs where it asks for approval.',
  access: 'admin',
  status: 201,
  body: actionBody,
  unknownFields: 'closed',
  answer: oneAction,
  errors: ['identifier_taken', 'not_found'],
});

/** The most an action or run may do in this organization, and whose rights those are. */
export const authority = z.object({
  by: z.string(),
  roles: z.array(z.string()),
  scopes: z.array(z.string()).optional(),
});

export const getAction = operation({
  id: 'getAction',
  method: 'GET',
  path: '/v1/actions/{action_identifier}',
  tag,
  summary: 'Read an action, and with whose rights it acts',
  description:
    '`authority` is what the action may do in this organization today: what whoever saved it last could do then, and can still do. Null once nobody stands behind it: its runs fail until somebody saves it again.',
  access: 'token',
  params: actionParams,
  answer: oneAction.extend({ authority: authority.nullable() }),
  errors: ['not_found'],
});

export const replaceAction = operation({
  id: 'replaceAction',
  method: 'PUT',
  path: '/v1/actions/{action_identifier}',
  tag,
  summary:
    'Replace an action; another identifier renames it, and `expectedVersion` refuses an action changed since it was read',
  access: 'admin',
  params: actionParams,
  query: z.object({ expectedVersion: readVersion.optional() }),
  body: actionBody,
  unknownFields: 'closed',
  answer: oneAction,
  errors: ['identifier_taken', 'not_found', 'stale_version'],
});

export const deleteAction = operation({
  id: 'deleteAction',
  method: 'DELETE',
  path: '/v1/actions/{action_identifier}',
  tag,
  summary: 'Delete an action; its runs stay',
  access: 'admin',
  params: actionParams,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const getActionPermissions = operation({
  id: 'getActionPermissions',
  method: 'GET',
  path: '/v1/actions/{action_identifier}/permissions',
  tag,
  summary: 'Read who may run an action and approve its runs',
  access: 'token',
  params: actionParams,
  answer: permissions,
  errors: ['not_found'],
});

export const patchActionPermissions = operation({
  id: 'patchActionPermissions',
  method: 'PATCH',
  path: '/v1/actions/{action_identifier}/permissions',
  tag,
  summary: 'Change who may run an action and approve its runs; lists that are left out stay',
  access: 'admin',
  params: actionParams,
  body: actionPermissionsBody,
  unknownFields: 'closed',
  answer: permissions,
  errors: ['not_found'],
});

export const actionOperations = [
  listActions,
  createAction,
  getAction,
  replaceAction,
  deleteAction,
  getActionPermissions,
  patchActionPermissions,
] as const;
