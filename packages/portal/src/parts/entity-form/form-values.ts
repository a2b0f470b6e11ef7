import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import type { Field, FieldEntity } from '../entities/fields.ts';
import { fieldValue, relationKey } from '../entities/fields.ts';

/** Values of a form by field key. */
export type FormValues = Readonly<Record<string, unknown>>;

/** Invalid JSON from an editor; kept as typed and never sent. */
export class Unreadable {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The fields that people fill in: without derived values and platform metadata. */
export function writtenFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    ({ source, key }) => source === 'property' || source === 'relation' || key === '$title' || key === '$team',
  );
}

/** Initial values: those of the entity, or the defaults of a new one. */
export function toFormValues(entity: FieldEntity | undefined, fields: readonly Field[]): FormValues {
  return Object.fromEntries(
    writtenFields(fields).map((field) => [
      field.key,
      entity ? (fieldValue(entity, field) ?? null) : (field.shape['default'] ?? null),
    ]),
  );
}

interface EntityParts {
  title?: string | null;
  team?: readonly string[];
  properties?: Record<string, unknown>;
  relations?: Record<string, unknown>;
}

/** The values to send: only changed fields for an update, only filled ones for a new entity. */
export function toEntityParts(values: FormValues, fields: readonly Field[], before?: FormValues): EntityParts {
  const body: EntityParts = {};
  for (const { key, source } of writtenFields(fields)) {
    const value = isBlank(values[key]) ? null : values[key];
    if (before ? isSame(value, isBlank(before[key]) ? null : before[key]) : value === null) continue;
    if (key === '$title') body.title = value as string | null;
    else if (key === '$team') body.team = (value ?? []) as string[];
    else if (source === 'relation') body.relations = { ...body.relations, [relationKey({ key })]: value };
    else body.properties = { ...body.properties, [key]: value };
  }
  return body;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Whether two values are equal, regardless of the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The server's issues by field; the others go above the form. */
export function issuesByField(
  issues: readonly Issue[],
  fields: readonly Field[],
): { readonly byField: Readonly<Record<string, string>>; readonly others: readonly Issue[] } {
  const byField: Record<string, string> = {};
  const others: Issue[] = [];
  for (const issue of issues) {
    const [, head = '', key = '', ...rest] = issue.path
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = fields.find((field) => {
      if (head === 'title' || head === 'team') return field.key === `$${head}`;
      if (field.source === 'relation') return head === 'relations' && relationKey(field) === key;
      return head === 'properties' && field.source === 'property' && field.key === key;
    });
    const isIdentifier = head === 'identifier';
    if (!found && !isIdentifier) others.push(issue);
    else {
      const name = found?.key ?? '$identifier';
      const place = rest.length > 0 && found ? `${placeText(rest)}: ` : '';
      byField[name] = [byField[name], `${place}${issue.message}`].filter(Boolean).join('; ');
    }
  }
  return { byField, others };
}

function placeText(path: readonly string[]): string {
  const [first = '', ...rest] = path;
  const name = /^\d+$/.test(first) ? t('item {value}', { value: Number(first) + 1 }) : first;
  return [name, ...rest].join('.');
}

/** Problems that can be found without the server. */
export function findProblems(values: FormValues, fields: readonly Field[]): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { key, isRequired } of writtenFields(fields)) {
    const value = values[key];
    if (value instanceof Unreadable) problems[key] = t('is not JSON yet');
    else if (isRequired && (isBlank(value) || (Array.isArray(value) && value.length === 0)))
      problems[key] = 'is required';
  }
  return problems;
}
