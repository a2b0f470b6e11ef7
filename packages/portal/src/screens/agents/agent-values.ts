import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

type Entity = AnswerOf<'getEntity'>['entity'];

/** An agent in the shape of its form. */
export interface AgentValues {
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly executionMode: string;
  readonly starters: readonly string[];
  readonly provider: string;
  readonly model: string;
  /** `strict`: only what is backed by what it read. A label of its own in the form. */
  readonly receipts: string;
  readonly labels: string;
}

export const promptCharactersMax = 2500;
export const readPattern = '^(list|get|search|track|describe)_.*';

export const emptyAgent: AgentValues = {
  title: '',
  description: '',
  status: 'active',
  prompt: '',
  tools: [readPattern],
  executionMode: 'Approval Required',
  starters: [],
  provider: '',
  model: '',
  receipts: 'off',
  labels: '',
};

export function toAgentValues(entity: Entity): AgentValues {
  const properties = (entity.properties ?? {}) as Readonly<Record<string, unknown>>;
  const { receipts, ...labels } = isRecord(properties['labels']) ? properties['labels'] : {};
  const isStrict = receipts === 'strict';
  // another value than ours is a label like any other
  const shown = isStrict || receipts === undefined ? labels : { receipts, ...labels };
  return {
    title: entity.title ?? '',
    description: text(properties['description']),
    status: text(properties['status']) || 'inactive',
    prompt: text(properties['prompt']),
    tools: texts(properties['tools']),
    executionMode: text(properties['execution_mode']) || 'Approval Required',
    starters: texts(properties['conversation_starters']),
    provider: text(properties['provider']),
    model: text(properties['model']),
    receipts: isStrict ? 'strict' : 'off',
    labels: Object.keys(shown).length === 0 ? '' : JSON.stringify(shown, null, 2),
  };
}

/** The properties to write; emptied fields are removed. */
export function toAgentBody(values: AgentValues) {
  return {
    title: values.title.trim(),
    properties: {
      description: values.description.trim() || null,
      status: values.status,
      prompt: values.prompt,
      tools: values.tools.filter((pattern) => pattern.trim() !== ''),
      execution_mode: values.executionMode,
      conversation_starters: values.starters.filter((starter) => starter.trim() !== ''),
      provider: values.provider.trim() || null,
      model: values.model.trim() || null,
      labels: toLabels(values),
    },
  };
}

function toLabels({ labels, receipts }: AgentValues): Readonly<Record<string, unknown>> | null {
  const written = labels.trim() === '' ? {} : (JSON.parse(labels) as Record<string, unknown>);
  const all = receipts === 'strict' ? { ...written, receipts } : written;
  return Object.keys(all).length === 0 ? null : all;
}

/** Counts characters as the server does: by code point. */
export function characterCount(prompt: string): number {
  return [...prompt].length;
}

/** Problems that prevent saving, by field. */
export function findAgentProblems(values: AgentValues): Readonly<Partial<Record<keyof AgentValues, string>>> {
  const over = characterCount(values.prompt) - promptCharactersMax;
  return {
    ...(values.title.trim() ? {} : { title: t('An agent needs a title') }),
    ...(values.prompt.trim() ? {} : { prompt: t('An agent needs a prompt') }),
    ...(over > 0 ? { prompt: t('{over} characters too many', { over }) } : {}),
    ...(isLabels(values.labels) ? {} : { labels: 'Write a JSON object, such as {"team": "payments"}' }),
  };
}

function isLabels(given: string): boolean {
  if (given.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(given);
    return isRecord(value);
  } catch {
    return false;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
