import { findAttribute, keyText, listBlocks, listNames, walkExpressions } from '../hcl/read-syntax.ts';
import type { Attribute, Block, Expression, ObjectEntry, Span } from '../hcl/syntax.ts';
import type { TextEdit } from '../text-edit.ts';
import { resolveEntries, resolveEntry, resolveMeanings, resolveText } from './meanings.ts';
import {
  expressionsIn,
  resourceNamed,
  sourceText,
  type TerraformModule,
  type TerraformResource,
  wholeLines,
} from './terraform-module.ts';

const rule = 'terraform/ownership';
const replaced = 'team_inheritance is replaced by ownership.';
const named = 'Ownership names its type.';
const inherited = 'type = "Inherited"';
const typed = `{ ${inherited} }`;

/**
 * Replaces `team_inheritance` by `ownership`. If it goes over the blueprint's own relation to teams, ownership becomes
 * Direct and the relation is removed.
 */
export function inheritOwnership(resource: TerraformResource, module: TerraformModule): void {
  const { file, block } = resource;
  const inheritance = findInheritance(block);
  if (inheritance === undefined) return;
  if (findAttribute(block.body, 'ownership') !== undefined) {
    file.edits.push({
      ...wholeLines(file, inheritance),
      after: '',
      rule,
      message: 'ownership stands beside it already.',
    });
    return;
  }
  const relation = relationToTeams(resource, module);
  if (relation !== undefined) {
    const message = `Teams come over the relation "${keyText(relation)}", which becomes ownership.`;
    file.edits.push({ ...toSpan(inheritance), after: 'ownership = { type = "Direct" }', rule, message });
    removeRelation(resource, relation);
    return;
  }
  const path = resolvePath(inheritance, module);
  const isNothing = inheritance.kind === 'attribute' && inheritance.value.kind === 'literal';
  if (path === undefined && !isNothing) {
    const message = 'The path is not known here. If it is a relation to teams, ownership must be Direct instead.';
    file.notes.push({ start: inheritance.start, rule, message, breaks: false });
  } else if (path?.includes('.') && leadsOverRelation(path, module)) {
    const message = `The path "${path}" ends with a relation to teams, which goes: end it before.`;
    file.notes.push({ start: inheritance.start, rule, message, breaks: true });
  }
  if (inheritance.kind === 'attribute') renameAttribute(resource, inheritance, module);
  else if (inheritance.name.text === 'dynamic') fromDynamic(resource, inheritance);
  else file.edits.push(...fromBlock(resource, inheritance));
}

const toSpan = ({ start, end }: Span): Span => ({ start, end });

/** An attribute, a block or a dynamic block. */
export function findInheritance({ body }: Block): Attribute | Block | undefined {
  return (
    findAttribute(body, 'team_inheritance') ??
    listBlocks(body, 'team_inheritance')[0] ??
    listBlocks(body, 'dynamic').find(({ labels }) => labels[0]?.text === 'team_inheritance')
  );
}

function resolvePath(inheritance: Attribute | Block, module: TerraformModule): string | undefined {
  if (inheritance.kind === 'attribute') {
    const paths = new Set(
      resolveEntries(inheritance.value, module).flatMap((entry) =>
        keyText(entry) === 'path' ? [resolveText(entry.value, module)] : [],
      ),
    );
    return paths.size === 1 && resolveMeanings(inheritance.value, module).isWhole ? [...paths][0] : undefined;
  }
  const content = inheritance.name.text === 'dynamic' ? listBlocks(inheritance.body, 'content')[0] : inheritance;
  return resolveText(content && findAttribute(content.body, 'path')?.value, module);
}

/** The blueprint's relation to teams from which it inherits its owners. */
export function relationToTeams({ block }: TerraformResource, module: TerraformModule): ObjectEntry | undefined {
  const inheritance = findInheritance(block);
  const path = inheritance && resolvePath(inheritance, module);
  const relation =
    path === undefined ? undefined : resolveEntry(findAttribute(block.body, 'relations')?.value, path, module);
  const target = relation && resolveText(resolveEntry(relation.value, 'target', module)?.value, module);
  return target === '_team' ? relation : undefined;
}

/** Whether a path ends at a relation that another blueprint loses. */
function leadsOverRelation(path: string, module: TerraformModule): boolean {
  const last = path.split('.').at(-1);
  const lost = module.resources.filter(({ kind }) => kind === 'blueprint').map((each) => relationToTeams(each, module));
  return lost.some((relation) => relation !== undefined && keyText(relation) === last);
}

/** Removes a relation to teams from the blueprint that declares it. */
export function removeRelation({ file, block }: TerraformResource, relation: ObjectEntry): void {
  const isHere = [...walkExpressions(block.body)].includes(relation.value);
  const message = `The relation "${keyText(relation)}" to teams goes.`;
  if (isHere) file.edits.push({ ...wholeLines(file, relation), after: '', rule, message });
  else file.notes.push({ start: block.start, rule, message: `${message} It is written elsewhere.`, breaks: true });
}

function renameAttribute({ file }: TerraformResource, { name, value }: Attribute, module: TerraformModule): void {
  file.edits.push(
    { ...toSpan(name), after: 'ownership', rule, message: replaced },
    ...typeEdits(value, module, (span) => sourceText(file, span)),
  );
}

/** The edits that set the type in every object that an expression may be. */
function typeEdits(
  value: Expression,
  module: TerraformModule,
  text: (span: Span) => string,
  isInner = false,
): TextEdit[] {
  const insert = (start: number, after: string): TextEdit => ({ start, end: start, after, rule, message: named });
  switch (value.kind) {
    case 'group':
      return typeEdits(value.body, module, text);
    case 'conditional':
      return [value.then, value.otherwise].flatMap((each) => typeEdits(each, module, text, true));
    case 'object': {
      if (isTyped(value)) return [];
      const [first] = value.entries;
      const between = first === undefined ? ' ' : text({ start: value.start + 1, end: first.start });
      return [typeAfter(value.start + 1, between, first !== undefined)];
    }
    case 'literal':
      return [];
    default: {
      const { found, isWhole } = resolveMeanings(value, module);
      const objects = found.filter(({ kind }) => kind === 'object');
      if (isWhole && objects.length > 0 && objects.every((each) => resolveEntry(each, 'type', module) !== undefined))
        return [];
      if (value.kind === 'call' && value.name.text === 'merge' && value.arguments.some(isTyped)) return [];
      if (value.kind === 'call' && value.name.text === 'merge') return [insert(value.name.end + 1, `${typed}, `)];
      if (isWhole && objects.length === found.length)
        return [insert(value.start, `merge(${typed}, `), insert(value.end, ')')];
      // a resource reference may itself be edited, so the edit must not duplicate it
      const isShort = ['local', 'var', 'each', 'module'].includes(listNames(value)[0]?.text ?? '');
      if (!isShort)
        return [
          insert(value.start, 'one([for inheritance in ['),
          insert(value.end, `] : merge(${typed}, inheritance) if inheritance != null])`),
        ];
      const [open, close] = isInner ? ['(', ')'] : ['', ''];
      return [
        insert(value.start, `${open}${text(value)} == null ? null : merge(${typed}, `),
        insert(value.end, `)${close}`),
      ];
    }
  }
}

const isTyped = (value: Expression): boolean =>
  value.kind === 'object' && value.entries.some((entry) => keyText(entry) === 'type');

/** The older block form, `team_inheritance { path = … }`. */
function fromBlock({ file }: TerraformResource, { name, body }: Block): TextEdit[] {
  const [first] = body.entries;
  const between = first === undefined ? ' ' : file.source.slice(body.start + 1, first.start);
  return [
    { start: name.start, end: body.start, after: 'ownership = ', rule, message: replaced },
    typeAfter(body.start + 1, between, first !== undefined),
  ];
}

/** Inserts the type as the first entry of an object, in the layout of the next entry. */
function typeAfter(start: number, between: string, hasOthers: boolean): TextEdit {
  const after = `${between}${inherited}${hasOthers && !between.includes('\n') ? ',' : ''}`;
  return { start, end: start, after, rule, message: named };
}

/** `ownership` is an attribute, not a block, so a dynamic block becomes a list with at most one member. */
function fromDynamic({ file }: TerraformResource, { start, end, body }: Block): void {
  const given = findAttribute(body, 'iterator')?.value;
  const iterator = given === undefined ? 'team_inheritance' : sourceText(file, given);
  const content = listBlocks(body, 'content')[0];
  const path = content && findAttribute(content.body, 'path')?.value;
  const collection = findAttribute(body, 'for_each')?.value;
  if (path === undefined || collection === undefined || path.start < collection.end) {
    const message = `${replaced} Write it by hand: this block has no path after its for_each.`;
    file.notes.push({ start, rule, message, breaks: true });
    return;
  }
  const replace = (from: number, to: number, after: string): TextEdit => ({
    start: from,
    end: to,
    after,
    rule,
    message: replaced,
  });
  file.edits.push(
    replace(start, collection.start, `ownership = one([for ${iterator}_key, ${iterator} in `),
    replace(collection.end, path.start, ` : { ${inherited}, path = `),
    ...[...walkExpressions(path)].flatMap((each) => iteratorEdit(each, iterator)),
    replace(path.end, end, ' }])'),
  );
}

/** In a for expression, `x.value` becomes `x`, and `x.key` gets its own variable. */
function iteratorEdit(expression: Expression, iterator: string): TextEdit[] {
  if (expression.kind !== 'access' || expression.from.kind !== 'variable' || expression.from.name !== iterator)
    return [];
  const [step] = expression.steps;
  const after = { value: iterator, key: `${iterator}_key` }[step?.kind === 'attribute' ? step.name.text : ''];
  return after === undefined ? [] : [{ start: expression.start, end: step!.end, after, rule, message: replaced }];
}

/** Updates other mentions of the attribute: references, and `ignore_changes`. */
export function followOwnership(module: TerraformModule): void {
  for (const [file, expression] of expressionsIn(module)) {
    const [, , attribute] = listNames(expression);
    const isOwn = attribute?.text === 'team_inheritance' && resourceNamed(expression, module)?.kind === 'blueprint';
    if (isOwn) file.edits.push({ ...toSpan(attribute), after: 'ownership', rule, message: replaced });
  }
  for (const { file, block } of module.resources.filter(({ kind }) => kind === 'blueprint')) {
    for (const { body } of listBlocks(block.body, 'lifecycle')) {
      for (const each of walkExpressions(body)) {
        if (each.kind === 'variable' && each.name === 'team_inheritance')
          file.edits.push({ ...toSpan(each), after: 'ownership', rule, message: replaced });
      }
    }
  }
}
