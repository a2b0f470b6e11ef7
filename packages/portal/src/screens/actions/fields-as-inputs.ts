import type { UserInputs } from '@portolan/contract/action-inputs';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import type { Draft } from './action-draft.ts';

type Blueprint = Pick<AnswerOf<'getBlueprint'>['blueprint'], 'schema'>;
type Properties = Blueprint['schema']['properties'];

/** Formats of texts that forms have as well. */
const formats = new Set([undefined, 'url', 'email', 'user', 'team', 'date-time', 'markdown', 'yaml']);
const parts = ['type', 'title', 'description', 'format', 'enum', 'enumColors', 'default'] as const;

/** The blueprint that a form without inputs could ask for, as its backend writes such entities. */
export function blueprintToAskFor({ trigger, invocationMethod }: Draft): string | undefined {
  const { type, blueprintIdentifier } = invocationMethod;
  const isWritten = trigger.operation === 'CREATE' && type === 'UPSERT_ENTITY';
  return isWritten && typeof blueprintIdentifier === 'string' && blueprintIdentifier !== ''
    ? blueprintIdentifier
    : undefined;
}

/**
 * The action with an input for the title, the identifier and each simple property of the blueprint, and a backend that
 * writes what was filled in. What the backend has already stays.
 */
export function askForFields(draft: Draft, { schema }: Blueprint): Draft {
  const { trigger, invocationMethod } = draft;
  const named: UserInputs['properties'] = {
    title: { type: 'string', title: t('Title') },
    identifier: {
      type: 'string',
      title: t('Identifier'),
      description: t('Letters and digits without blanks, such as search-index'),
      pattern: '^[A-Za-z0-9@_.+:/=-]+$',
    },
  };
  const keys = Object.keys(schema.properties).filter(
    (key) => !Object.hasOwn(named, key) && isSimple(schema.properties, key),
  );
  const properties = {
    ...named,
    ...Object.fromEntries(keys.map((key) => [key, toInput(schema.properties, key)])),
  } as UserInputs['properties'];
  const mapping = isRecord(invocationMethod['mapping']) ? invocationMethod['mapping'] : {};
  return {
    ...draft,
    trigger: {
      ...trigger,
      userInputs: {
        ...trigger.userInputs,
        properties,
        required: ['title', 'identifier', ...keys.filter((key) => schema.required?.includes(key))],
        order: Object.keys(properties),
      },
    } as SelfServiceTrigger,
    invocationMethod: {
      ...invocationMethod,
      mapping: {
        identifier: inputTemplate('identifier'),
        title: inputTemplate('title'),
        ...mapping,
        properties: {
          ...Object.fromEntries(keys.map((key) => [key, inputTemplate(key)])),
          ...(isRecord(mapping['properties']) ? mapping['properties'] : {}),
        },
      },
    },
  };
}

function isSimple(properties: Properties, key: string): boolean {
  const { type, format } = properties[key] ?? {};
  return type === 'number' || type === 'boolean' || (type === 'string' && formats.has(format));
}

function toInput(properties: Properties, key: string): Record<string, unknown> {
  const property = (properties[key] ?? {}) as Record<string, unknown>;
  return Object.fromEntries(parts.flatMap((part) => (property[part] === undefined ? [] : [[part, property[part]]])));
}

function inputTemplate(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `{{ .inputs.${key} }}` : `{{ .inputs[${JSON.stringify(key)}] }}`;
}
