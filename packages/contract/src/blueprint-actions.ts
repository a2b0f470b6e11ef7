import { z } from 'zod';
import { userInputs } from './action-inputs.ts';
import { actionIdentifier } from './actions.ts';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

/** An action in its first form: flat, below its blueprint (api contract §3.5.8). Deprecated, for old clients. */
const blueprintActionBody = z.looseObject({
  identifier: actionIdentifier,
  title: z.string().max(1000).nullish(),
  icon: z.string().max(200).nullish(),
  description: z.string().max(5000).nullish(),
  trigger: z.enum(['CREATE', 'DAY-2', 'DELETE']),
  userInputs: userInputs.nullish(),
  invocationMethod: z.looseObject({ type: z.string().min(1).max(100) }),
  requiredApproval: z.unknown().optional(),
  approvalNotification: z.unknown().optional(),
});
export type BlueprintActionBody = z.output<typeof blueprintActionBody>;

const blueprintAction = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string().optional(),
  icon: z.string().optional(),
  description: z.string().optional(),
  blueprint: z.string(),
  trigger: z.string(),
  userInputs: z.record(z.string(), z.json()),
  invocationMethod: z.record(z.string(), z.json()),
  requiredApproval: z.json().optional(),
  approvalNotification: z.json().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type BlueprintAction = z.output<typeof blueprintAction>;

const tag = 'Actions';
const description =
  'Deprecated: the first form of actions, kept for old clients. It shows the same actions as `/v1/actions`.';
const blueprintParams = z.object({ blueprint_identifier: z.string().min(1).max(1000) });
const actionParams = blueprintParams.extend({ action_identifier: z.string().min(1).max(1000) });
const one = z.object({ ok: z.literal(true), action: blueprintAction });
const all = z.object({ ok: z.literal(true), actions: z.array(blueprintAction) });
const ofAll = { path: '/v1/blueprints/{blueprint_identifier}/actions', tag, description } as const;
const ofOne = { path: '/v1/blueprints/{blueprint_identifier}/actions/{action_identifier}', tag, description } as const;

export const createBlueprintAction = operation({
  ...ofAll,
  id: 'createBlueprintAction',
  method: 'POST',
  summary: 'Create an action of a blueprint, in the first form',
  access: 'admin',
  status: 201,
  params: blueprintParams,
  body: blueprintActionBody,
  unknownFields: 'open',
  answer: one,
  errors: ['identifier_taken', 'not_found'],
});

export const replaceBlueprintActions = operation({
  ...ofAll,
  id: 'replaceBlueprintActions',
  method: 'PUT',
  summary: 'Replace all actions of a blueprint, in the first form; those left out are deleted',
  access: 'admin',
  params: blueprintParams,
  body: z.array(blueprintActionBody).max(200),
  answer: all,
  errors: ['identifier_taken', 'not_found'],
});

export const listBlueprintActions = operation({
  ...ofAll,
  id: 'listBlueprintActions',
  method: 'GET',
  summary: 'List the actions of a blueprint, in the first form',
  access: 'token',
  params: blueprintParams,
  answer: all,
  errors: ['not_found'],
});

export const replaceBlueprintAction = operation({
  ...ofOne,
  id: 'replaceBlueprintAction',
  method: 'PUT',
  summary: 'Replace an action of a blueprint, in the first form',
  access: 'admin',
  params: actionParams,
  body: blueprintActionBody,
  unknownFields: 'open',
  answer: one,
  errors: ['identifier_taken', 'not_found'],
});

export const getBlueprintAction = operation({
  ...ofOne,
  id: 'getBlueprintAction',
  method: 'GET',
  summary: 'Read an action of a blueprint, in the first form',
  access: 'token',
  params: actionParams,
  answer: one,
  errors: ['not_found'],
});

export const deleteBlueprintAction = operation({
  ...ofOne,
  id: 'deleteBlueprintAction',
  method: 'DELETE',
  summary: 'Delete an action of a blueprint',
  access: 'admin',
  params: actionParams,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const blueprintActionOperations = [
  createBlueprintAction,
  replaceBlueprintActions,
  listBlueprintActions,
  replaceBlueprintAction,
  getBlueprintAction,
  deleteBlueprintAction,
] as const;
