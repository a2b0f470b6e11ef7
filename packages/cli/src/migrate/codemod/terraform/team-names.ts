import { constantText, findAttribute, keyText, listChildren, listNames, walkExpressions } from '../hcl/read-syntax.ts';
import type { Access, Expression, Name } from '../hcl/syntax.ts';
import { resolveText } from './meanings.ts';
import type { TerraformFile, TerraformModule, TerraformResource } from './terraform-module.ts';

/** Team identifiers by title, where known. */
export interface KnownTeams {
  readonly identifierOf: ReadonlyMap<string, string>;
  readonly identifiers: ReadonlySet<string>;
}

const rule = 'terraform/team-identifier';
const message = 'Teams are named by their identifiers.';
/** Functions whose result holds the values of their arguments. */
const passing = new Set(
  'concat toset tolist compact distinct flatten setunion setintersection setsubtract sort try coalesce coalescelist one nonsensitive values'.split(
    ' ',
  ),
);
const isOfTeams = (name: string): boolean => name === 'team' || name === 'teams';

/** Context for reading a list of teams. */
interface ReadContext {
  readonly file: TerraformFile;
  readonly module: TerraformModule;
  readonly known: KnownTeams;
  /** True for an attribute of the provider's resources, which can only hold teams. */
  readonly isCertain: boolean;
  /** `for` variables that stand for a team. */
  readonly teams: readonly string[];
}

/** In lists of teams, replaces `<prefix>_team.x.name` by `.identifier`, and known titles by identifiers. */
export function nameTeamsByIdentifier(module: TerraformModule, known: KnownTeams): void {
  const followed = new Set<string>();
  for (const resource of module.resources) {
    const { file } = resource;
    for (const value of listsOfResource(resource))
      readList(value, { file, module, known, isCertain: true, teams: [] }, followed);
  }
  for (const file of module.files) {
    for (const { name, body, kind } of file.body.entries.filter((entry) => entry.kind === 'block')) {
      if (kind !== 'block' || !['locals', 'module', 'output'].includes(name.text)) continue;
      for (const value of findLists(body))
        readList(value, { file, module, known, isCertain: false, teams: [] }, followed);
    }
  }
}

/** Where resources name teams. Elsewhere a key of that name is user-defined, or holds an expression. */
function listsOfResource({ kind, block: { body } }: TerraformResource): Expression[] {
  if (kind.endsWith('_permissions')) return findLists(body);
  const within = { entity: 'teams', action: 'upsert_entity_method' }[kind];
  const attribute = within === undefined ? undefined : findAttribute(body, within);
  return attribute === undefined ? [] : findLists({ ...body, entries: [attribute] });
}

/** The values of all attributes called `team` or `teams`, outermost first. */
function findLists(body: Parameters<typeof walkExpressions>[0]): Expression[] {
  const lists: Expression[] = [];
  const walk = (node: Expression): void => {
    if (node.kind === 'object') {
      for (const entry of node.entries) {
        if (isOfTeams(keyText(entry) ?? '')) lists.push(entry.value);
        else walk(entry.value);
      }
    } else for (const child of listChildren(node)) walk(child);
  };
  const walkBody = (part: typeof body): void => {
    if (!('entries' in part) || 'kind' in part) return;
    for (const entry of part.entries) {
      if (entry.kind === 'block') walkBody(entry.body);
      else if (isOfTeams(entry.name.text)) lists.push(entry.value);
      else walk(entry.value);
    }
  };
  walkBody(body);
  return lists;
}

function readList(node: Expression, reading: ReadContext, followed: Set<string>): void {
  const { file, module, isCertain } = reading;
  const read = (parts: readonly Expression[]): void => {
    for (const part of parts) readList(part, reading, followed);
  };
  const note = (text: string, breaks = false): void => {
    if (isCertain) file.notes.push({ start: node.start, rule, message: text, breaks });
  };
  const title = constantText(node);
  if (title !== undefined) return readTitle(node, title, reading);
  switch (node.kind) {
    case 'literal':
      return;
    case 'template':
      // a template of an action is rewritten as an expression instead
      return read(listChildren(node));
    case 'tuple':
    case 'group':
      return read(listChildren(node));
    case 'conditional':
      return read([node.then, node.otherwise]);
    case 'call':
      if (passing.has(node.name.text)) return read(node.arguments);
      if (node.name.text === 'jsonencode') return;
      return note(`What ${node.name.text}() gives is not known here: teams must be named by their identifiers.`);
    case 'for': {
      const isTeam = findTeam(node.collection, reading) !== undefined;
      const name = node.names.at(-1)!.text;
      return readList(node.value, { ...reading, teams: isTeam ? [...reading.teams, name] : reading.teams }, followed);
    }
    case 'access': {
      const team = findTeam(node, reading);
      if (team?.attribute !== undefined) return renameAttribute(team.attribute, file);
      if (team !== undefined) return;
      const [root, name] = listNames(node);
      const local = root?.text === 'local' && node.steps.length === 1 ? module.locals.get(name!.text) : undefined;
      if (local === undefined) break;
      return followLocal(local, name!.text, reading, followed);
    }
    default:
  }
  const [root] = listNames(node);
  note(`What ${root?.text ?? 'this'} holds is not known here: teams must be named by their identifiers.`);
}

function renameAttribute({ text, start, end }: Name, file: TerraformFile): void {
  if (text === 'name' || text === 'id') file.edits.push({ start, end, after: 'identifier', rule, message });
}

/** The team attribute that a reference reads; an empty object if the reference is the teams themselves. */
function findTeam(node: Expression, { module, teams }: ReadContext): { readonly attribute?: Name } | undefined {
  if (node.kind === 'call' && node.name.text === 'values')
    return findTeam(node.arguments[0]!, { module, teams } as ReadContext);
  if (node.kind === 'variable') return teams.includes(node.name) ? {} : undefined;
  if (node.kind !== 'access') return undefined;
  const isBound = node.from.kind === 'variable' && teams.includes(node.from.name);
  const isResource = [...module.prefixes].some((prefix) => listNames(node)[0]?.text === `${prefix}_team`);
  const isInner = node.from.kind === 'call' && findTeam(node.from, { module, teams } as ReadContext) !== undefined;
  if (!isBound && !isResource && !isInner) return undefined;
  const attribute = lastName(node, isResource ? 1 : 0);
  return attribute === undefined ? {} : { attribute };
}

/** The last named step after those that lead to the team. */
function lastName({ steps }: Access, from: number): Name | undefined {
  const last = steps.slice(from).at(-1);
  return last?.kind === 'attribute' ? last.name : undefined;
}

/**
 * Edits a local that holds only teams at its definition. A local that is also read elsewhere is left for a manual
 * change.
 */
function followLocal(
  { file, value }: { readonly file: TerraformFile; readonly value: Expression },
  name: string,
  reading: ReadContext,
  followed: Set<string>,
): void {
  if (followed.has(name)) return;
  followed.add(name);
  const uses = [...reading.module.files].flatMap((each) =>
    [...walkExpressions(each.body)].filter(
      (node) => listNames(node)[0]?.text === 'local' && listNames(node)[1]?.text === name && node.kind === 'access',
    ),
  );
  const lists = reading.module.files
    .flatMap((each) => findLists(each.body))
    .flatMap((list) => [...walkExpressions(list)]);
  if (uses.every((use) => lists.includes(use))) return readList(value, { ...reading, file }, followed);
  const text = `local.${name} is read elsewhere too, so that it stays: teams must be named by their identifiers.`;
  file.notes.push({ start: value.start, rule, message: text, breaks: false });
}

function readTitle({ start, end }: Expression, title: string, reading: ReadContext): void {
  const { file, module, known, isCertain } = reading;
  // templates and expressions are rewritten as such instead
  if (!isCertain || /\{\{|^[.[(]/.test(title)) return;
  const identifier = known.identifierOf.get(title);
  if (known.identifiers.has(title)) {
    if (identifier === undefined) return;
    const text = `"${title}" is the title of the team ${identifier}, and the identifier of another.`;
    file.notes.push({ start, rule: 'terraform/team-title', message: text, breaks: true });
    return;
  }
  if (identifier !== undefined) {
    const after = JSON.stringify(identifier);
    file.edits.push({
      start,
      end,
      after,
      rule: 'terraform/team-title',
      message: `"${title}" is the title of the team ${identifier}.`,
    });
    return;
  }
  const declared = module.resources.find(
    ({ kind, block }) => kind === 'team' && resolveText(findAttribute(block.body, 'name')?.value, module) === title,
  );
  const advice =
    declared === undefined
      ? `"${title}" must be the identifier of a team. Its title is replaced where the organization is named with --url.`
      : `"${title}" is the title of ${declared.type}.${declared.name}: write ${declared.type}.${declared.name}.identifier.`;
  file.notes.push({ start, rule: 'terraform/team-title', message: advice, breaks: declared !== undefined });
}
