import { t } from '../../../kit/translate.ts';
import type { Connection, Definition, NodeConfig, WorkflowNode } from '../document/definition.ts';

/** A workflow to begin with. Addresses and blueprints in it are examples, which the builder asks to be changed. */
export interface Template {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly definition: Definition;
}

export const node = (identifier: string, title: string, config: NodeConfig): WorkflowNode => ({
  identifier,
  title,
  config,
});

/** `from → to`, on an outlet or as the fallback where one is named. */
export function connection(from: string, to: string, outlet?: string): Connection {
  const way =
    outlet === undefined ? {} : outlet === 'otherwise' ? { fallback: true } : { sourceOutletIdentifier: outlet };
  return { sourceIdentifier: from, targetIdentifier: to, ...way };
}

export const form = (properties: Readonly<Record<string, unknown>>, required: readonly string[]): NodeConfig => ({
  type: 'SELF_SERVE_TRIGGER',
  published: true,
  userInputs: { properties, required, order: Object.keys(properties) },
  permissions: { roles: ['Member'] },
});

export const call = (url: string, body: unknown): NodeConfig => ({
  type: 'WEBHOOK',
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
  synchronized: true,
});

export const write = (blueprint: string, identifier: string, properties: object, more: object = {}): NodeConfig => ({
  type: 'UPSERT_ENTITY',
  blueprintIdentifier: blueprint,
  mapping: { identifier, ...more, properties },
});

export const approve = (description: string, decline = t('Decline')): NodeConfig => ({
  type: 'INPUT',
  description,
  userInputs: {
    properties: { reason: { type: 'string', title: t('Reason') } },
    required: [],
    order: ['reason'],
    buttons: [
      { identifier: 'approve', label: t('Approve'), variant: 'PRIMARY' },
      { identifier: 'decline', label: decline, variant: 'DANGER' },
    ],
  },
  outlets: [
    { identifier: 'approve', evaluationMethod: 'button', numOfResponders: 1 },
    {
      identifier: 'decline',
      evaluationMethod: 'button',
      numOfResponders: 1,
      workflowStatusLabel: { text: t('Declined'), variant: 'alert' },
    },
  ],
  responders: { roles: ['Admin'] },
});

export const text = (title: string) => ({ type: 'string', title });
export const choice = (title: string, choices: readonly string[]) => ({
  type: 'string',
  title,
  enum: choices,
  default: choices[0],
});
export const entity = (title: string, blueprint: string) => ({ type: 'string', format: 'entity', blueprint, title });
