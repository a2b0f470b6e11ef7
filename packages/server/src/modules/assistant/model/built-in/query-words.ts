import { displayTitle, type EntityInfo } from './catalog.ts';
import type { Condition, Counted, NameRef, Query } from './query.ts';
import { type Field, isDate, type Schema } from './schema.ts';
import { spanWords } from './time.ts';

/** The understood query in words, as every answer begins: "Services, Lifecycle production, without On call". */
export function queryWords(query: Query, schema: Schema): string {
  const plural = (of: string): string => schema.find(of)?.plural ?? of;
  const things = (of: string, where: readonly Condition[]): string =>
    [plural(of), ...where.map((each) => conditionWords(each, schema))].join(', ');
  switch (query.ask) {
    case 'list':
    case 'count':
    case 'exists':
      return things(query.of, query.where);
    case 'top':
      return `${things(query.of, query.where)}, ${rankWords(query, schema)}`;
    case 'group': {
      const by =
        query.by.kind === 'field'
          ? query.by.field.title
          : query.by.kind === 'owner'
            ? 'owning team'
            : `level of ${query.by.title}`;
      return `${things(query.of, query.where)}, by ${by}`;
    }
    case 'figure':
      return `${figureWords[query.func]} of ${query.field.title} over ${things(query.of, query.where)}`;
    case 'owner':
      return `Owner of ${nameWords(query.name, schema)}`;
    case 'teams':
      return `Teams of ${nameWords(query.name, schema)}`;
    case 'field':
      return `${query.field.title} of ${nameWords(query.name, schema)}`;
    case 'level':
      return `Level of ${nameWords(query.name, schema)} on ${query.title}`;
    case 'get':
      return nameWords(query.name, schema);
    case 'type':
      return `The type ${schema.find(query.of)?.title ?? query.of}`;
    case 'compare':
      return `${query.field ? `${query.field.title} of ` : ''}${query.names.map((name) => nameWords(name, schema)).join(' and ')}`;
    case 'linked': {
      const [first] = query.steps;
      const step = first ? stepWords(first.step, query.name, query.isClosure) : '';
      return `${query.steps.map(({ type }) => plural(type)).join(' and ')}, ${step}`;
    }
  }
}

const figureWords = { sum: 'Sum', average: 'Average', min: 'Minimum', max: 'Maximum', median: 'Median' };

function rankWords({ by, order, limit }: Extract<Query, { ask: 'top' }>, schema: Schema): string {
  const many = limit > 1 ? `first ${limit} by ` : '';
  if ('key' in by) {
    const words = isDate(by) ? ['latest', 'earliest'] : ['highest', 'lowest'];
    return `${many}${words[order === 'desc' ? 0 : 1]} ${by.title}`;
  }
  return `${many}${order === 'desc' ? 'most' : 'fewest'} ${countedWords(by, schema)}`;
}

function countedWords({ type, step, where }: Counted, schema: Schema): string {
  const via = step === 'owner' ? ' (owned)' : ` (${plain(step.title)})`;
  return [`${schema.find(type)?.plural ?? type}${via}`, ...where.map((each) => conditionWords(each, schema))].join(
    ', ',
  );
}

function conditionWords(condition: Condition, schema: Schema): string {
  switch (condition.kind) {
    case 'value':
      return valueWords(condition.field, condition.op, condition.value);
    case 'person':
      return `${plain(condition.field.title)} ${titleOf(condition.name)}`;
    case 'empty': {
      const what = condition.field === 'owner' ? 'owner' : plain(condition.field.title);
      return condition.isEmpty ? `without ${what}` : `with ${what}`;
    }
    case 'window':
      return `${plain(condition.field.title)} ${spanWords(condition.span)}`;
    case 'owned':
      return condition.team === 'caller' ? 'owned by your teams' : `owned by ${titleOf(condition.team)}`;
    case 'linked':
      return `linked to ${titleOf(condition.name)}`;
    case 'step':
      return stepWords(condition.step, condition.name, condition.isClosure);
    case 'level':
      return `${condition.words} on ${plain(condition.title)}`;
    case 'rule':
      return `${condition.passes ? 'passing' : 'failing'} “${plain(condition.title)}”`;
    case 'given':
      return `of the ${condition.identifiers.length} before`;
    case 'has':
      return `${condition.isEmpty ? 'without' : 'with'} ${countedWords(condition.counted, schema)}`;
  }
}

function valueWords({ title, type }: Field, op: string, value: unknown): string {
  const name = plain(title);
  if (type === 'boolean') return value === true ? name : `not ${name}`;
  const said = plain(Array.isArray(value) ? value.join(' or ') : String(value));
  if (op === '!=') return `${name} not ${said}`;
  return op === '=' || op === 'in' || op === 'containsAny' ? `${name} ${said}` : `${name} ${op} ${said}`;
}

function stepWords(step: { title: string; way: 'forth' | 'back' }, name: NameRef, isClosure: boolean): string {
  const closure = isClosure ? ', directly or over others' : '';
  const title = plain(step.title);
  return step.way === 'forth' ? `${title} ${titleOf(name)}${closure}` : `in ${title} of ${titleOf(name)}${closure}`;
}

/** As in "Rate Engine (Service)". */
function nameWords({ text, entity }: NameRef, schema: Schema): string {
  if (!entity) return plain(text);
  return entityWords(entity, schema);
}

export function entityWords(entity: EntityInfo, schema: Schema): string {
  const type = schema.find(entity.blueprint ?? '');
  return `${plain(displayTitle(entity))}${type ? ` (${plain(type.title)})` : ''}`;
}

function titleOf({ text, entity }: NameRef): string {
  return plain(entity ? displayTitle(entity) : text);
}

/** Keeps catalog text from becoming Markdown structure. */
export function plain(text: string): string {
  return text.replace(/[\\`*[\]<>|#]/g, (sign) => `\\${sign}`).replace(/\s*\n\s*/g, ' ');
}
