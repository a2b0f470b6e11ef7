import { entriesOf, type HclEntry, type HclToken, tokenize, unquoted } from './hcl.ts';
import type { TextEdit } from './text-edit.ts';

/** What has to be known of all files of a folder before one is edited. */
export interface TerraformFacts {
  /** What the provider's resources begin with: `port` in `port_blueprint`. */
  readonly prefixes: ReadonlySet<string>;
  /** Names of the resources that are `_user` and `_team`, as `prefix.name`. */
  readonly systemBlueprints: ReadonlyMap<string, string>;
  /** `prefix.name` of what has an import block. */
  readonly imported: ReadonlySet<string>;
}

const own =
  /^(\w+?)_(?:blueprint|system_blueprint|blueprint_permissions|action_permissions|page_permissions|aggregation_properties|scorecard)$/;
const leastVersion = '>= 2.2.0';

export function factsOf(sources: readonly string[]): TerraformFacts {
  const prefixes = new Set<string>();
  const systemBlueprints = new Map<string, string>();
  const imported = new Set<string>();
  for (const entry of sources.flatMap((source) => entriesOf(tokenize(source)))) {
    if (entry.name === 'import') {
      const to = entry.inner.find(({ name }) => name === 'to');
      const match = /^(\w+?)_system_blueprint\.([\w-]+)$/.exec(to?.value.map(({ text }) => text).join('') ?? '');
      if (match) imported.add(`${match[1]}.${match[2]}`);
    }
    const [type = '', name = ''] = entry.labels;
    const prefix = own.exec(type)?.[1];
    if (entry.name !== 'resource' || prefix === undefined) continue;
    prefixes.add(prefix);
    const identifier = textOf(entry, 'identifier');
    if (type === `${prefix}_blueprint` && (identifier === '_user' || identifier === '_team'))
      systemBlueprints.set(`${prefix}.${name}`, identifier);
  }
  return { prefixes, systemBlueprints, imported };
}

/** Title → identifier of teams, where they are known. */
export type KnownTeams = ReadonlyMap<string, string>;

/** The edits that bring one file to the new model. */
export function editTerraform(source: string, facts: TerraformFacts, known: KnownTeams): TextEdit[] {
  const tokens = tokenize(source);
  const entries = entriesOf(tokens);
  const edits: TextEdit[] = [];
  for (const entry of entries) {
    const [type = '', name = ''] = entry.labels;
    const prefix = own.exec(type)?.[1];
    if (entry.name === 'terraform') edits.push(...raiseVersion(entry, facts));
    if (entry.name !== 'resource' || prefix === undefined) continue;
    if (type === `${prefix}_blueprint` || type === `${prefix}_system_blueprint`)
      edits.push(...inheritOwnership(source, entry));
    const identifier = facts.systemBlueprints.get(`${prefix}.${name}`);
    if (type === `${prefix}_blueprint` && identifier !== undefined)
      edits.push(...becomeSystemBlueprint(source, entry, prefix, name, identifier, facts));
  }
  const resources = entries.filter(({ name, labels }) => name === 'resource' && isOf(labels[0] ?? '', facts));
  edits.push(...followNames(tokens, facts), ...teamIdentifiers(entries, facts), ...knownTitles(resources, known));
  return edits;
}

function isOf(type: string, { prefixes }: TerraformFacts): boolean {
  return [...prefixes].some((prefix) => type.startsWith(`${prefix}_`));
}

/** Titles that are written out in lists of teams, of an organization whose teams are known. */
function knownTitles(entries: readonly HclEntry[], known: KnownTeams): TextEdit[] {
  if (known.size === 0) return [];
  return entries.flatMap((entry): TextEdit[] => {
    if (entry.name !== 'teams' && entry.name !== 'team') return knownTitles(entry.inner, known);
    return entry.value.flatMap(({ kind, text, start, end }): TextEdit[] => {
      const identifier = kind === 'text' ? known.get(unquoted(text)) : undefined;
      if (identifier === undefined) return [];
      const message = `"${unquoted(text)}" is the title of the team ${identifier}.`;
      return [{ start, end, after: JSON.stringify(identifier), rule: 'terraform/team-title', message }];
    });
  });
}

/** `team_inheritance` becomes `ownership`; over a relation of its own to teams it becomes Direct, and the relation goes. */
function inheritOwnership(source: string, resource: HclEntry): TextEdit[] {
  const inheritance = resource.inner.find(({ name }) => name === 'team_inheritance');
  if (inheritance === undefined) return [];
  const rule = 'terraform/ownership';
  const path = textOf(inheritance, 'path');
  const relation = resource.inner
    .filter(({ name }) => name === 'relations')
    .flatMap(({ inner }) => inner)
    .find((entry) => entry.name === path && textOf(entry, 'target') === '_team');
  if (relation !== undefined) {
    const [start, end] = wholeLines(source, relation);
    return [
      {
        start: inheritance.start,
        end: inheritance.end,
        after: 'ownership = { type = "Direct" }',
        rule,
        message: `Teams come over the relation "${path}", which becomes ownership.`,
      },
      { start, end, after: '', rule, message: `The relation "${path}" to teams goes.` },
    ];
  }
  const open = inheritance.value[0]!;
  const first = inheritance.inner[0];
  const between = first === undefined ? ' ' : source.slice(open.end, first.start);
  const separator = between.includes('\n') ? '' : ',';
  const { nameToken } = inheritance;
  return [
    {
      start: nameToken.start,
      end: inheritance.isBlock ? open.start : nameToken.end,
      after: inheritance.isBlock ? 'ownership = ' : 'ownership',
      rule,
      message: 'team_inheritance is replaced by ownership.',
    },
    {
      start: open.end,
      end: open.end,
      after: `${between}type = "Inherited"${separator}`,
      rule,
      message: 'Ownership names its type.',
    },
  ];
}

/** The entry with its comma, indentation and line break. */
function wholeLines(source: string, { start, end }: HclEntry): [number, number] {
  let from = start;
  while (from > 0 && (source[from - 1] === ' ' || source[from - 1] === '\t')) from--;
  let to = end;
  const rest = /^[ \t]*,?[ \t]*(?:\r?\n)?/.exec(source.slice(to))![0];
  to += rest.length;
  const isAlone = (from === 0 || source[from - 1] === '\n') && rest.includes('\n');
  return isAlone ? [from, to] : [start, to];
}

/** `_user` and `_team` are no ordinary blueprints: they are imported, since nobody creates them. */
function becomeSystemBlueprint(
  source: string,
  resource: HclEntry,
  prefix: string,
  name: string,
  identifier: string,
  facts: TerraformFacts,
): TextEdit[] {
  const rule = 'terraform/system-blueprint';
  const label = resource.labelTokens[0]!;
  const message = `${identifier} is a system blueprint: it is imported, and takes only what is added to it.`;
  const edits: TextEdit[] = [
    { start: label.start, end: label.end, after: `"${prefix}_system_blueprint"`, rule, message },
  ];
  if (!facts.imported.has(`${prefix}.${name}`)) {
    const line = source.includes('\r\n') ? '\r\n' : '\n';
    const block = [`import {`, `  to = ${prefix}_system_blueprint.${name}`, `  id = "${identifier}"`, `}`].join(line);
    edits.push({ start: resource.end, end: resource.end, after: `${line}${line}${block}`, rule, message });
  }
  return edits;
}

/** References to the resources that have another type now. */
function followNames(tokens: readonly HclToken[], facts: TerraformFacts): TextEdit[] {
  return tokens.flatMap((token, at): TextEdit[] => {
    const prefix = /^(\w+?)_blueprint$/.exec(token.text)?.[1];
    const isReference = token.kind === 'name' && prefix !== undefined && tokens[at + 1]?.text === '.';
    if (!isReference || !facts.systemBlueprints.has(`${prefix}.${tokens[at + 2]?.text}`)) return [];
    return [
      {
        start: token.start,
        end: token.end,
        after: `${prefix}_system_blueprint`,
        rule: 'terraform/system-blueprint',
        message: 'Follows the resource to its new type.',
      },
    ];
  });
}

/** `<prefix>_team.x.name` in lists of teams becomes `.identifier`. */
function teamIdentifiers(entries: readonly HclEntry[], facts: TerraformFacts): TextEdit[] {
  return entries.flatMap((entry): TextEdit[] => {
    if (entry.name !== 'teams' && entry.name !== 'team') return teamIdentifiers(entry.inner, facts);
    const { value } = entry;
    return value.flatMap((token, at): TextEdit[] => {
      const prefix = /^(\w+)_team$/.exec(token.text)?.[1];
      const attribute = value[at + 4];
      const isName = value[at + 1]?.text === '.' && value[at + 3]?.text === '.' && attribute?.text === 'name';
      if (token.kind !== 'name' || prefix === undefined || !facts.prefixes.has(prefix) || !isName) return [];
      return [
        {
          start: attribute.start,
          end: attribute.end,
          after: 'identifier',
          rule: 'terraform/team-identifier',
          message: 'Teams are named by their identifiers.',
        },
      ];
    });
  });
}

/** The provider knows system blueprints since 2.2.0. */
function raiseVersion(terraform: HclEntry, facts: TerraformFacts): TextEdit[] {
  const providers = terraform.inner.filter(({ name }) => name === 'required_providers').flatMap(({ inner }) => inner);
  return providers.flatMap((provider): TextEdit[] => {
    const version = provider.inner.find(({ name }) => name === 'version');
    const text = version?.value[0];
    if (!facts.prefixes.has(localPrefix(provider.name)) || text?.kind !== 'text' || allowsOnlyNew(unquoted(text.text)))
      return [];
    return [
      {
        start: text.start,
        end: text.end,
        after: `"${leastVersion}"`,
        rule: 'terraform/provider-version',
        message: 'System blueprints and ownership need version 2.2.0 or newer of the provider.',
      },
    ];
  });
}

/** Resources begin with the local name of their provider, up to its first dash. */
const localPrefix = (name: string): string => name.split('-')[0]!;

function allowsOnlyNew(constraint: string): boolean {
  return constraint.split(',').some((part) => {
    const match = /^\s*(>=|>|~>|=|)\s*v?(\d+)(?:\.(\d+))?/.exec(part);
    if (!match) return false;
    const [major, minor] = [Number(match[2]), Number(match[3] ?? 0)];
    return major > 2 || (major === 2 && minor >= 2);
  });
}

function textOf(entry: HclEntry, name: string): string | undefined {
  const value = entry.inner.find((each) => each.name === name)?.value[0];
  return value?.kind === 'text' ? unquoted(value.text) : undefined;
}
