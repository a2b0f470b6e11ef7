import type { JsonObject, JsonValue, SchemaProperty } from './organization.ts';

/** What the tests need of JSON Schema: the keywords that the demo's blueprints use. Returns the complaints. */
export function checkValue(value: JsonValue, schema: Partial<SchemaProperty>): string[] {
  if (value === null) return [];
  const typeOf = Array.isArray(value) ? 'array' : typeof value;
  if (schema.type !== undefined && schema.type !== typeOf) return [`is ${typeOf}, not ${schema.type}`];
  const complaints: string[] = [];
  if (schema.enum && !schema.enum.some((choice) => choice === value)) complaints.push(`${value} is not in the enum`);
  if (typeof value === 'string') complaints.push(...checkText(value, schema));
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) complaints.push('is too small');
    if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) complaints.push('is too large');
  }
  if (Array.isArray(value)) {
    if (schema.uniqueItems && new Set(value).size !== value.length) complaints.push('repeats an item');
    complaints.push(...value.flatMap((item) => checkValue(item, schema.items ?? {})));
  } else if (typeof value === 'object') {
    complaints.push(...checkObject(value, schema));
  }
  return complaints;
}

const formats: Record<string, (text: string) => boolean> = {
  url: (text) => URL.canParse(text) && text.startsWith('https://'),
  email: isAddress,
  user: isAddress,
  ipv4: (text) => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) < 256),
  ipv6: (text) => URL.canParse(`http://[${text}]/`),
  'date-time': isMoment,
  timer: isMoment,
  markdown: () => true,
  yaml: () => true,
  proto: (text) => text.startsWith('syntax = "proto3";'),
};

function checkText(text: string, { format, pattern }: Partial<SchemaProperty>): string[] {
  const complaints: string[] = [];
  if (pattern !== undefined && !new RegExp(pattern).test(text)) complaints.push(`${text} does not match ${pattern}`);
  if (format !== undefined && !formats[format]?.(text)) complaints.push(`${text} is no ${format}`);
  return complaints;
}

function checkObject(value: JsonObject, schema: Partial<SchemaProperty>): string[] {
  if (schema.format === 'labeled-url') return checkValue(value['url'] ?? '', { type: 'string', format: 'url' });
  const missing = (schema.required ?? []).filter((key) => !(key in value)).map((key) => `misses ${key}`);
  const nested = Object.entries(value).flatMap(([key, item]) => {
    const keyword =
      schema.properties?.[key] ??
      Object.entries(schema.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern).test(key))?.[1];
    if (keyword !== undefined) return checkValue(item, keyword as Partial<SchemaProperty>);
    return schema.additionalProperties === false ? [`has the unknown key ${key}`] : [];
  });
  return [...missing, ...nested];
}

function isAddress(text: string): boolean {
  return /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(text);
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text));
}
