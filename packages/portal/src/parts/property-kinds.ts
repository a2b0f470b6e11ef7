import { isRecord } from '@portolan/contract/json-value';
import { t } from '../kit/translate.ts';

export type PropertyType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export const typeChoices: readonly { readonly value: PropertyType; readonly label: string }[] = [
  { value: 'string', label: t('Text') },
  { value: 'number', label: t('Number') },
  { value: 'boolean', label: t('Yes or no') },
  { value: 'object', label: t('Object') },
  { value: 'array', label: t('List') },
];

const textFormats: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'date-time', label: t('Date and time') },
  { value: 'url', label: t('Link') },
  { value: 'email', label: 'E-mail address' },
  { value: 'idn-email', label: t('E-mail address, international') },
  { value: 'markdown', label: t('Markdown') },
  { value: 'yaml', label: 'YAML' },
  { value: 'user', label: t('User') },
  { value: 'team', label: t('Team') },
  { value: 'entity', label: t('Entity') },
  { value: 'blueprints', label: t('Blueprint') },
  { value: 'timer', label: t('Timer') },
  { value: 'ipv4', label: 'IPv4 address' },
  { value: 'ipv6', label: 'IPv6 address' },
  { value: 'proto', label: t('Protocol buffers') },
  { value: 'idn-format', label: t('International text') },
];
const labeledUrl = { value: 'labeled-url', label: t('Labelled link') };

/** The formats of a type; for a list pass the type of its items. */
export function formatChoices(type: PropertyType): readonly { readonly value: string; readonly label: string }[] {
  if (type === 'string') return textFormats;
  return type === 'object' ? [labeledUrl] : [];
}

export const specChoices = [
  { value: 'open-api', label: 'OpenAPI' },
  { value: 'async-api', label: 'AsyncAPI' },
  { value: 'embedded-url', label: t('Embedded page') },
] as const;

/** The type and format of a property in words. */
export function kindLabel(property: { type: PropertyType; format?: unknown; items?: unknown; spec?: unknown }): string {
  if (property.type === 'array') {
    const items = (property.items ?? {}) as { type?: PropertyType; format?: string };
    return t('List of {kindLabel}', {
      kindLabel: kindLabel({ type: items.type ?? 'string', format: items.format }).toLowerCase(),
    });
  }
  const spec = specChoices.find(({ value }) => value === property.spec);
  if (spec) return spec.label;
  const format = formatChoices(property.type).find(({ value }) => value === property.format);
  if (format) return format.label;
  const type = typeChoices.find(({ value }) => value === property.type)?.label ?? property.type;
  return typeof property.format === 'string' ? `${type} (${property.format})` : type;
}

/** Parses a text as a value of the type; undefined if empty. @throws Error naming the expected type */
export function readValue(text: string, type: PropertyType): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'string') return text;
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new Error(t('must be true or false'));
  }
  if (type === 'number') {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw new Error(t('must be a number'));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const example = type === 'array' ? '["one", "two"]' : '{ "key": "value" }';
    throw new Error(t('must be JSON, such as {example}', { example }));
  }
  const isRight = type === 'array' ? Array.isArray(value) : isRecord(value);
  if (!isRight) throw new Error(type === 'array' ? t('must be a list') : t('must be an object'));
  return value;
}

export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
