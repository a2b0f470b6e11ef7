import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../../api/api.ts';
import type { Definition } from '../document/definition.ts';

export type Json = AnswerOf<'testWorkflow'>['test']['steps'][number]['output'];

const ofType: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: false, array: [], object: {} };

/** A sample to begin with: the inputs of a form with their defaults, or the shape of an event. */
export function startSample(trigger: Definition['nodes'][number] | undefined): string {
  return JSON.stringify(toSample(trigger?.config ?? {}), null, 2);
}

function toSample(config: Readonly<Record<string, unknown>>): object {
  if (config['type'] === 'SELF_SERVE_TRIGGER') {
    const form = config['userInputs'] as { properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
    return Object.fromEntries(
      Object.entries(form?.properties ?? {}).map(([key, { type, default: preset, enum: choices }]) => {
        const isPlain = preset !== undefined && (typeof preset !== 'object' || Array.isArray(preset));
        return [key, isPlain ? preset : Array.isArray(choices) ? choices[0] : (ofType[String(type)] ?? null)];
      }),
    );
  }
  if (config['type'] === 'EVENT_TRIGGER') {
    const { blueprintIdentifier: blueprint = '' } = (config['event'] ?? {}) as { blueprintIdentifier?: string };
    const entity = { identifier: 'example', title: 'Example', blueprint, properties: {}, relations: {} };
    const context = { blueprintIdentifier: blueprint, entityIdentifier: 'example' };
    return { action: 'CREATE', resourceType: 'entity', context, diff: { before: null, after: entity } };
  }
  if (config['type'] === 'WEBHOOK_TRIGGER') return { body: {}, headers: {}, queryParams: {} };
  if (config['type'] === 'RUN_TRIGGER') return endedRun((config['event'] ?? {}) as Readonly<Record<string, string>>);
  return { scheduledAt: '2026-01-01T00:00:00.000Z', triggeredAt: '2026-01-01T00:00:00.000Z', missed: 0 };
}

function endedRun({ type, actionIdentifier, workflowIdentifier }: Readonly<Record<string, string>>): object {
  if (type === 'WORKFLOW_RUN_ENDED') {
    const workflow = workflowIdentifier ?? 'example';
    return { type, run: { identifier: 'wfr_example', status: 'COMPLETED', result: 'SUCCESS', workflow } };
  }
  return { type, run: { id: 'r_example', status: 'SUCCESS', action: { identifier: actionIdentifier ?? 'example' } } };
}

export function readJson(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/** What a sample has to be. */
export function readObject(text: string): Readonly<Record<string, Json>> | undefined {
  const value = readJson(text)?.value;
  return isRecord(value) ? (value as Readonly<Record<string, Json>>) : undefined;
}

type Audit = AnswerOf<'getAuditLog'>['audits'][number];

/** What happened, as triggers read it. */
export function toEvent({ action, resourceType, context = {}, trigger, diff }: Audit): object {
  const { blueprint = null, entity = null, property = null } = context as Readonly<Record<string, string>>;
  const about = { blueprintIdentifier: blueprint, entityIdentifier: entity, propertyIdentifier: property };
  return { action, resourceType, trigger, context: about, diff };
}
