import { compile, JqError, type Program } from '@portolan/jq';
import { type Cell, type Row, type RowProblem, TableError } from '../table.ts';
import { type Column, findTarget, type TableBlueprint, type Target } from './column.ts';
import { convertCell, short, splitList } from './convert-cell.ts';
import { slug, toIdentifier } from './identifiers.ts';

/** How rows become entities of one blueprint. */
export interface ColumnPlan {
  readonly columns: readonly Column[];
  /** An empty cell leaves what the entity has, or clears it. */
  readonly emptyCells: 'keep' | 'clear';
}

/** A line of an import. */
export interface EntityLine {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title?: string | null;
  readonly icon?: string | null;
  readonly team?: readonly string[] | string | null;
  readonly properties?: Readonly<Record<string, Cell>>;
  readonly relations?: Readonly<Record<string, string | readonly string[] | null>>;
}

export type MappedRow =
  | { readonly row: number; readonly entity: EntityLine }
  | { readonly row: number; readonly problems: readonly RowProblem[] };

/** Rows are looked at for a second one with the same identifier up to this number, to bound the memory. */
const rowsComparedMax = 500_000;

interface ReadyColumn {
  readonly index: number;
  readonly column: Column;
  readonly target: Target;
  readonly program: Program | undefined;
}

interface EntityDraft {
  identifier?: string;
  title?: string | null;
  icon?: string | null;
  team?: string[] | null;
  properties: Record<string, Cell>;
  relations: Record<string, string | string[] | null>;
}

/**
 * Turns rows into entities; relations and teams hold what the cells say, for `resolveReferences`. Remembers identifiers
 * to refuse a second row with the same, so each pass over a file takes a mapper of its own; `comparesMax` says how many.
 * @throws TableError for a plan that no row can follow
 */
export function createRowMapper(
  headings: readonly string[],
  plan: ColumnPlan,
  blueprint: TableBlueprint,
  { comparesMax = rowsComparedMax }: { readonly comparesMax?: number } = {},
): (row: Row) => MappedRow {
  const columns = readyColumns(headings, plan, blueprint);
  const seen = new Map<string, number>();
  return (row) => {
    if (row.problem) return { row: row.row, problems: [{ row: row.row, ...row.problem }] };
    const draft: EntityDraft = { properties: {}, relations: {} };
    const problems: RowProblem[] = [];
    for (const { index, column, target, program } of columns) {
      const read = program ? runColumn(program, row, index, headings) : { value: row.cells[index] };
      const message = 'message' in read ? read.message : write(draft, target, read.value, column, plan.emptyCells);
      if (message) problems.push({ row: row.row, column: column.heading, message });
    }
    const identifier = draft.identifier ?? (draft.title ? slug(draft.title) : undefined);
    if (identifier === undefined) {
      if (problems.length === 0) problems.push(missingIdentifier(row, columns));
    } else {
      const former = seen.get(identifier);
      if (former !== undefined) {
        problems.push({
          row: row.row,
          message: `Row ${former} has the identifier "${short(identifier)}" too. Keep one of them.`,
        });
      } else if (seen.size < comparesMax) seen.set(copied(identifier), row.row);
    }
    if (problems.length > 0 || identifier === undefined) return { row: row.row, problems };
    return { row: row.row, entity: { blueprint: blueprint.identifier, ...filled(draft), identifier } };
  };
}

function readyColumns(headings: readonly string[], plan: ColumnPlan, blueprint: TableBlueprint): ReadyColumn[] {
  const taken = new Map<string, string>();
  const ready = plan.columns.flatMap((column): ReadyColumn[] => {
    if (column.to === null) return [];
    const index = headings.indexOf(column.heading);
    if (index < 0) throw new TableError(`The table has no column "${column.heading}". It has ${headings.join(', ')}.`);
    const target = findTarget(column.to, blueprint);
    if (!target)
      throw new TableError(`${blueprint.identifier} has no "${column.to}" for the column "${column.heading}".`);
    const other = taken.get(column.to);
    if (other !== undefined)
      throw new TableError(`"${other}" and "${column.heading}" both become ${column.to}. Choose one.`);
    taken.set(column.to, column.heading);
    return [{ index, column, target, program: compiled(column) }];
  });
  if (!ready.some(({ target }) => target.kind === 'identifier' || target.kind === 'title')) {
    throw new TableError('Choose the column with the identifier, or one with the title to make it from.');
  }
  return ready;
}

function compiled({ jq, heading }: Column): Program | undefined {
  if (!jq) return undefined;
  try {
    return compile(jq);
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    throw new TableError(`The expression of "${heading}" cannot be read: ${error.message}`);
  }
}

function runColumn(
  program: Program,
  row: Row,
  index: number,
  headings: readonly string[],
): { readonly value: Cell | undefined } | { readonly message: string } {
  const byHeading = Object.fromEntries(headings.map((heading, at) => [heading, row.cells[at] ?? null]));
  try {
    return { value: program.first({ value: row.cells[index] ?? null, row: byHeading }) as Cell | undefined };
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    return { message: `The expression failed: ${error.message}` };
  }
}

/** Writes one cell into the draft. Answers what is wrong with it. */
function write(
  draft: EntityDraft,
  target: Target,
  cell: Cell | undefined,
  column: Column,
  emptyCells: ColumnPlan['emptyCells'],
): string | undefined {
  if (cell === undefined) return undefined;
  if (cell === null || (typeof cell === 'string' && cell.trim() === '')) {
    // a null in JSON was written by somebody, who wants the value cleared
    if (cell === null || emptyCells === 'clear') clear(draft, target);
    return undefined;
  }
  switch (target.kind) {
    case 'property': {
      const read = convertCell(cell, target.property, column);
      if (!('value' in read)) return read.message;
      draft.properties[target.key] = read.value;
      return undefined;
    }
    case 'relation': {
      const names = readNames(cell, target.relation.many ? column.separator : undefined, target.relation.many === true);
      if (!names) return `"${short(cell)}" names no entity.`;
      draft.relations[target.key] = target.relation.many ? names : (names[0] as string);
      return undefined;
    }
    case 'team': {
      const names = readNames(cell, column.separator, true);
      if (!names) return `"${short(cell)}" names no team.`;
      draft.team = names;
      return undefined;
    }
    default:
      return writeText(draft, target.kind, cell);
  }
}

function writeText(draft: EntityDraft, kind: 'identifier' | 'title' | 'icon', cell: Cell): string | undefined {
  if (typeof cell === 'object') return 'This is a list or an object, not a text.';
  const text = String(cell).trim();
  if (kind !== 'identifier') {
    draft[kind] = text;
    return undefined;
  }
  const identifier = toIdentifier(text);
  if (identifier === undefined) return `"${short(text)}" has no letter or digit to make an identifier of.`;
  draft.identifier = identifier;
  return undefined;
}

/** Names of entities or teams; undefined if the cell holds something else. */
function readNames(cell: Cell, separator: string | undefined, isMany: boolean): string[] | undefined {
  const parts = isMany ? splitList(cell, separator) : [cell];
  const names = parts.map((part) => (typeof part === 'string' || typeof part === 'number' ? String(part).trim() : ''));
  return names.length === 0 || names.includes('') ? undefined : [...new Set(names)];
}

function clear(draft: EntityDraft, target: Target): void {
  if (target.kind === 'property') draft.properties[target.key] = null;
  else if (target.kind === 'relation') draft.relations[target.key] = target.relation.many ? [] : null;
  else if (target.kind !== 'identifier') draft[target.kind] = null;
}

function missingIdentifier(row: Row, columns: readonly ReadyColumn[]): RowProblem {
  const column =
    columns.find(({ target }) => target.kind === 'identifier') ?? columns.find(({ target }) => target.kind === 'title');
  const heading = column ? { column: column.column.heading } : {};
  return { row: row.row, ...heading, message: 'The cell is empty, so the entity has no identifier.' };
}

function filled({ properties, relations, ...draft }: EntityDraft): Omit<EntityLine, 'blueprint' | 'identifier'> {
  return {
    ...draft,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(Object.keys(relations).length > 0 ? { relations } : {}),
  };
}

/** A part of a text keeps the whole in memory, which here is a piece of the file; a copy does not. */
function copied(text: string): string {
  return [...text].join('');
}
