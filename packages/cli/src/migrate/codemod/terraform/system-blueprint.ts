import { constantText, findAttribute, keyText, listBlocks, listNames, walkExpressions } from '../hcl/read-syntax.ts';
import type { Expression } from '../hcl/syntax.ts';
import { resolveMeanings, resolveText } from './meanings.ts';
import { findInheritance, relationToTeams, removeRelation } from './ownership.ts';
import {
  expressionsIn,
  listModuleCalls,
  resourceNamed,
  sourceText,
  type TerraformFile,
  type TerraformModule,
  type TerraformResource,
  wholeLines,
} from './terraform-module.ts';

const rule = 'terraform/system-blueprint';
/** The attributes and meta-arguments that the system blueprint resource supports. */
const taken = new Set(
  'identifier properties relations mirror_properties calculation_properties include_in_global_search provider depends_on lifecycle'.split(
    ' ',
  ),
);

/** Turns `_user` and `_team` into system blueprint resources, which are imported instead of created. */
export function becomeSystemBlueprints(module: TerraformModule, modules: readonly TerraformModule[]): void {
  for (const resource of module.resources.filter(({ kind }) => kind === 'blueprint')) {
    const identifier = resolveText(findAttribute(resource.block.body, 'identifier')?.value, module);
    if (identifier === '_user' || identifier === '_team') become(resource, identifier, module, modules);
    else if (identifier === undefined) noteAmongOthers(resource, module);
  }
}

/** Notes a resource with several instances, one of which may be a system blueprint. */
function noteAmongOthers({ file, block }: TerraformResource, module: TerraformModule): void {
  const given = findAttribute(block.body, 'for_each')?.value;
  if (given === undefined) return;
  const parts = [given, ...resolveMeanings(given, module).found].flatMap((each) => [...walkExpressions(each)]);
  const texts = parts.flatMap((each) => (each.kind === 'object' ? each.entries.map(keyText) : [constantText(each)]));
  for (const identifier of ['_user', '_team'].filter((each) => texts.includes(each))) {
    const message = `${identifier} is a system blueprint: take it out of for_each, and write a resource of its own.`;
    file.notes.push({ start: given.start, rule, message, breaks: true });
  }
}

/** Whether the migration turns this resource into a system blueprint resource. */
export function isSystem(resource: TerraformResource, module: TerraformModule): boolean {
  const identifier = resolveText(findAttribute(resource.block.body, 'identifier')?.value, module);
  return resource.kind === 'blueprint' && (identifier === '_user' || identifier === '_team');
}

function become(
  resource: TerraformResource,
  identifier: string,
  module: TerraformModule,
  modules: readonly TerraformModule[],
): void {
  const { file, block, prefix, name } = resource;
  const message = `${identifier} is a system blueprint: it is imported, and takes only what is added to it.`;
  const place = findImportPlace(resource, module, modules);
  if (['count', 'for_each'].some((each) => findAttribute(block.body, each) !== undefined) || place === undefined) {
    const advice = `Write a ${prefix}_system_blueprint with a removed and an import block by hand: it is made more than once.`;
    file.notes.push({ start: block.start, rule, message: `${message} ${advice}`, breaks: true });
    return;
  }
  const line = file.source.includes('\r\n') ? '\r\n' : '\n';
  const system = `${prefix}_system_blueprint`;
  const label = block.labels[0]!;
  file.edits.push({ start: label.start, end: label.end, after: `"${system}"`, rule, message });
  leaveOut(resource, module);
  const removed = [
    'removed {',
    `  from = ${prefix}_blueprint.${name}`,
    '  lifecycle {',
    '    destroy = false',
    '  }',
    '}',
  ];
  const address = `${place.path}${system}.${name}`;
  const imported = ['import {', `  to = ${address}`, `  id = "${identifier}"`, '}'];
  const insert = (target: TerraformFile, at: number, lines: readonly string[]): void => {
    target.edits.push({ start: at, end: at, after: `${line}${line}${lines.join(line)}`, rule, message });
  };
  if (!mentions(module, 'removed', 'from', `${prefix}_blueprint.${name}`)) insert(file, block.end, removed);
  const known = [address, `${place.path}${prefix}_blueprint.${name}`];
  if (!known.some((each) => mentions(place.module, 'import', 'to', each))) insert(place.file, place.at, imported);
  followReferences(resource, system, module);
}

/** The place of an import block, in the root module; none if the module may be instantiated more than once. */
function findImportPlace(resource: TerraformResource, module: TerraformModule, modules: readonly TerraformModule[]) {
  let [at, place, path] = [module, { file: resource.file, at: resource.block.end }, ''];
  for (let depth = 0; depth <= modules.length; depth++) {
    const calls = listModuleCalls(at.folder, modules);
    const [call, ...others] = calls;
    if (call === undefined) return { ...place, path, module: at };
    const { block, caller, file } = call;
    if (others.length > 0 || findAttribute(block.body, 'count') || findAttribute(block.body, 'for_each'))
      return undefined;
    path = `module.${block.labels[0]?.text}.${path}`;
    place = { file, at: block.end };
    at = caller;
  }
  return undefined;
}

function mentions({ files }: TerraformModule, block: string, attribute: string, address: string): boolean {
  return files.some((file) =>
    listBlocks(file.body, block).some(({ body }) => {
      const found = findAttribute(body, attribute);
      return found !== undefined && sourceText(file, found.value) === address;
    }),
  );
}

/** Removes the attributes that the platform manages: title, icon, ownership. */
function leaveOut(resource: TerraformResource, module: TerraformModule): void {
  const { file, block } = resource;
  const inheritance = findInheritance(block);
  for (const entry of block.body.entries) {
    if (taken.has(entry.name.text) || (entry.kind === 'block' && entry !== inheritance)) continue;
    const message = `A system blueprint takes no ${entry.name.text}.`;
    file.edits.push({ ...wholeLines(file, entry), after: '', rule, message });
  }
  const relation = relationToTeams(resource, module);
  if (relation !== undefined) removeRelation(resource, relation);
}

/** Renames references to the resource; references to attributes it no longer has become notes. */
function followReferences(resource: TerraformResource, system: string, module: TerraformModule): void {
  const kept = new Set(
    module.files.flatMap(({ body }) =>
      [...listBlocks(body, 'moved'), ...listBlocks(body, 'removed')].flatMap((each) => [...walkExpressions(each.body)]),
    ),
  );
  for (const [file, expression] of expressionsIn(module)) {
    if (expression.kind !== 'access' || resourceNamed(expression, module) !== resource) continue;
    if (kept.has(expression)) {
      const message = `Speaks of ${sourceText(file, expression)}, which becomes a ${system}.`;
      if (sourceText(file, expression).split('.').length === 2)
        file.notes.push({ start: expression.start, rule, message, breaks: false });
      continue;
    }
    const [type, , attribute] = listNames(expression);
    const message = 'Follows the resource to its new type.';
    const value = attribute && findAttribute(resource.block.body, attribute.text)?.value;
    if (attribute === undefined || taken.has(attribute.text) || attribute.text === 'id')
      file.edits.push({ start: type!.start, end: type!.end, after: system, rule, message });
    else if (
      value !== undefined &&
      constantText(value) !== undefined &&
      value.kind === 'template' &&
      value.form === 'quoted'
    ) {
      const after = sourceText(resource.file, value);
      file.edits.push({
        start: expression.start,
        end: expression.end,
        after,
        rule,
        message: `A ${system} has no "${attribute.text}".`,
      });
    } else noteMissing(file, expression, system, attribute.text);
  }
}

function noteMissing(file: TerraformFile, { start }: Expression, system: string, attribute: string): void {
  file.notes.push({ start, rule, message: `A ${system} has no "${attribute}".`, breaks: true });
}
