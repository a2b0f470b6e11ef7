import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import type { Definition } from './document/definition.ts';

export type StoredWorkflow = AnswerOf<'getWorkflow'>['workflow'];

/** The writable part of a stored workflow. */
export function toDefinition(workflow: StoredWorkflow): Definition {
  const { id, version, versionIdentifier, createdAt, createdBy, updatedAt, updatedBy, ...written } = workflow;
  return written as unknown as Definition;
}

export interface TriggerWords {
  readonly type: string;
  readonly node: string;
  readonly text: string;
  readonly isPublished: boolean;
}

/** What starts a workflow, in words. */
export function triggerWords({ nodes }: Pick<Definition, 'nodes'>): readonly TriggerWords[] {
  return nodes.flatMap(({ config, identifier, title }) => {
    const isPublished = config['published'] !== false;
    const chip = (text: string) => [{ type: config.type, node: identifier, text, isPublished }];
    if (config.type === 'SELF_SERVE_TRIGGER') return chip(t('Form: {title}', { title: title || identifier }));
    if (config.type === 'SCHEDULE_TRIGGER')
      return chip(t('Schedule: {cron} UTC', { cron: String(config['cron'] ?? '') }));
    if (config.type === 'WEBHOOK_TRIGGER') return chip(t('Call from outside: {title}', { title: title || identifier }));
    const event = isRecord(config['event']) ? config['event'] : {};
    if (config.type === 'RUN_TRIGGER') return chip(endWords(event));
    if (config.type !== 'EVENT_TRIGGER') return [];
    const blueprint = String(event['blueprintIdentifier'] ?? '');
    const words: Readonly<Record<string, string>> = {
      ENTITY_CREATED: t('{blueprint} is created', { blueprint }),
      ENTITY_UPDATED: t('{blueprint} is changed', { blueprint }),
      ENTITY_DELETED: t('{blueprint} is deleted', { blueprint }),
      ANY_ENTITY_CHANGE: t('{blueprint} changes', { blueprint }),
      TIMER_EXPIRED: t('A timer of {blueprint} expires', { blueprint }),
    };
    return chip(words[String(event['type'])] ?? String(event['type'] ?? ''));
  });
}

function endWords(event: Readonly<Record<string, unknown>>): string {
  const isAction = event['type'] === 'ACTION_RUN_ENDED';
  const name = String(event[isAction ? 'actionIdentifier' : 'workflowIdentifier'] ?? '');
  if (isAction) return name ? t('A run of the action {name} ends', { name }) : t('A run of an action ends');
  return name ? t('A run of the workflow {name} ends', { name }) : t('A run of a workflow ends');
}
